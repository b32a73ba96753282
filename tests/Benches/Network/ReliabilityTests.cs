using Newtonsoft.Json.Linq;

/// <summary>What the reliable modes make of a network that spoils datagrams. Those on TCP meet nothing of it.</summary>
[Collection(Measuring.Name)]
public sealed class ReliabilityTests
{
    const int PayloadBytes = 200;
    const int Rate = 500;

    static readonly string[] flags =
    [
        "--payload-bytes", $"{PayloadBytes}",
        "--clients", "2",
        "--parallel", "10",
        "--rate", $"{Rate}",
        "--warmup-seconds", "0",
        "--seconds", "1",
    ];

    // The first ones open connections, which is not what is tried here.
    static readonly Line whole = new(DelayMs: 2) { Spared = 20 };
    static readonly Line lossy = whole with { Loss = 0.03, Repeat = 0.03, Reorder = 0.03, ReorderMs = 20 };
    // In the last half, where no library has its headers: a changed header may as well end the connection.
    static readonly Line changing = whole with
    {
        Change = 0.03,
        LeastChangedBytes = PayloadBytes,
        ChangedPart = ^(PayloadBytes / 2)..,
    };

    // All at once: what they deliver is looked at, not when.
    static readonly Lazy<Dictionary<(string, string), Run>> overLossy = new(() => Measure(lossy));
    static readonly Lazy<Dictionary<(string, string), Run>> overChanging = new(() => Measure(changing));

    sealed record Run(Ended Ended, JObject[] Clients, Way Up, Way Down)
    {
        public bool IsOnTcp => Up.Passed == 0;
        public int Sum(Func<Way, int> count) => count(Up) + count(Down);
    }

    [Theory, MemberData(nameof(Bench.WithReliableDeliveries), MemberType = typeof(Bench))]
    public void Lost_repeated_and_reordered_datagrams_keep_nothing_from_delivery(string bench, string delivery)
    {
        var run = overLossy.Value[(bench, delivery)];
        AssertDeliversAll(run);
        if (!run.IsOnTcp)
        {
            Assert.True(run.Sum(way => way.Dropped) > 3);
            Assert.True(run.Sum(way => way.Repeated) > 3);
            Assert.True(run.Sum(way => way.Overtaken) > 3);
        }
    }

    // None of these libraries has a checksum of its own, and over this relay UDP's was right.
    [Theory, MemberData(nameof(Bench.WithReliableDeliveries), MemberType = typeof(Bench))]
    public void A_library_that_delivers_changed_bytes_fails_its_run(string bench, string delivery)
    {
        var run = overChanging.Value[(bench, delivery)];
        if (run.IsOnTcp)
        {
            AssertDeliversAll(run);
            return;
        }
        Assert.All(run.Clients, Record.AssertAddsUp);
        var wrong = Record.Sum(run.Clients, "corrupt", "foreign");
        Assert.InRange(wrong, 1, long.MaxValue);
        Assert.Equal(
            $"{delivery} delivery lost, repeated or changed {wrong} messages.",
            (string?)run.Ended.Failure()["reason"]);
    }

    static void AssertDeliversAll(Run run)
    {
        run.Ended.WithCode(0);
        Assert.All(run.Clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(run.Clients, "lost", "corrupt", "unanswered", "not_sent"));
        Assert.Equal(0, Record.Sum(run.Clients, "late_arrivals", "duplicates", "foreign"));
        var window = Record.Slice(run.Clients, "client", "window");
        var due = Rate * (double)window["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(window, "received", "received_late"), due - 2, due + 2);
    }

    static Dictionary<(string, string), Run> Measure(Line line)
    {
        var reliable = Bench.WithReliableDeliveries.Where(row => row.Skip == null).Select(row => row.Data);
        var started = new Dictionary<(string, string), ThroughRelay>();
        foreach (var (bench, delivery) in reliable)
        {
            started[(bench, delivery)] = new ThroughRelay(bench, delivery, line, line, flags);
        }
        return started.ToDictionary(run => run.Key, run => EndOf(run.Value));
    }

    static Run EndOf(ThroughRelay run)
    {
        using (run)
        {
            return new Run(run.Ended, run.Clients, run.Relay.Up, run.Relay.Down);
        }
    }
}
