using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>Sends what a person types: "c 100": each client sends 100 messages, "c 100 u" unreliable ones; "q" ends.
/// Each delivery mode has a pair of processes.</summary>
sealed class Manual(string library, LaunchSettings settings) : IDisposable
{
    const double ReadySeconds = 15;
    const double AnswerSeconds = 10;
    const double LookSeconds = 0.02;
    const int MostTyped = 1_000_000;
    const string Hint = "Type 'c 100' (each client sends 100 messages), with 'r' or 'u' after it for reliable or "
        + "unreliable, or 'q' to quit.";

    // Server and clients of one delivery mode.
    sealed class Pair(string library, LaunchSettings settings) : IDisposable
    {
        RunningSides sides = null!;
        JObject? said;

        public void Start()
        {
            sides = new RunningSides(library, Hosts.None, null, (_, record) => said = record);
            sides.StartServer(settings, null);
            var server = RecordFile.As<ReadyRecord>(Await("ready", ReadySeconds));
            sides.StartClients(settings, server.CertificateSha256, null);
            Await("ready", ReadySeconds);
            // The first message of each client, by which it is connected, is none of those that are typed.
            Ask("drain", "drain");
            Console.Error.WriteLine($"{settings.Clients} clients connected: {library} {settings.Delivery}");
        }

        /// <summary>Lets each client send so many messages; returns what the clients counted when all have
        /// ended.</summary>
        public SliceRecord Send(int each)
        {
            long all = (long)settings.SoundClients * each;
            Ask($"start {each}", "start");
            do
            {
                sides.Until(() => false, LookSeconds);
            }
            while (CountAnswer.Of(Ask("count", "count")).Ended < all);
            return RecordFile.As<SliceRecord>((JObject)Ask("drain", "drain")["other"]!);
        }

        JObject Ask(string command, string answer)
        {
            sides.Clients[0].Say(command);
            return Await(answer, AnswerSeconds);
        }

        JObject Await(string record, double seconds)
        {
            said = null;
            if (!sides.Until(() => (string?)said?["record"] == record, seconds))
            {
                throw new Failure($"A side did not say '{record}' within {seconds:0} s.");
            }
            return said!;
        }

        public void Dispose() => sides?.Dispose();
    }

    readonly Dictionary<string, Pair> pairs = [];
    readonly string[] deliveries = BenchInfo.Of(library).Deliveries;

    /// <summary>Does what the lines say, until "q" or their end.</summary>
    public void Obey(TextReader typed)
    {
        Console.Error.WriteLine(Hint);
        while (typed.ReadLine()?.Trim().ToLowerInvariant() is { } line and not "q")
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words is not (["c", _] or ["c", _, "r" or "u"])
                || !int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out int each)
                || each is < 1 or > MostTyped)
            {
                Console.Error.WriteLine(Hint);
                continue;
            }
            if (DeliveryOf(words) is { } delivery)
            {
                Send(PairOf(delivery), each);
            }
            else
            {
                Console.Error.WriteLine($"{library} has no such delivery.");
            }
        }
    }

    public void Dispose()
    {
        foreach (Pair pair in pairs.Values)
        {
            pair.Dispose();
        }
    }

    string? DeliveryOf(string[] words)
    {
        if (words.Length < 3)
        {
            return settings.Delivery;
        }
        bool isUnreliable = words[2] == "u";
        return deliveries.FirstOrDefault(mode => mode == "unreliable" == isUnreliable);
    }

    void Send(Pair pair, int each)
    {
        OutcomesPart outcomes = pair.Send(each).Outcomes!;
        long sent = (long)settings.SoundClients * each;
        long completed = outcomes.Completed;
        string sentence = $"clients sent {sent}, {completed} came back";
        if (completed > 0)
        {
            double? median = new Histogram(outcomes.RttNs).Quantile(0.5m, leastBeyond: 0);
            sentence += $", round trips {Microseconds(outcomes.RttNs[0].Lower)} to "
                + $"{Microseconds(outcomes.RttNs[^1].Lower)} µs, median {Microseconds(median)} µs";
        }
        Console.Error.WriteLine(sentence);
    }

    static string Microseconds(double? ns) => $"{ns / 1e3:0}";

    Pair PairOf(string delivery)
    {
        if (pairs.TryGetValue(delivery, out Pair? pair))
        {
            return pair;
        }
        int port = Address.FreePort(settings.Address);
        pair = new Pair(library, settings with { Delivery = delivery, Port = port });
        pairs[delivery] = pair;
        pair.Start();
        return pair;
    }
}
