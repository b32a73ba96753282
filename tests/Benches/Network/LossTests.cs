using Newtonsoft.Json.Linq;

/// <summary>What a network does to unreliable messages is counted, exactly, and the run goes on: whether it happens
/// to the requests or to the answers.</summary>
[Collection(Measuring.Name)]
public sealed class LossTests : IClassFixture<LossTests.LossyRuns>
{
    /// <summary>Two runs of plain datagrams, one a message so that each can be told, through a relay that spoils some
    /// in one direction.</summary>
    public sealed class LossyRuns
    {
        static readonly Line whole = new(DelayMs: 1);
        static readonly Line lossy = whole with
        {
            Loss = 0.03,
            Repeat = 0.03,
            Reorder = 0.03,
            ReorderMs = 20,
            Change = 0.05,
            Late = 0.02,
        };

        internal Dictionary<string, LossyRun> All { get; } = new()
        {
            ["requests"] = new LossyRun(lossy, whole),
            ["answers"] = new LossyRun(whole, lossy),
        };
    }

    internal sealed class LossyRun
    {
        public LossyRun(Line up, Line down)
        {
            string[] load = ["--clients", "4", "--rate", "2000", "--payload-bytes", "64"];
            string[] flags = [.. load, "--warmup-seconds", "0.3", "--seconds", "1.5"];
            using var run = new ThroughRelay(Udp, "unreliable", up, down, flags);
            run.Ended.WithCode(0);
            Spoiled = up.Loss > 0 ? run.Relay.Up : run.Relay.Down;
            Clients = run.Clients;
            Servers = Record.Slices(run.Records, "server");
        }

        public Way Spoiled { get; }
        public JObject[] Clients { get; }
        public JObject[] Servers { get; }

        public long Sum(params string[] outcomes) => Record.Sum(Clients, outcomes);
    }

    const string Udp = "bench-udp";

    readonly LossyRuns runs;

    public LossTests(LossyRuns runs) => this.runs = runs;

    [Theory, InlineData("requests"), InlineData("answers")]
    public void Every_message_still_ends_in_exactly_one_way(string spoiled) =>
        Assert.All(runs.All[spoiled].Clients, Record.AssertAddsUp);

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_dropped_or_unreadable_or_too_late_is_lost(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.True(run.Spoiled.Dropped > 50);
        Assert.Equal(run.Spoiled.Dropped + run.Spoiled.Late + run.Sum("foreign"), run.Sum("lost"));
        Assert.Equal(0, run.Sum("unanswered"));
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_changed_is_corrupt_or_where_its_message_cannot_be_told_foreign(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.True(run.Spoiled.Changed > 50);
        Assert.Equal(run.Spoiled.Changed, run.Sum("corrupt", "foreign"));
        // Of 64 bytes 20 tell which message it is.
        Assert.True(run.Sum("corrupt") > run.Sum("foreign"));
    }

    [Fact]
    public void A_changed_slot_ends_no_message_of_the_slot_that_it_names()
    {
        // All slots send in step, so that the slot named waits for an answer of the same sequence number.
        var changing = new Line(DelayMs: 2) { Change = 0.02, ChangedPart = 8..12 };
        string[] load = ["--parallel", "256", "--warmup-seconds", "0", "--seconds", "0.3"];
        using var run = new ThroughRelay(Udp, "unreliable", new(DelayMs: 2), changing, load);
        run.Ended.WithCode(0);
        Assert.True(run.Relay.Down.Changed > 20);
        Assert.Equal(run.Relay.Down.Changed, Record.Sum(run.Clients, "foreign"));
        Assert.Equal(run.Relay.Down.Changed, Record.Sum(run.Clients, "lost"));
        Assert.Equal(0, Record.Sum(run.Clients, "corrupt", "duplicates"));
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_repeated_is_a_duplicate(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.True(run.Spoiled.Repeated > 50);
        // And what was given up and comes after 64 newer messages of its slot, which is seldom.
        Assert.InRange(run.Sum("duplicates"), run.Spoiled.Repeated, run.Spoiled.Repeated + 3);
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_late_is_a_late_arrival_when_it_comes_before_the_end(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.InRange(run.Sum("late_arrivals"), 5, run.Spoiled.Late);
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_overtaken_is_neither_lost_nor_counted_twice(string spoiled)
    {
        // The sums of the tests above leave no room for it elsewhere.
        var run = runs.All[spoiled];
        Assert.True(run.Spoiled.Reordered > 50);
        Assert.InRange(run.Spoiled.Overtaken, run.Spoiled.Reordered, run.Spoiled.Reordered + run.Spoiled.Late);
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void A_lost_message_has_no_round_trip(string spoiled)
    {
        var window = Record.Slice(runs.All[spoiled].Clients, "client", "window");
        Assert.InRange(Record.Sum(window, "rtt_max_ns"), 20_000_000, 1_000_000_000);
    }

    [Fact]
    public void The_server_received_what_arrived_there()
    {
        var answers = runs.All["answers"];
        Assert.Equal(answers.Sum("sent"), Record.Sum(answers.Servers, "received"));
        var requests = runs.All["requests"];
        var spoiled = requests.Spoiled;
        // What is late may come after the end.
        var most = requests.Sum("sent") - spoiled.Dropped + spoiled.Repeated;
        Assert.InRange(Record.Sum(requests.Servers, "received"), most - spoiled.Late, most);
    }

    [Fact]
    public void Loss_of_1_percent_is_measured_within_its_binomial_interval()
    {
        var lossy = new Line(DelayMs: 1) { Loss = 0.01 };
        string[] load = ["--rate", "6000", "--warmup-seconds", "0", "--seconds", "2"];
        using var run = new ThroughRelay(Udp, "unreliable", new(DelayMs: 1), lossy, load);
        run.Ended.WithCode(0);
        Assert.All(run.Clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(run.Clients, "not_sent", "duplicates", "foreign", "late_arrivals"));
        Assert.Equal(run.Relay.Down.Dropped, Record.Sum(run.Clients, "lost"));
        var sent = Record.Sum(run.Window, "sent");
        var lost = Record.Sum(run.Window, "lost");
        Assert.InRange(sent, 10_000, 20_000);
        // 3.29 standard deviations on either side hold 99.9 %.
        var deviation = 3.29 * Math.Sqrt(sent * 0.01 * 0.99);
        Assert.InRange(lost, sent * 0.01 - deviation, sent * 0.01 + deviation);
    }
}
