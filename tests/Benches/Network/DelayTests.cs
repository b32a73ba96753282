/// <summary>A network's known delay is measured as what it is.</summary>
[Collection(Measuring.Name)]
public sealed class DelayTests
{
    const double EachWayMs = 25;
    const double RoundTripMs = 2 * EachWayMs;
    // Both sides and the relay wake to each message, which takes some of idle machines 0.2 ms each; the histogram's own
    // error.
    const double Within = 0.02 + 0.01;
    const int Tries = 3;

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_round_trip_of_50_ms_is_measured_as_50_ms(string bench, string delivery)
    {
        string[] load = ["--parallel", "4", "--warmup-seconds", "0", "--seconds", "0.6"];
        Undisturbed(bench, delivery, new(EachWayMs), load, run =>
        {
            // What acts by a period of its own lets a message wait for it on either side.
            var tickS = (double?)Record.Of(run.Records, "client", "ready")["tick_s"] ?? 0;
            var mostMs = RoundTripMs * (1 + Within) + 2 * 1000 * tickS;
            Assert.InRange(1e-6 * Record.QuantileNs(run.Window, 0.5), RoundTripMs * (1 - Within), mostMs);
            Assert.True(Record.Sum(run.Window, "rtt_min_ns") >= 1e6 * RoundTripMs);
        });
    }

    [Fact]
    public void Jitter_shows_in_the_quantiles_that_it_must()
    {
        string[] load = ["--rate", "1000", "--warmup-seconds", "0.3", "--seconds", "1"];
        Undisturbed("bench-udp", "unreliable", new(EachWayMs, JitterMs: 5), load, run =>
        {
            // Two delays of 25 ms, give or take 5, evenly: their sum has a triangle between 40 and 60 ms, of which 5 %
            // lie below 40 + sqrt(10) ms and as many above 60 - sqrt(10) ms.
            Assert.InRange(Record.Sum(run.Window, "rtt_min_ns"), 40_000_000, 42_500_000);
            foreach (var (quantile, ms) in new[] { (0.05, 43.16), (0.5, 50), (0.95, 56.84) })
            {
                Assert.InRange(1e-6 * Record.QuantileNs(run.Window, quantile), ms - 1, ms + 1);
            }
            Assert.Equal(0, Record.Sum(run.Window, "lost", "corrupt", "duplicates", "foreign"));
        });
    }

    // A busy machine delays messages now and then; what a library or the harness adds is there each time.
    static void Undisturbed(string bench, string delivery, Line line, string[] flags, Action<ThroughRelay> check)
    {
        Assert.SkipWhen(bench == "bench-datachannel", "Its peers meet at the relay's port and go by others.");
        for (var attempt = 1; ; attempt++)
        {
            using var run = new ThroughRelay(bench, delivery, line, line, flags);
            run.Ended.WithCode(0);
            Assert.All(run.Clients, Record.AssertAddsUp);
            try
            {
                check(run);
                return;
            }
            catch (Xunit.Sdk.XunitException) when (attempt < Tries)
            {
                // Measured again.
            }
        }
    }
}
