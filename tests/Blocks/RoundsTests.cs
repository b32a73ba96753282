using Newtonsoft.Json.Linq;

/// <summary>What a block of libraries that are interleaved leaves.</summary>
public sealed class RoundsTests : IDisposable
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "other", "end"];

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Fact]
    public void Each_library_has_a_launch_with_all_rounds_and_a_slice_of_each_phase_and_side()
    {
        const int rounds = 9;
        string[] flags = ["--parallel", "3", "--rounds", $"{rounds}", "--seconds", "2.5"];
        var ended = twins.Run(Twins.Words, flags).WithCode(0);
        Assert.Empty(ended.Error);
        Assert.Empty(twins.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        var launches = Launches();
        Assert.Equal(Twins.Names.Order(), launches.Keys.Order());
        foreach (var (name, launch) in launches)
        {
            var runId = (string?)launch["run_id"];
            Assert.Equal($"r1-{name}-unreliable-2x3-32", runId);
            Assert.Equal("r1-unreliable-2x3-32", (string?)launch["block"]);
            Assert.Null((string?)launch["separately_because"]);
            var lists = ((JObject)launch["rounds"]!).Properties();
            Assert.All(lists, list => Assert.Equal(rounds, list.Value.Count()));
            var records = twins.Records.Where(record => (string?)record["run_id"] == runId).ToArray();
            AssertAddsUp(records, launch["rounds"]!);
            var window = Record.Slice(records, "client", "window");
            // Three pieces of as much.
            Assert.InRange((double)window["elapsed_ns"]! / 1e9, 2.45, 4);
            AssertFilled(window, slots: 6);
            AssertFilled(Record.Slice(records, "client", "rounds"), slots: 6);
        }
        // The others' places in each round are taken.
        for (var round = 0; round < rounds; round++)
        {
            var places = launches.Values.Select(launch => (int)launch["rounds"]!["place"]![round]!);
            Assert.Equal([0, 1, 2], places.Order());
        }
        Assert.Equal(3, ended.Out.Length);
        Assert.All(ended.Out[1..], line => Assert.Matches("x one$", line));
    }

    [Fact]
    public void There_are_as_many_rounds_as_asked_for_however_long_the_windows()
    {
        twins.Run(Twins.Words, "--rounds", "2", "--seconds", "1.5").WithCode(0);
        Assert.All(Launches().Values, launch => Assert.Equal(2, launch["rounds"]!["place"]!.Count()));
        var slices = Record.Slices(twins.Records, "client");
        var windows = slices.Where(slice => (string?)slice["phase"] == "window");
        Assert.All(windows, window => Assert.InRange((double)window["elapsed_ns"]! / 1e9, 1.45, 4));
    }

    [Fact]
    public void Where_all_runs_on_two_CPUs_each_slice_says_how_far_apart_they_were()
    {
        twins.Run(Twins.Words, "--rounds", "4", "--seconds", "0.1").WithCode(0);
        foreach (var launch in Launches().Values)
        {
            var list = launch["rounds"]!["cpu_to_cpu_ns"]!;
            if (Environment.ProcessorCount != 2)
            {
                Assert.Equal(JTokenType.Null, list.Type);
                continue;
            }
            var apartNs = list.Select(ns => (long)ns).ToArray();
            Assert.Equal(4, apartNs.Length);
            Assert.All(apartNs, ns => Assert.InRange(ns, 0, 5_000));
            Assert.Contains(apartNs, ns => ns > 10);
        }
    }

    [Fact]
    public void The_order_within_rounds_is_of_the_seed_alone()
    {
        string Order(params string[] flags)
        {
            twins.Run(Twins.Words, flags).WithCode(0);
            var launches = Launches().OrderBy(launch => launch.Key);
            return string.Join('\n', launches.Select(launch => launch.Value["rounds"]!["place"]));
        }

        var order = Order();
        Assert.Equal(order, Order("--warmup-seconds", "0.2", "--slice-ms", "20", "--clients", "1"));
        Assert.NotEqual(order, Order("--order-seed", "2"));
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
            // Its folder is where it finds benches.
            var led = twins.LedWords(one.Words, one.Flags);
            Assert.Contains(one.Sentence, Worker.Run(led[0], twins.PathOf(), [], led[1..]).WrongUsage());
        });
        Assert.Empty(twins.Records);
    }

    [Fact]
    public void Several_without_rounds_are_measured_one_after_another()
    {
        string[] nulls = ["block", "separately_because", "rounds", "link"];
        twins.Run("one/unreliable,two/unreliable", "--rounds", "0").WithCode(0);
        foreach (var launch in Launches().Values)
        {
            var withoutValue = launch.Properties().Where(field => field.Value.Type == JTokenType.Null);
            Assert.Equal(nulls, withoutValue.Select(field => field.Name));
        }
        // All of the one before the first of the other.
        Assert.Equal(["r1-one-unreliable-2x1-32", "r1-two-unreliable-2x1-32"], Runs(twins.Records));
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

    Dictionary<string, JObject> Launches()
    {
        var launches = twins.Records.Where(record => Record.KindOf(record) == "launch");
        return launches.ToDictionary(launch => (string)launch["library"]!);
    }

    static void AssertFilled(JObject slice, int slots)
    {
        var filled = (double)Record.Sum(slice, "in_flight_ns", "idle_ns");
        var all = slots * (double)Record.Sum(slice, "elapsed_ns");
        Assert.InRange(filled, all * 0.999, all * 1.001);
    }

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
