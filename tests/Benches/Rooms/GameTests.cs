using Newtonsoft.Json.Linq;

/// <summary>In a game each input ends with the first snapshot that has it, and each snapshot is accounted
/// for.</summary>
[Collection(Measuring.Name)]
public sealed class GameTests
{
    const int Clients = 10;
    const int Rate = 600;
    const int TickHz = 60;

    static readonly Line whole = new(DelayMs: 1) { Spared = 4 * Clients };

    static readonly string[] load =
    [
        "--work", "game", "--clients", $"{Clients}", "--rate", $"{Rate}", "--tick-hz", $"{TickHz}",
        "--payload-bytes", "48",
    ];

    [Fact]
    public void What_a_network_does_to_snapshots_is_counted()
    {
        var lossy = whole with { Loss = 0.06, Repeat = 0.06, Change = 0.06 };
        using var run = new ThroughRelay(Bench.Model, "unreliable", whole, lossy, load);
        JObject[] clients = [.. run.Measure(1_000).Clients, .. run.Close().Clients];
        Way down = run.Relay.Down;
        long Sum(params string[] fields) => Record.Sum(clients, fields);

        Assert.All(clients, Record.AssertAddsUp);
        Assert.True(
            down.Dropped > 5 && down.Changed > 5 && down.Repeated > 5,
            $"{down.Dropped} dropped, {down.Changed} changed, {down.Repeated} repeated of {Sum("deliveries_due")}");
        // The snapshots of the last tick come to players who may have gone.
        Assert.InRange(Sum("corrupt", "foreign"), down.Changed - Clients / 2, down.Changed);
        Assert.InRange(Sum("duplicates"), down.Repeated - Clients / 2, down.Repeated);
        // What is dropped or changed last is told by no later snapshot.
        int spoiled = down.Dropped + down.Changed;
        Assert.InRange(Sum("deliveries_due") - Sum("deliveries"), spoiled - Clients, spoiled + Clients);
        // Later snapshots tell of all inputs.
        Assert.Equal(0, Sum("lost"));
        Assert.Equal(Sum("sent"), Sum("received"));
    }

    [Fact]
    public void An_input_that_never_came_is_lost_and_no_other()
    {
        using var run = new ThroughRelay(Bench.Model, "unreliable", whole with { Loss = 0.05 }, whole, load);
        JObject[] clients = [.. run.Measure(800).Clients, .. run.Close().Clients];
        Assert.True(run.Relay.Up.Dropped > 5);
        Assert.Equal(run.Relay.Up.Dropped, Record.Sum(clients, "lost"));
        Assert.Equal(Record.Sum(clients, "deliveries_due"), Record.Sum(clients, "deliveries"));
    }

    [Fact]
    public void A_snapshot_that_was_overtaken_is_not_missing()
    {
        const string Overtaking = "bench-litenetlib";
        Assert.SkipUnless(Bench.IsBuilt(Overtaking), $"{Overtaking} is not built.");
        using var run = new ThroughRelay(
            Overtaking, "reliable-unordered", whole, whole with { Loss = 0.05, DelayMs = 20 }, load);
        JObject[] clients = [.. run.Measure(1_000).Clients, .. run.Close().Clients];
        Assert.True(run.Relay.Down.Dropped > 5);
        // One of the last may come when its player has gone.
        var missing = Record.Sum(clients, "deliveries_due") - Record.Sum(clients, "deliveries");
        Assert.InRange(missing, 0, Clients);
    }

    [Fact]
    public void The_delay_of_an_input_is_the_way_there_the_wait_for_the_tick_and_the_way_back()
    {
        var far = whole with { DelayMs = 20 };
        using var run = new ThroughRelay(Bench.Model, "unreliable", far, far, load);
        var window = run.Measure(800).Window;
        Assert.InRange(Record.QuantileNs(window, 0.01), 39e6, 50e6);
        // A tick lasts 17 ms: an input waits for half of it.
        Assert.InRange(Record.QuantileNs(window, 0.5), 42e6, 62e6);
        // Snapshots come as regularly as the server ticks; a busy machine may make some late.
        var jitters = window["outcomes"]!["delivery_ns"]!;
        var inTime = jitters.Where(bucket => (long)bucket[0]! < 8_000_000).Sum(bucket => (long)bucket[1]!);
        Assert.InRange(inTime, 0.95 * jitters.Sum(bucket => (long)bucket[1]!), double.MaxValue);
    }

    [Fact]
    public void Ticks_that_a_server_does_not_make_are_counted_by_both_sides()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux stops a process so.");
        using var pair = new Pair(Bench.Model, load);
        pair.Start();
        pair.Begin();
        Thread.Sleep(300);
        Command.Pause(pair.Server.Id, 0.3);
        Thread.Sleep(300);
        pair.End();
        var (client, server) = pair.Drain();
        var missed = Record.Sum(Counted.PartsOf(server), "ticks_missed");
        Assert.InRange(missed, 12, 25);
        var window = Counted.Window(server);
        var due = TickHz * (double)window["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(window, "ticks", "ticks_missed"), due - 3, due + 3);
        // Whose snapshots nobody is owed.
        var clients = Counted.PartsOf(client);
        Assert.Equal(Record.Sum(clients, "deliveries_due"), Record.Sum(clients, "deliveries"));
    }

    [Fact]
    public void Snapshots_that_come_during_a_drain_are_delivered_only_where_they_are_due()
    {
        // So often that one of the drains falls between the two counts of a snapshot.
        string[] often =
        [
            "--work", "game", "--clients", "100", "--rate", "1000", "--tick-hz", "1000", "--payload-bytes", "48",
            "--snapshot-bytes", "64",
        ];
        const int Drains = 3_000;
        using var pair = new Pair(Bench.Model, often);
        int before = pair.Client.Lines.Length;
        pair.Client.Press(string.Concat(Enumerable.Repeat("drain\n", Drains)));
        pair.Client.LineBehind(before + Drains - 1);
        var drained = pair.Client.Lines.Skip(before).Select(line => Counted.Other(Record.Parse(line)));
        Assert.All(drained, other => Assert.InRange(
            Record.Sum(other, "deliveries"), 0, Record.Sum(other, "deliveries_due")));
    }
}
