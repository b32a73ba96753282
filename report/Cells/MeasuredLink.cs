using Newtonsoft.Json.Linq;

/// <summary>The link of a launch: what was asked of it, how plain UDP found it before and after, and what it did
/// meanwhile.</summary>
sealed record MeasuredLink(LinkSettings Asked, JObject Record)
{
    /// <summary>An answer is on time that takes no longer than the link's round trip and this.</summary>
    public const double OnTimeMs = 50;

    const double RttWithinMs = 1;
    const double BucketWithin = 0.01; // a histogram's buckets are as wide
    const double RateWithin = 0.05;
    const double LateUs = 1_000;

    // Chance exceeds neither once in ten thousand launches.
    const double Sigmas = 4;

    const double Spare = 2;

    /// <summary>That of a launch record; null: none.</summary>
    public static MeasuredLink? Of(JObject launch) =>
        launch["link"] is JObject link ? new(LinkSettings.Of((JObject)launch["settings"]!)!, link) : null;

    /// <summary>A count of the window, of both directions together.</summary>
    public double Sum(string count) => Record[count]!.Sum(way => (double)way);

    /// <summary>How late it let packets go at most, but for 1 %, in µs; null: the kernel does not say.</summary>
    public double? LateP99Us => Record["late_p99_us"]!.Select(way => (double?)way).Max();

    /// <summary>CPU time of what emulates it.</summary>
    public double CpuS => (double)Record["cpu_s"]!;

    /// <summary>Why it was not what was asked, as reasons.</summary>
    public IEnumerable<string> Faults
    {
        get
        {
            // Each way's jitter is uniform, so that half of it is usual.
            var usualMs = Asked.RttMs + Asked.JitterMs / 2;
            foreach (var us in List("probe_rtt_p50_us"))
            {
                if (Math.Abs(us / 1e3 - usualMs) > RttWithinMs + BucketWithin * usualMs + Asked.JitterMs / 4)
                    yield return $"the link's round trip was {Text.Number(us / 1e3)} ms, not {Text.Number(usualMs)} ms";
            }
            var sent = List("probe_sent").Sum();
            var lost = List("probe_lost").Sum();
            var chance = Asked.RoundTripLoss;
            var deviation = Math.Sqrt(sent * chance * (1 - chance) * (2 * Asked.LossBurstPackets - 1));
            if (Math.Abs(lost - sent * chance) > Sigmas * deviation + Spare)
            {
                yield return $"the link lost {Text.Number(100 * lost / sent)} % of round trips, "
                    + $"not {Text.Number(100 * chance)} %";
            }
            foreach (var kbit in List("probe_rate_kbit"))
            {
                // What was lost went at the link's rate too.
                var mbit = kbit / 1e3 / (1 - Asked.LossPercent / 100);
                if (Math.Abs(mbit / Asked.RateMbit - 1) > RateWithin)
                    yield return $"the link's rate was {Text.Number(mbit)} Mbit/s, not {Text.Number(Asked.RateMbit)}";
            }
            if (LateP99Us > LateUs)
                yield return $"the link's emulator was late by {Text.Number(LateP99Us / 1e3)} ms (p99)";
        }
    }

    double[] List(string name) => [.. Record[name]!.Select(entry => (double)entry)];
}
