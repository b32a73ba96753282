using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>A server that stands still for 300 ms: with a rate every message that was due meanwhile is sent and shows
/// it; a closed loop sends none meanwhile, so one message is all that can.</summary>
[Collection(Measuring.Name)]
public sealed class StallTests
{
    const double StallS = 0.3;
    const double WindowS = 1.2;
    const int Rate = 1000;
    // Signals and both sides take a moment to act.
    const double Least = 0.95;
    const double MostMoreMs = 40;

    // Of what loses nothing, however long its server stands still.
    [Fact]
    public void With_a_rate_each_message_due_in_a_stall_is_sent_and_its_wait_counted()
    {
        // Nothing holds a due message back: neither one slot nor those that wait for an answer.
        var (window, stalledS) = Measure("bench-tcp", "--rate", $"{Rate}", "--parallel", "1");
        var windowS = (double)window["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(window, "sent"), Rate * windowS - 2, Rate * windowS + 2);
        Assert.Equal(0, Record.Sum(window, "not_sent", "lost", "unanswered"));
        // Of all messages the share of (stall - x) / window, those due in the stall's first part, wait longer than x:
        // the quantile q is stall - (1 - q) x window.
        foreach (var quantile in new[] { 0.9, 0.95, 0.99, 0.999 })
        {
            var expectedMs = 1000 * (stalledS - (1 - quantile) * windowS);
            var measuredMs = 1e-6 * Record.QuantileNs(window, quantile);
            Assert.InRange(measuredMs, expectedMs * Least, expectedMs + MostMoreMs);
        }
        var waited = Rate * stalledS / 2;
        var most = waited + Rate * MostMoreMs / 1000;
        Assert.InRange(Record.CountOver(window, 1e9 * stalledS / 2), waited * Least, most);
    }

    [Fact]
    public void A_closed_loop_of_one_slot_shows_a_stall_in_one_message_alone()
    {
        var (window, stalledS) = Measure(Bench.Model);
        Assert.Equal(1, Record.CountOver(window, 1e9 * stalledS * Least));
        Assert.Equal(1, Record.CountOver(window, 1e9 * stalledS / 2));
        // A thousand others and more: it is out of sight of p99.9.
        Assert.True(Record.Sum(window, "received") > 2000);
        Assert.True(Record.QuantileNs(window, 0.999) < 1e9 * stalledS / 4);
    }

    // The clients' window in which the server was stopped, and for how long.
    static (JObject Window, double StalledS) Measure(string bench, params string[] flags)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        using var pair = new Pair(bench, flags);
        pair.Start();
        pair.Until("completed", 101);
        pair.Begin();
        Thread.Sleep(300);
        var stall = Stopwatch.StartNew();
        Command.Pause(pair.Server.Id, StallS);
        var stalledS = stall.Elapsed.TotalSeconds;
        Thread.Sleep(TimeSpan.FromSeconds(WindowS - 0.3 - StallS));
        pair.End();
        var window = Counted.Window(pair.Drain().Client);
        Record.AssertAddsUp(window);
        return (window, stalledS);
    }
}
