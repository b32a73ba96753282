using Newtonsoft.Json.Linq;

/// <summary>What a block of libraries that are interleaved leaves.</summary>
public sealed class RoundsTests(RoundsTests.Blocks blocks) : IClassFixture<RoundsTests.Blocks>
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "other", "end"];

    /// <summary>Blocks of one suite that leave most of what is asked here.</summary>
    public sealed class Blocks : IDisposable
    {
        /// <summary>How many rounds the paced one has.</summary>
        public const int PacedRounds = 9;

        // Not made where these tests are skipped.
        readonly Lazy<Twins> twins = new(() => new());
        readonly Lazy<LedTwins> paced;
        readonly Lazy<LedTwins> few;
        readonly Lazy<LedTwins> closed;
        readonly Lazy<LedTwins> ofAnotherSeed;

        public Blocks()
        {
            paced = Lead("--parallel", "3", "--rounds", $"{PacedRounds}");
            few = Lead("--rounds", "2", "--seconds", "2.1");
            closed = Lead("--rate", "0", "--clients", "3", "--warmup-seconds", "0.2", "--slice-ms", "20");
            ofAnotherSeed = Lead("--order-seed", "2", "--seconds", "0.1");
        }

        /// <summary>The suite.</summary>
        internal Twins Twins => twins.Value;

        /// <summary>At a rate, of many rounds.</summary>
        internal LedTwins Paced => paced.Value;

        /// <summary>Of fewer rounds than its window has pieces.</summary>
        internal LedTwins Few => few.Value;

        /// <summary>In a closed loop.</summary>
        internal LedTwins Closed => closed.Value;

        /// <summary>In the order of another seed.</summary>
        internal LedTwins OfAnotherSeed => ofAnotherSeed.Value;

        public void Dispose()
        {
            if (twins.IsValueCreated)
            {
                twins.Value.Dispose();
            }
        }

        Lazy<LedTwins> Lead(params string[] flags) =>
            new(() => new(Twins.Run(Twins.Words, flags).WithCode(0), Twins.Records));
    }

    /// <summary>A block that was led to its end.</summary>
    internal sealed record LedTwins(Ended Ended, JObject[] Records)
    {
        /// <summary>The launches by their libraries.</summary>
        public Dictionary<string, JObject> Launches => LaunchesIn(Records);
    }

    [Fact]
    public void Each_library_has_a_launch_with_all_rounds_and_a_slice_of_each_phase_and_side()
    {
        var block = blocks.Paced;
        Assert.Empty(block.Ended.Error);
        Assert.Empty(block.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.Equal(Twins.Names.Order(), block.Launches.Keys.Order());
        foreach (var (name, launch) in block.Launches)
        {
            var runId = (string?)launch["run_id"];
            Assert.Equal($"r1-{name}-unreliable-2x3-32-at-{Twins.Rate}", runId);
            Assert.Equal($"r1-unreliable-2x3-32-at-{Twins.Rate}", (string?)launch["block"]);
            Assert.Null((string?)launch["separately_because"]);
            var lists = ((JObject)launch["rounds"]!).Properties().Where(list => list.Value is JArray);
            Assert.All(lists, list => Assert.Equal(Blocks.PacedRounds, list.Value.Count()));
            var records = block.Records.Where(record => (string?)record["run_id"] == runId).ToArray();
            AssertAddsUp(records, launch["rounds"]!);
            Assert.InRange(WindowSeconds(records), 0.25, 2);
        }
        // The others' places in each round are taken.
        for (var round = 0; round < Blocks.PacedRounds; round++)
        {
            var places = block.Launches.Values.Select(launch => (int)launch["rounds"]!["place"]![round]!);
            Assert.Equal([0, 1, 2], places.Order());
        }
    }

    [Fact]
    public void In_a_closed_loop_each_is_told_beside_the_first()
    {
        var block = blocks.Closed;
        Assert.Equal(3, block.Ended.Out.Length);
        Assert.All(block.Ended.Out[1..], line => Assert.Matches("x one$", line));
    }

    [Fact]
    public void There_are_as_many_rounds_as_asked_for_however_long_the_windows()
    {
        // Of three pieces.
        Assert.All(blocks.Few.Launches.Values, launch => Assert.Equal(2, launch["rounds"]!["place"]!.Count()));
        foreach (var own in blocks.Few.Records.GroupBy(record => (string)record["run_id"]!))
            Assert.InRange(WindowSeconds(own), 2.05, 4);
    }

    [Fact]
    public void Where_all_runs_on_two_CPUs_each_slice_says_how_far_apart_they_were()
    {
        foreach (var launch in blocks.Closed.Launches.Values)
        {
            var list = launch["rounds"]!["cpu_to_cpu_ns"]!;
            if (Environment.ProcessorCount != 2)
            {
                Assert.Equal(JTokenType.Null, list.Type);
                continue;
            }
            var apartNs = list.Select(ns => (long)ns).ToArray();
            Assert.Equal(6, apartNs.Length);
            Assert.All(apartNs, ns => Assert.InRange(ns, 0, 5_000));
            Assert.Contains(apartNs, ns => ns > 10);
        }
    }

    [Fact]
    public void The_order_within_rounds_is_of_the_seed_alone()
    {
        static string Order(LedTwins block, int rounds)
        {
            var launches = block.Launches.OrderBy(launch => launch.Key);
            return string.Join('\n', launches.Select(launch =>
                string.Join(' ', launch.Value["rounds"]!["place"]!.Take(rounds))));
        }

        Assert.Equal(Order(blocks.Paced, 6), Order(blocks.Closed, 6));
        Assert.NotEqual(Order(blocks.Closed, 6), Order(blocks.OfAnotherSeed, 6));
    }

    [Fact]
    public void A_library_measured_twice_differs_by_its_profile_or_mode_and_each_word_is_one()
    {
        (string Words, string Sentence, string[] Flags)[] refused =
        [
            ("one,one", "names a library twice", []),
            ("one/unreliable,two,one/unreliable", "names a library twice", []),
            ("one/unreliable,one/unreliable/default", "names a library twice", []),
            ("one/quick", "'quick' is no delivery mode", []),
            ("one/unreliable/fast", "'fast' is no profile", []),
            ("one/unreliable/tuned/default/ssl", "'ssl' is no security", []),
            ("one/unreliable/default/default/tls/x", "is no LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]]", []),
            ("one,", "is no name of a library", []),
            ("one,four", "bench-four", []),
            ("one,two", "--trace goes without --rounds", ["--trace"]),
            ("one", "--seconds -1 goes without --rounds", ["--seconds", "-1"]),
        ];
        Assert.All(refused, one =>
        {
            Assert.Contains(one.Sentence, blocks.Twins.Run(one.Words, one.Flags).WrongUsage());
            Assert.Empty(blocks.Twins.Records);
        });
    }

    [Fact]
    public void Several_without_rounds_are_measured_one_after_another()
    {
        string[] nulls = ["block", "separately_because", "rounds", "link", "trouble"];
        blocks.Twins.Run("one/unreliable,two/unreliable", "--rounds", "0").WithCode(0);
        var records = blocks.Twins.Records;
        foreach (var launch in LaunchesIn(records).Values)
        {
            var withoutValue = launch.Properties().Where(field => field.Value.Type == JTokenType.Null);
            Assert.Equal(nulls, withoutValue.Select(field => field.Name));
        }
        // All of the one before the first of the other.
        string[] runs = [.. new[] { "one", "two" }.Select(name => $"r1-{name}-unreliable-2x1-32-at-{Twins.Rate}")];
        Assert.Equal(runs, Runs(records));
    }

    // Of each run the name, once for each time that its records begin.
    static List<string> Runs(JObject[] records)
    {
        List<string> runs = [];
        foreach (var run in records.Select(record => (string)record["run_id"]!))
        {
            if (runs.LastOrDefault() != run)
            {
                runs.Add(run);
            }
        }
        return runs;
    }

    static Dictionary<string, JObject> LaunchesIn(JObject[] records)
    {
        var launches = records.Where(record => Record.KindOf(record) == "launch");
        return launches.ToDictionary(launch => (string)launch["library"]!);
    }

    static double WindowSeconds(IEnumerable<JObject> own) =>
        (double)Record.Slice(own, "client", "window")["elapsed_ns"]! / 1e9;

    static void AssertAddsUp(JObject[] records, JToken rounds)
    {
        var server = Record.Slices(records, "server");
        var clients = Record.Slices(records, "client");
        foreach (var side in new[] { server, clients })
        {
            Assert.Equal(phases, side.Select(slice => (string?)slice["phase"]));
            Assert.Equal([0, 1, 2, 3, 4, 5], side.Select(slice => (int)slice["slice"]!));
            Assert.Equal([false, false, false, true, false, false], side.Select(slice => slice["outside"] is JObject));
        }
        Assert.All(clients, Record.AssertAddsUp);
        var sent = Record.Sum(clients, "sent");
        var lost = Record.Sum(clients, "lost", "corrupt", "unanswered");
        Assert.InRange(Record.Sum(server, "received"), sent - lost, sent);
        // The lists are what was added up.
        long Sum(string field) => rounds[field]!.Sum(value => (long)value!);
        var ofClients = clients[2];
        Assert.Equal(Record.Sum(ofClients, "elapsed_ns"), Sum("elapsed_ns"));
        Assert.Equal(Record.Sum(ofClients, "completed"), Sum("completed"));
        Assert.Equal(Record.Sum(ofClients, "lost", "corrupt", "unanswered"), Sum("lost"));
        Assert.Equal(Record.Sum(ofClients, "cpu_user_ns", "cpu_system_ns"), Sum("client_cpu_ns"));
        Assert.Equal(Record.Sum(server[2], "cpu_user_ns", "cpu_system_ns"), Sum("server_cpu_ns"));
        // On a busy machine a side begins a slice later than it ends it.
        var median = rounds["elapsed_ns"]!.Select(elapsed => (long)elapsed!).Order().ElementAt(4);
        Assert.InRange(median, 20_000_000, 3_000_000_000);
        Assert.True(Sum("completed") > 0);
    }
}
