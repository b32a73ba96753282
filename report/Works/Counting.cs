/// <summary>How the messages of a work are counted: on which side they are completed, how many were lost, and what must
/// hold of both sides' counts.</summary>
abstract class Counting
{
    static readonly Counting answered = new CountingAnswers();
    static readonly Counting oneWay = new CountingArrivals();

    /// <summary>That of a work.</summary>
    public static Counting Of(Work work) => work.IsAnswered ? answered : oneWay;

    /// <summary>Whether messages have round trips, and each of its own is known to be lost.</summary>
    public abstract bool HasRoundTrips { get; }

    /// <summary>How many times per message crosses the network.</summary>
    public abstract int Crossings { get; }

    /// <summary>The sides on which messages are completed; null where the records of one are missing.</summary>
    public abstract Side[]? Receivers(Launch launch);

    /// <summary>What a server received, of a slice.</summary>
    public abstract long ReceivedByServer(SliceRecord slice);

    /// <summary>Messages sent, of which it is known what became of them.</summary>
    public abstract double Sent(Launch launch);

    /// <summary>Of these, those without a sound answer or that did not arrive.</summary>
    public abstract double Lost(Launch launch);

    /// <summary>Mbit/s of the messages' bytes at their receiver, at so many messages/s; null of what is answered.
    /// </summary>
    public abstract double? GoodputMbit(double? rate, int payloadBytes);

    /// <summary>What must not be of what a server received, as reasons.</summary>
    public abstract IEnumerable<Reason> Faults(Launch launch, Side server);

    /// <summary>Messages that are completed when their answer comes to the clients.</summary>
    sealed class CountingAnswers : Counting
    {
        public override bool HasRoundTrips => true;

        public override int Crossings => 2;

        public override Side[] Receivers(Launch launch) => launch.Clients;

        public override long ReceivedByServer(SliceRecord slice) => slice.Received;

        public override double Sent(Launch launch) => launch.Clients.Sum(client => (double)client.Window.Sent);

        public override double Lost(Launch launch) => launch.Clients.Sum(client => client.Lost);

        public override double? GoodputMbit(double? rate, int payloadBytes) => null;

        public override IEnumerable<Reason> Faults(Launch launch, Side server)
        {
            var sent = launch.Clients.Sum(client => client.InAll(slice => slice.Sent));
            var received = server.InAll(slice => slice.Received);
            var missing = sent - received;
            var mayMiss = launch.Reliable ? 0 : launch.Clients.Sum(client => client.LostInAll);
            if (missing >= 0 && missing <= mayMiss)
                return [];
            var words = $"clients sent {Text.Number(sent)} messages, the server received {Text.Number(received)}";
            return [new(words, "clients and server counted different messages", Math.Abs(missing))];
        }
    }

    /// <summary>Messages that are completed when they come to the server. What is on its way when a window ends is not
    /// lost, so that losses are counted over all phases.</summary>
    sealed class CountingArrivals : Counting
    {
        public override bool HasRoundTrips => false;

        public override int Crossings => 1;

        public override Side[]? Receivers(Launch launch) => launch.Server == null ? null : [launch.Server];

        public override long ReceivedByServer(SliceRecord slice) => slice.Streamed;

        public override double Sent(Launch launch) =>
            launch.Clients.Sum(client => client.InAll(slice => slice.Streamed));

        public override double Lost(Launch launch) =>
            launch.Server == null ? 0 : Sent(launch) - launch.Server.InAll(slice => slice.Streamed);

        public override double? GoodputMbit(double? rate, int payloadBytes) => rate * payloadBytes * 8 / 1e6;

        public override IEnumerable<Reason> Faults(Launch launch, Side server)
        {
            string? fault = Arrivals.Fault(
                launch.Record.Settings.Delivery,
                (long)Sent(launch),
                count => (long)server.InAll(count));
            return fault == null ? [] : [fault];
        }
    }
}
