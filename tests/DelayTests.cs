using Newtonsoft.Json.Linq;

/// <summary>A network's known delay is measured as what it is.</summary>
[Collection(Measuring.Name)]
public sealed class DelayTests
{
    const double EachWayMs = 25, RoundTripMs = 2 * EachWayMs, Within = 0.02;
    const int Tries = 3;

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_round_trip_of_50_ms_is_measured_as_50_ms(string bench, string delivery)
    {
        var client = Undisturbed(bench, delivery, new(EachWayMs), "--parallel", "4", "--seconds", "0.5");
        // What acts by a period of its own lets a message wait for it on either side, at each turn.
        var ownMs = 2 * 1000 * ((double?)client["tick_s"] ?? 0);
        Assert.InRange(QuantileMs(client, 0.5), RoundTripMs * (1 - Within), RoundTripMs * (1 + Within) + ownMs);
        Assert.True((long)client["rtt_min_ns"]! >= 1e6 * RoundTripMs);
    }

    [Fact]
    public void Jitter_shows_in_the_quantiles_that_it_must()
    {
        // Two delays of 25 ms, give or take 5, evenly: their sum has a triangle between 40 and 60 ms,
        // of which 5 % lie below 40 + sqrt(10) ms and as many above 60 - sqrt(10) ms.
        var client = Undisturbed("bench-udp", "unreliable", new(EachWayMs, JitterMs: 5), "--parallel", "100",
            "--seconds", "1");
        Assert.InRange((long)client["rtt_min_ns"]!, 40_000_000, 42_500_000);
        foreach (var (quantile, ms) in new[] { (0.05, 43.16), (0.5, 50), (0.95, 56.84) })
            Assert.InRange(QuantileMs(client, quantile), ms - 1, ms + 1);
        Assert.Equal(0, Record.Sum(client, "lost_window", "corrupt_window", "duplicates", "foreign"));
    }

    // A run in which this machine kept the relay from its own delays is no evidence: once more.
    static JObject Undisturbed(string bench, string delivery, Line line, params string[] flags)
    {
        for (var left = Tries; ; left--)
        {
            using var run = new ThroughRelay(bench, delivery, line, line, ["--warmup-seconds", "0", .. flags]);
            run.Ended.WithCode(0);
            Record.AssertAddsUp(run.Client);
            if (2 * run.Relay.MedianLateMs < RoundTripMs * Within / 2) return run.Client;
            Assert.True(left > 1, $"The relay's own delays are {run.Relay.MedianLateMs} ms too long: a busy machine.");
        }
    }

    /// <summary>The middle of the bucket that holds a quantile of the round trips.</summary>
    static double QuantileMs(JObject client, double quantile) => 1e-6 * Record.QuantileNs(client, quantile);
}
