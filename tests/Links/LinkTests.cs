using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>A link does to packets what was asked of it, and its own truth stands in the records.</summary>
[Collection(Measuring.Name)]
public sealed class LinkTests
{
    // Times what was asked for: how late a busy machine is says nothing of the link.
    const double AtMost = 2;

    // The last run is alone.
    const int AtOnce = 3;

    const double MostSeconds = 240;

    static readonly string[] narrow = ["--rtt-ms", "10", "--rate-mbit", "8", "--queue", "20kB"];

    static readonly string[] usual = ["--warmup-seconds", "0.3", "--seconds", "1", "--clients", "5"];

    /// <summary>Why no link can be made here; null: it can.</summary>
    internal static string? Missing => missing.Value;

    static readonly Lazy<string?> missing = new(TryOne);

    static readonly Lazy<Dictionary<string, Ended>> all = new(RunAll);

    static string? TryOne()
    {
        if (!Tool.CanLead || !Bench.IsBuilt("bench-udp"))
            return "runner or bench-udp is not built.";
        if (Runner.Missing("nsenter") is { } lacking)
            return lacking;
        var run = Tool.Lead("run", "udp", "--rtt-ms", "1", "--warmup-seconds", "0", "--seconds", "0.1");
        if (run.ExitCode != 3)
            return null;
        return $"No link can be made here: {string.Join(' ', run.Error)}";
    }

    // Each on a link of its own. A few at once, as most of their time they wait; more of them would make links late.
    static Dictionary<string, Ended> RunAll()
    {
        var flags = new Dictionary<string, string[]>
        {
            ["plain"] = ["udp", "--rtt-ms", "30"],
            ["jitter"] = ["udp", "--rtt-ms", "20", "--jitter-ms", "20"],
            ["1"] = ["udp", "--rtt-ms", "5", "--loss-percent", "10", "--loss-burst-packets", "1"],
            ["5"] = ["udp", "--rtt-ms", "5", "--loss-percent", "10", "--loss-burst-packets", "5"],
            ["reliable"] = ["tcp", "--rtt-ms", "10", "--loss-percent", "5"],
            ["rate"] = ["udp", .. narrow, "--loss-percent", "10", "--payload-bytes", "1200", "--rate", "2000"],
            // Its rate keeps both CPUs busy.
            ["block"] = ["tcp/reliable-ordered,udp/unreliable", "--rtt-ms", "5", "--rate-mbit", "80"],
        };
        var ended = new Dictionary<string, Ended>();
        foreach (var some in flags.Chunk(AtOnce))
        {
            var runs = Array.ConvertAll(
                some,
                one => Task.Run(() => (one.Key, Tool.LeadWithin(MostSeconds, Words(one.Value)))));
            foreach (var run in runs)
            {
                var (name, result) = run.Result;
                ended[name] = result;
            }
        }
        return ended;
    }

    static string[] Words(string[] flags)
    {
        string[] rate = flags.Contains("--rate") ? [] : ["--rate", "500"];
        return ["run", .. flags, .. usual, .. rate];
    }

    static Ended Run(string name)
    {
        Assert.SkipWhen(Missing != null, Missing ?? "");
        return all.Value[name];
    }

    static JObject Launch(Ended run) => Record.Single(run.WithCode(0).Records, "launch");

    static double[] List(JObject launch, string name) => [.. launch["link"]![name]!.Select(entry => (double)entry)];

    [Fact]
    public void A_round_trip_takes_the_links()
    {
        var run = Run("plain");
        var launch = Launch(run);
        var median = Record.QuantileNs(Record.Slice(run.Records, "client", "window"), 0.5);
        Assert.InRange(median / 1e6, 30, 30 * AtMost);
        Assert.NotEmpty(List(launch, "probe_rtt_p50_us"));
        Assert.All(List(launch, "probe_rtt_p50_us"), us => Assert.InRange(us, 29_900, 30_000 * AtMost));
        Assert.Equal([0, 0], List(launch, "lost"));
        // A payload of 32 bytes after the heads of IP and UDP, which are 20 and 8 bytes long.
        Assert.InRange(List(launch, "bytes")[0] / List(launch, "packets")[0], 59.5, 60.5);
        // At a rate of 500, but for what a busy machine adds to a window of a second.
        Assert.InRange(List(launch, "packets")[0], 400, 2_000);
        Assert.Equal("10.77.0.2", (string?)launch["settings"]!["address"]);
    }

