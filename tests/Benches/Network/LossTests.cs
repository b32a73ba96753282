using Newtonsoft.Json.Linq;

/// <summary>What a network does to unreliable messages is counted, exactly, and the run goes on: whether it happens
/// to the requests or to the answers.</summary>
[Collection(Measuring.Name)]
public sealed class LossTests : IClassFixture<LossTests.LossyRuns>
{
    const int Rate = 4_000;

    /// <summary>Two pairs of plain datagrams, one a message so that each can be told, through a relay that spoils some
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
            // What is lost is in flight for 1 s: with a slot a client most would have to wait.
            string[] load = ["--clients", "4", "--parallel", "1", "--rate", $"{Rate}", "--payload-bytes", "64"];
            using var run = new ThroughRelay(Bench.Model, "unreliable", up, down, load);
            Measured = run.Measure(900);
            var closed = run.Close();
            Spoiled = up.Loss > 0 ? run.Relay.Up : run.Relay.Down;
            Clients = [.. Measured.Clients, .. closed.Clients];
            Servers = [.. Measured.Servers, .. closed.Servers];
        }

        public ThroughRelay.Counts Measured { get; }
        public Way Spoiled { get; }
        public JObject[] Clients { get; }
        public JObject[] Servers { get; }

        public long Sum(params string[] outcomes) => Record.Sum(Clients, outcomes);
    }

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
        // Of 64 bytes 16 tell which message it is.
        Assert.True(run.Sum("corrupt") > run.Sum("foreign"));
    }

    [Fact]
    public void A_changed_slot_ends_no_message_of_the_slot_that_it_names()
    {
        // All slots send in step, so that the slot named waits for an answer of the same sequence number.
        var changing = new Line(DelayMs: 2) { Change = 0.02, ChangedPart = 8..12 };
        using var run = new ThroughRelay(Bench.Model, "unreliable", new(DelayMs: 2), changing, "--parallel", "256");
        var clients = run.Measure(100).Clients;
        Assert.True(run.Relay.Down.Changed > 20);
        Assert.Equal(run.Relay.Down.Changed, Record.Sum(clients, "foreign"));
        Assert.Equal(run.Relay.Down.Changed, Record.Sum(clients, "lost"));
        Assert.Equal(0, Record.Sum(clients, "corrupt", "duplicates"));
    }

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_repeated_is_a_duplicate(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.True(run.Spoiled.Repeated > 50);
        // And what comes when a later message of its slot was given up, too, which is seldom.
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
        var window = runs.All[spoiled].Measured.Window;
        Assert.InRange(Record.QuantileNs(window, 1), 20_000_000, 1_010_000_000);
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

    [Theory, InlineData("requests"), InlineData("answers")]
    public void What_is_lost_holds_no_due_message_back(string spoiled)
    {
        var run = runs.All[spoiled];
        Assert.Equal(0, run.Sum("not_sent"));
        var due = run.Measured.Due(Rate);
        Assert.InRange(Record.Sum(run.Measured.Window, "sent"), due * 0.99, due * 1.01);
    }
}
