using Newtonsoft.Json.Linq;

/// <summary>A server and clients of a bench, led as the runner leads them, with a relay between them.</summary>
sealed class ThroughRelay : IDisposable
{
    public ThroughRelay(string bench, string delivery, Line up, Line down, params IEnumerable<string> flags)
    {
        Relay? between = null;
        string Show(string port)
        {
            between = new Relay(port, up, down);
            return between.Port;
        }

        Pair = new Pair(bench, ["--delivery", delivery, .. flags], ofServer: [], portOfClients: Show);
        Relay = between!;
    }

    public Pair Pair { get; }

    public Relay Relay { get; }

    /// <summary>Lets the clients send for a while in a window.</summary>
    public Counts Measure(int milliseconds) => new(Pair.Measure(milliseconds));

    /// <summary>Ends both sides, well, and returns what they have counted since they were measured.</summary>
    public Counts Close()
    {
        var (client, server) = Pair.Close();
        JObject Closed(Ended ended)
        {
            Assert.Empty(ended.WithCode(0).Error);
            return Record.Single(ended.Records, "closed");
        }

        return new((Closed(client), Closed(server)));
    }

    public void Dispose()
    {
        Pair.Dispose();
        Relay.Dispose();
    }

    /// <summary>What both sides have counted between two drains.</summary>
    public sealed class Counts((JObject Client, JObject Server) told)
    {
        /// <summary>The clients' window, and all else that they counted.</summary>
        public JObject[] Clients { get; } = Counted.PartsOf(told.Client);

        public JObject[] Servers { get; } = Counted.PartsOf(told.Server);

        /// <summary>The clients' window.</summary>
        public JObject Window => Counted.Window(told.Client);

        /// <summary>So many messages as are due in the window at a rate.</summary>
        public double Due(int rate) => rate * (double)Window["elapsed_ns"]! / 1e9;
    }
}
