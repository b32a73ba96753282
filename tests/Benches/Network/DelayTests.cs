/// <summary>A network's known delay is measured as what it is, and at a rate holds no message back.</summary>
[Collection(Measuring.Name)]
public sealed class DelayTests
{
    const double EachWayMs = 25;
    const double RoundTripMs = 2 * EachWayMs;
    // Both sides and the relay wake to each message, which takes some of idle machines 0.2 ms each; the histogram's own
    // error.
    const double Within = 0.02 + 0.01;
    const int Tries = 3;
    const int AtOnce = 6;
    const int Rate = 500;

    static readonly Line both = new(EachWayMs);

    // In 50 ms 25 messages are due, and there is no more than one slot a client.
    static readonly string[] load =
        ["--parallel", "1", "--clients", "2", "--rate", $"{Rate}", "--warmup-seconds", "0", "--seconds", "0.8"];

    // The first tries, some at once: who is delayed by the others is measured again, alone.
    static readonly Lazy<Dictionary<(string, string), ThroughRelay>> first = new(MeasureAll);

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_round_trip_of_50_ms_is_measured_as_50_ms_and_each_message_is_sent_when_it_is_due(
        string bench, string delivery)
    {
        SkipWithoutRelay(bench);
        Undisturbed(bench, delivery, both, load, first.Value[(bench, delivery)], run =>
        {
            Assert.Equal(0, Record.Sum(run.Clients, "not_sent", "lost"));
            var due = Rate * (double)run.Window["elapsed_ns"]! / 1e9;
            Assert.InRange(Record.Sum(run.Window, "sent"), due - 2, due + 2);
            // When it was due, not when it was sent, is what a round trip counts from: so the lag tells.
            var lags = run.Window["outcomes"]!["send_lag_ns"]!;
            var inTime = lags.Where(bucket => (long)bucket[0]! < 25_000_000).Sum(bucket => (long)bucket[1]!);
            Assert.InRange(inTime, due * 0.5, due + 2); // of two slots: an eighth
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
        Undisturbed("bench-udp", "unreliable", new(EachWayMs, JitterMs: 5), load, null, run =>
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

    static void SkipWithoutRelay(string bench)
    {
        Assert.SkipWhen(bench == "bench-datachannel", "Its peers meet at the relay's port and go by others.");
    }

    static Dictionary<(string, string), ThroughRelay> MeasureAll()
    {
        var all = Bench.WithDeliveries
            .Where(row => row.Skip == null && row.Data.Item1 != "bench-datachannel")
            .Select(row => row.Data);
        var measured = new Dictionary<(string, string), ThroughRelay>();
        foreach (var some in all.Chunk(AtOnce))
        {
            var runs = Array.ConvertAll(some, row => new ThroughRelay(row.Item1, row.Item2, both, both, load));
            foreach (var (row, run) in some.Zip(runs))
            {
                using (run)
                {
                    _ = run.Ended;
                }
                measured[row] = run;
            }
        }
        return measured;
    }

    // A busy machine delays messages now and then; what a library or the harness adds is there each time.
    static void Undisturbed(
        string bench, string delivery, Line line, string[] flags, ThroughRelay? first, Action<ThroughRelay> check)
    {
        for (var attempt = first == null ? 1 : 0; ; attempt++)
        {
            using var run = attempt == 0 ? first! : new ThroughRelay(bench, delivery, line, line, flags);
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