    [Fact]
    public void Jitter_varies_round_trips_and_keeps_their_order()
    {
        var records = Run("jitter").WithCode(0).Records;
        var slice = Record.Slice(records, "client", "window");
        var medianMs = Record.QuantileNs(slice, 0.5) / 1e6;
        Assert.InRange(medianMs, 25, 30 * AtMost);
        // However late a busy machine is, it is for all of them.
        Assert.True(Record.QuantileNs(slice, 1) / 1e6 > medianMs + 3, slice.ToString());
        Assert.InRange(Record.QuantileNs(slice, 0) / 1e6, 20, medianMs - 3);
    }

    [Theory]
    [InlineData("1")]
    [InlineData("5")]
    public void So_many_are_lost_alone_or_in_bursts(string burst)
    {
        var launch = Launch(Run(burst));
        var sent = List(launch, "probe_sent").Sum();
        var lost = List(launch, "probe_lost").Sum();
        Assert.InRange(sent, 900, 2_000);
        // 10 % of either way are 19 % of round trips; their number varies more where they are lost in bursts.
        var expected = sent * 0.19;
        var deviation = Math.Sqrt(sent * 0.19 * 0.81 * (2 * int.Parse(burst, CultureInfo.InvariantCulture) - 1));
        Assert.InRange(lost, expected - 5 * deviation, expected + 5 * deviation);
    }

    [Fact]
    public void What_is_reliable_arrives_over_a_lossy_link()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-tcp"), "bench-tcp is not built.");
        var run = Run("reliable");
        Assert.True(List(Launch(run), "lost").Sum() > 0);
        var window = Record.Slice(run.Records, "server", "window");
        Assert.True((long)window["outside"]!["tcp_retransmitted_segments"]! > 0, window.ToString());
    }

    [Fact]
    public void A_rate_holds_and_its_queue_drops_what_it_has_no_room_for()
    {
        var launch = Launch(Run("rate"));
        var rates = List(launch, "probe_rate_kbit");
        Assert.Equal(2, rates.Length);
        // What is lost is lost before the rate: what arrives is as much as without loss.
        Assert.All(rates, kbit => Assert.InRange(kbit, 7_200, 8_800));
        Assert.True(List(launch, "dropped")[0] > 100, launch.ToString());
        Assert.Equal(20_000, (long)launch["link"]!["queue_bytes"]!);
    }

    [Fact]
    public void Libraries_of_a_block_share_a_link()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-tcp"), "bench-tcp is not built.");
        var records = Run("block").WithCode(0).Records;
        var launches = records.Where(record => Record.KindOf(record) == "launch").ToArray();
        Assert.Equal(["tcp", "udp"], launches.Select(launch => (string?)launch["library"]));
        // What the first left behind it is what the second found.
        Assert.Equal(launches[0]["link"]!["probe_rtt_p50_us"]![1], launches[1]["link"]!["probe_rtt_p50_us"]![0]);
        Assert.All(launches, launch => Assert.Empty(Contract.Faults(launch, "launch")));
        // The queue holds the bandwidth times the delay, which is taken to be 10 ms at least.
        Assert.All(launches, launch => Assert.Equal(100_000, (long)launch["link"]!["queue_bytes"]!));
        double[] rates = [.. launches.SelectMany(launch => List(launch, "probe_rate_kbit"))];
        Assert.Equal(4, rates.Length);
        // The first reading is of sides that have just been started. 104 Mbit/s are sent.
        Assert.All(rates, kbit => Assert.InRange(kbit, 40_000, 96_000));
    }
}
