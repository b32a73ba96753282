using System.Diagnostics;

/// <summary>At a rate the schedule alone says when a message is sent: no slot, no lost message and no slow answer holds
/// one back, but for the bound of messages in flight.</summary>
[Collection(Measuring.Name)]
public sealed class OpenLoopTests
{
    const int MostInFlight = 65_536;

    [Fact]
    public void What_is_lost_holds_no_due_message_back()
    {
        // Each lost one is in flight for 1 s, so that with one slot a client most would have to wait.
        var lossy = new Line(DelayMs: 1) { Loss = 0.2 };
        string[] load = ["--parallel", "1", "--clients", "4", "--rate", "400"];
        string[] flags = [.. load, "--warmup-seconds", "0", "--seconds", "2"];
        using var run = new ThroughRelay("bench-udp", "unreliable", new(DelayMs: 1), lossy, flags);
        run.Ended.WithCode(0);
        Assert.All(run.Clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(run.Clients, "not_sent"));
        Assert.Equal(run.Relay.Down.Dropped, Record.Sum(run.Clients, "lost"));
        var due = 400 * (double)run.Window["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(run.Window, "sent"), due * 0.99, due * 1.01);
        Assert.InRange(Record.Sum(run.Window, "lost"), due * 0.1, due * 0.3);
    }

    [Fact]
    public void Beyond_the_bound_in_flight_due_messages_are_counted_as_not_sent()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        const int rate = 1_000_000;
        using var pair = new Pair("bench-udp", "--rate", $"{rate}");
        pair.Server.Freeze(); // so that all stay in flight
        Pair.Ask(pair.Client, "begin");
        pair.Start();
        pair.Until("sent", MostInFlight);
        Pair.Ask(pair.Client, "end");
        pair.Client.CloseInput();
        var closed = Record.Single(pair.Client.Wait().WithCode(0).Records, "closed");
        var parts = Counted.PartsOf(closed);
        Assert.All(parts, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(parts, "received", "received_late"));
        Assert.True(Record.Sum(parts, "not_sent") > 0);
        // A slow machine may have given up the first ones by now, and others came in their place.
        Assert.InRange(Record.Sum(parts, "unanswered"), MostInFlight / 2, MostInFlight);
        if (Record.Sum(parts, "lost") == 0)
        {
            Assert.Equal(MostInFlight, Record.Sum(parts, "sent"));
        }
    }

    [Fact]
    public void After_a_rest_nothing_is_due_by_the_schedule_before_it()
    {
        // A pass that waits for a tick has begun before nearly every start.
        using var pair = new Pair(Bench.Model, "--rate", "1000", "--tick-hz", "20");
        pair.Start();
        pair.Until("sent", 10);
        pair.Drain();
        for (var tries = 0; tries < 5; tries++)
        {
            Thread.Sleep(500);
            var clock = Stopwatch.StartNew();
            pair.Start();
            var (client, _) = pair.Drain();
            Assert.InRange(Record.Sum(Counted.PartsOf(client), "sent"), 0, 1 + clock.ElapsedMilliseconds);
        }
        pair.Close();
    }

    [Fact]
    public void A_stream_keeps_to_a_rate()
    {
        Assert.SkipUnless(Bench.IsBuilt(Bench.Model), $"{Bench.Model} is not built.");
        string[] flags = ["--work", "stream", "--rate", "2000", "--warmup-seconds", "0", "--seconds", "1"];
        var records = Bench.Lead(Bench.Model, flags).WithCode(0).Records;
        var window = Record.Slice(records, "client", "window");
        var due = 2e-6 * Record.Sum(window, "elapsed_ns");
        Assert.InRange(Record.Sum(window, "streamed"), 0.85 * due, 1.15 * due);
    }
}
