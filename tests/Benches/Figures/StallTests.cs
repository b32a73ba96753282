using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>A server that stands still for 200 ms: with a rate every message that was due meanwhile shows it;
/// a closed loop sends none meanwhile, so one message is all that can.</summary>
[Collection(Measuring.Name)]
public sealed class StallTests
{
    const double StallS = 0.2, WindowS = 1.5;
    const double Least = 0.95, MostMoreMs = 40; // signals and both sides take a moment to act

    [Theory, InlineData("bench-udp"), InlineData("bench-tcp")]
    public void With_a_rate_the_quantiles_show_a_stall_as_the_schedule_says(string bench)
    {
        // One lane, as below: what is due while it waits is late, and counted from when it was due.
        var (client, stalledS) = Measure(bench, "--rate", "1000");
        // Of all messages the share of (stall - x) / window, those due in the stall's first part, wait
        // longer than x: the quantile q is stall - (1 - q) x window.
        foreach (var quantile in new[] { 0.95, 0.99, 0.999 })
        {
            var expectedMs = 1000 * (stalledS - (1 - quantile) * WindowS);
            Assert.InRange(1e-6 * Record.QuantileNs(client, quantile), expectedMs * Least, expectedMs + MostMoreMs);
        }
        Assert.Equal(0, Record.Sum(client, "lost_window", "unanswered_window"));
        Assert.InRange((long)client["not_sent"]!, 0, 20); // the last moment's, on a busy machine
    }

    [Theory, InlineData("bench-udp"), InlineData("bench-tcp")]
    public void A_closed_loop_of_one_lane_shows_a_stall_in_one_message_alone(string bench)
    {
        var (client, stalledS) = Measure(bench);
        Assert.True((long)client["rtt_max_ns"]! >= 1e9 * stalledS * Least);
        var slow = client["rtt_ns"]!.Where(bucket => (long)bucket[0]! > 1e9 * stalledS / 2);
        Assert.Equal(1, slow.Sum(bucket => (long)bucket[1]!));
        // A thousand others and more: it is out of sight of p99.9.
        Assert.True((long)client["rtt_count"]! > 2000);
        Assert.True(Record.QuantileNs(client, 0.999) < 1e9 * stalledS / 4);
    }

    // The record of a run whose server was stopped in its window, and for how long.
    static (JObject Client, double StalledS) Measure(string bench, params string[] flags)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        var (server, port) = Bench.StartServer(bench, flags);
        using (server)
        using (var run = Bench.Start(bench,
            ["client", "--port", port, "--warmup-seconds", "0", "--seconds", $"{WindowS}", .. flags]))
        {
            run.LineWith("\"window\"");
            Thread.Sleep(300);
            var stall = Stopwatch.StartNew();
            Command.Pause(server.Id, StallS);
            var stalledS = stall.Elapsed.TotalSeconds;
            var client = Record.Single(run.Wait().WithCode(0).Records, "client");
            Record.AssertAddsUp(client);
            return (client, stalledS);
        }
    }
}
