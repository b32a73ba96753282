using Newtonsoft.Json.Linq;

/// <summary>What a block of libraries that are measured in turn leaves.</summary>
public sealed class RoundsTests : IDisposable
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "drain", "end"];

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Fact]
    public void Each_library_has_a_launch_with_all_rounds_and_a_slice_of_each_phase_and_side()
    {
        var ended = twins.Run(Twins.Words, "--parallel", "3", "--rounds", "9", "--seconds", "2.5").WithCode(0);
        Assert.Empty(ended.Error);
        Assert.Empty(twins.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        var launches = Launches();
        Assert.Equal(Twins.Names.Order(), launches.Keys.Order());
        foreach (var (name, launch) in launches)
        {
            Assert.Equal(($"r1-{name}-unreliable-2x3-32", "r1-unreliable-2x3-32"), ((string?)launch["run_id"], (string?)launch["block"]));
            Assert.Null((string?)launch["apart_because"]);
            Assert.All(((JObject)launch["rounds"]!).Properties(), list => Assert.Equal(9, list.Value.Count()));
            var records = twins.Records.Where(record => (string?)record["run_id"] == (string?)launch["run_id"]).ToArray();
            AssertAddsUp(records, launch["rounds"]!);
            // Three pieces of as much.
            Assert.InRange((double)Record.Slice(records, "client", "window")["elapsed_ns"]! / 1e9, 2.45, 4);
        }
        // The others' places in each round are taken.
        for (var round = 0; round < 9; round++)
            Assert.Equal([0, 1, 2], launches.Values.Select(launch => (int)launch["rounds"]!["place"]![round]!).Order());
        Assert.Equal(3, ended.Out.Length);
        Assert.All(ended.Out[1..], line => Assert.Matches(@"x one$", line));
    }

    [Fact]
    public void There_are_as_many_rounds_as_asked_for_however_long_the_windows()
    {
        twins.Run(Twins.Words, "--rounds", "2", "--seconds", "1.5").WithCode(0);
        foreach (var launch in Launches().Values) Assert.Equal(2, launch["rounds"]!["place"]!.Count());
        Assert.All(Record.Slices(twins.Records, "client").Where(slice => (string?)slice["phase"] == "window"),
            window => Assert.InRange((double)window["elapsed_ns"]! / 1e9, 1.45, 4));
    }

    [Fact]
    public void Where_all_runs_on_two_CPUs_each_slice_says_how_far_apart_they_were()
    {
        twins.Run(Twins.Words, "--rounds", "4", "--seconds", "0.1").WithCode(0);
        foreach (var launch in Launches().Values)
            if (Environment.ProcessorCount != 2) Assert.Equal(JTokenType.Null, launch["rounds"]!["cpu_to_cpu_ns"]!.Type);
            else
            {
                var apartNs = launch["rounds"]!["cpu_to_cpu_ns"]!.Select(ns => (long)ns).ToArray();
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
            return string.Join('\n', Launches().OrderBy(launch => launch.Key).Select(launch => launch.Value["rounds"]!["place"]));
        }
        var order = Order();
        Assert.Equal(order, Order("--warmup-seconds", "0.3", "--slice-ms", "20", "--clients", "1"));
        Assert.NotEqual(order, Order("--order-seed", "2"));
    }

    [Fact]
    public void A_library_measured_twice_differs_by_its_profile_or_mode()
    {
        foreach (var words in new[] { "one,one", "one/unreliable,two,one/unreliable", "one/unreliable,one/unreliable/default" })
            Assert.Contains("names a library twice", twins.Run(words).WrongUsage());
        foreach (var (words, sentence) in new[] { ("one/quick", "'quick' is no delivery mode"), ("one/unreliable/fast", "'fast' is no profile"),
            ("one/unreliable/tuned/default/ssl", "'ssl' is no security"), ("one/unreliable/default/default/tls/x", "is no LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]]"), ("one,", "is no name of a library"), ("one,four", "bench-four") })
            Assert.Contains(sentence, twins.Run(words).WrongUsage());
        Assert.Contains("--trace goes without --rounds", twins.Run("one,two", "--trace").WrongUsage());
        Assert.Contains("--seconds -1 goes without --rounds", twins.Run("one", "--seconds", "-1").WrongUsage());
        Assert.Empty(twins.Records);
    }

    [Fact]
    public void Several_without_rounds_are_measured_one_after_another()
    {
        twins.Run("one/unreliable,two/unreliable", "--rounds", "0").WithCode(0);
        Assert.All(Launches().Values, launch => Assert.Equal(["block", "apart_because", "rounds", "link"],
            ((JObject)launch).Properties().Where(field => field.Value.Type == JTokenType.Null).Select(field => field.Name)));
        // All of the one before the first of the other.
        Assert.Equal(["r1-one-unreliable-2x1-32", "r1-two-unreliable-2x1-32"], Runs(twins.Records));
    }

    // Of each run the name, once for each time that its records begin.
    static string[] Runs(JObject[] records) => [.. records.Select(record => (string)record["run_id"]!)
        .Aggregate(new List<string>(), (runs, run) => runs.LastOrDefault() == run ? runs : [.. runs, run])];

    Dictionary<string, JObject> Launches() => twins.Records.Where(record => Record.KindOf(record) == "launch")
        .ToDictionary(launch => (string)launch["library"]!);

    static void AssertAddsUp(JObject[] records, JToken rounds)
    {
        var (server, clients) = (Record.Slices(records, "server"), Record.Slices(records, "client"));
        foreach (var side in new[] { server, clients })
        {
            Assert.Equal(phases, side.Select(slice => (string?)slice["phase"]));
            Assert.Equal([0, 1, 2, 3, 4, 5], side.Select(slice => (int)slice["slice"]!));
            Assert.Equal([false, false, false, true, false, false], side.Select(slice => slice["outside"] is JObject));
        }
        Assert.All(clients, Record.AssertAddsUp);
        var lost = Record.Sum(clients, "lost", "corrupt", "unanswered");
        Assert.InRange(Record.Sum(server, "received"), Record.Sum(clients, "sent") - lost, Record.Sum(clients, "sent"));
        // The lists are what was added up.
        long Sum(string field) => rounds[field]!.Sum(value => (long)value!);
        Assert.Equal((Sum("elapsed_ns"), Sum("completed"), Sum("lost"), Sum("client_cpu_ns"), Sum("server_cpu_ns")),
            (Record.Sum(clients[2], "elapsed_ns"), Record.Sum(clients[2], "completed"), Record.Sum(clients[2], "lost", "corrupt", "unanswered"),
                Record.Sum(clients[2], "cpu_user_ns", "cpu_system_ns"), Record.Sum(server[2], "cpu_user_ns", "cpu_system_ns")));
        // On a busy machine a side heeds the mark that begins a slice later than the one that ends it.
        Assert.InRange(rounds["elapsed_ns"]!.Select(elapsed => (long)elapsed!).Order().ElementAt(4), 20_000_000, 3_000_000_000);
        Assert.True(Sum("completed") > 0);
    }
}
