using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>Sends what a person types: "c 100": each client sends 100 messages; "s 4 u": the server sends 4
/// to each, unreliable; "q" ends. Each delivery mode has a pair of processes.</summary>
sealed class Manual(string library, RunSettings settings) : IDisposable
{
    const double ReadySeconds = 15, AnswerSeconds = 10, SilentSeconds = 2;
    const int MostTyped = 1_000_000, LookMs = 20;
    const string Hint = "Type 'c 100' (each client sends 100 messages), 's 4' (the server sends 4 to each "
        + "client), with 'r' or 'u' after it for reliable or unreliable, or 'q' to quit.";

    sealed class Pair(string library, RunSettings settings) : IDisposable
    {
        JObject? said;
        RunningSides sides = null!;

        public void Start()
        {
            sides = new(library, Hosts.None, null, (_, record) => said = record);
            sides.StartServer(settings, null);
            Expect("ready", ReadySeconds);
            sides.StartClients(settings, (string?)said!["certificate_sha256"], null);
            Expect("ready", ReadySeconds);
            Console.Error.WriteLine($"{settings.Clients} clients connected: {library} {settings.Delivery}");
        }

        /// <summary>Lets each client send so many messages, which the server answers so often.</summary>
        public (JObject Slice, long Arrived) Send(int each, int answers)
        {
            var (all, client) = ((long)settings.Clients * each, sides.Clients[0]);
            sides.Server.Say($"answer {answers}");
            sides.Server.Say("count"); // which says that it has read that line
            Expect("count", AnswerSeconds);
            client.Say("mark");
            client.Say($"go {each}");
            var (arrived, quiet) = (0L, Stopwatch.StartNew());
            while (true)
            {
                sides.Until(() => false, LookMs / 1000.0);
                client.Say("count");
                Expect("count", AnswerSeconds);
                long Of(string field) => (long)said![field]!;
                if (Of("completed") + Of("duplicates") > arrived) quiet.Restart();
                arrived = Of("completed") + Of("duplicates");
                // What is lost is given up after a second; nothing comes of what an answer lost of several.
                if (Of("completed") + Of("lost") + Of("corrupt") == all
                    && (arrived >= all * answers || quiet.Elapsed.TotalSeconds > SilentSeconds)) break;
            }
            said = null;
            client.Say("rest");
            if (!sides.Until(() => (string?)said?["record"] == "slice" && (long)said["sent"]! == all, AnswerSeconds))
                throw new Failure("The client did not come to rest.");
            return (said!, arrived);
        }

        void Expect(string record, double seconds)
        {
            said = null;
            if (!sides.Until(() => (string?)said?["record"] == record, seconds))
                throw new Failure($"A side did not say '{record}' within {seconds:0} s.");
        }

        public void Dispose() => sides?.Dispose();
    }

    readonly Dictionary<string, Pair> pairs = [];
    readonly string[] deliveries = BenchInfo.Of(library).Deliveries;

    /// <summary>Does what the lines say, until "q" or their end.</summary>
    public void Heed(TextReader typed)
    {
        Console.Error.WriteLine(Hint);
        while (typed.ReadLine()?.Trim().ToLowerInvariant() is { } line and not "q")
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words is not (["c" or "s", _] or ["c" or "s", _, "r" or "u"])
                || !int.TryParse(words[1], out var count) || count is < 1 or > MostTyped)
            {
                Console.Error.WriteLine(Hint);
                continue;
            }
            var delivery = words.Length < 3 ? settings.Delivery
                : deliveries.FirstOrDefault(mode => mode == "unreliable" == (words[2] == "u"));
            if (delivery == null) Console.Error.WriteLine($"{library} has no such delivery.");
            else Send(PairOf(delivery), words[0] == "c", count);
        }
    }

    void Send(Pair pair, bool fromClients, int count)
    {
        var (slice, arrived) = fromClients ? pair.Send(count, 1) : pair.Send(1, count);
        var all = (long)settings.Clients * count;
        if (!fromClients)
        {
            Console.Error.WriteLine($"the server sent {all}, {arrived} arrived");
            return;
        }
        var outcomes = (JObject)slice["outcomes"]!;
        string Us(double? ns) => $"{ns / 1e3:0}";
        Console.Error.WriteLine($"clients sent {all}, {arrived} came back" + (arrived == 0 ? ""
            : $", round trips {Us((double?)outcomes["rtt_min_ns"])} to {Us((double?)outcomes["rtt_max_ns"])} µs, "
                + $"median {Us(new Histogram([slice], "rtt_ns").Quantile(0.5m, leastBeyond: 0))} µs"));
    }

    Pair PairOf(string delivery)
    {
        if (pairs.TryGetValue(delivery, out var pair)) return pair;
        pair = pairs[delivery] = new(library, settings with { Delivery = delivery, Port = Address.FreePort(settings.Address) });
        pair.Start();
        return pair;
    }

    public void Dispose()
    {
        foreach (var pair in pairs.Values) pair.Dispose();
    }
}
