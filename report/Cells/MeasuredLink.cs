/// <summary>The link of a launch: what was asked of it, how plain UDP found it before and after, and what it did
/// meanwhile.</summary>
sealed record MeasuredLink(LinkSettings Asked, LinkPart Record)
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
    public static MeasuredLink? Of(LaunchRecord launch) =>
        launch is { Link: { } link, Settings.Link: { } asked } ? new(asked, link) : null;

    /// <summary>IP packets that came to it in the window, of both directions together.</summary>
    public double Packets => Record.Packets.Sum();

    /// <summary>Their bytes.</summary>
    public double Bytes => Record.Bytes.Sum();

    /// <summary>Those that were lost by chance or for want of room.</summary>
    public double LostPackets => Record.Lost.Sum() + Record.Dropped.Sum();

    /// <summary>How late it let packets go at most, but for 1 %, in µs; null: the kernel does not say.</summary>
    public double? LateP99Us => Record.LateP99Us.Select(us => (double?)us).Max();

    /// <summary>CPU time of what emulates it.</summary>
    public double CpuS => Record.CpuS;

    /// <summary>Why it was not what was asked, as reasons.</summary>
    public IEnumerable<Reason> Faults
    {
        get
        {
            // Each way's jitter is uniform, so that half of it is usual.
            var usualMs = Asked.RttMs + Asked.JitterMs / 2;
            foreach (var us in Record.ProbeRttP50Us)
            {
                if (Math.Abs(us / 1e3 - usualMs) > RttWithinMs + BucketWithin * usualMs + Asked.JitterMs / 4)
                {
                    var words = $"the link's round trip was {Text.Number(us / 1e3)} ms, not {Text.Number(usualMs)} ms";
                    yield return new(words, "the link's round trip was another", Math.Abs(us / 1e3 - usualMs));
                }
            }
            double sent = Record.ProbeSent.Sum();
            double lost = Record.ProbeLost.Sum();
            var chance = Asked.RoundTripLoss;
            var deviation = Math.Sqrt(sent * chance * (1 - chance) * (2 * Asked.LossBurstPackets - 1));
            if (Math.Abs(lost - sent * chance) > Sigmas * deviation + Spare)
            {
                var words = $"the link lost {Text.Number(100 * lost / sent)} % of round trips, "
                    + $"not {Text.Number(100 * chance)} %";
                yield return new(words, "the link's loss was another", Math.Abs(lost / sent - chance));
            }
            foreach (var kbit in Record.ProbeRateKbit)
            {
                var mbit = kbit / 1e3;
                if (Math.Abs(mbit / Asked.RateMbit - 1) > RateWithin)
                {
                    var words = $"the link's rate was {Text.Number(mbit)} Mbit/s, not {Text.Number(Asked.RateMbit)}";
                    yield return new(words, "the link's rate was another", Math.Abs(mbit - Asked.RateMbit));
                }
            }
            if (LateP99Us > LateUs)
            {
                var words = $"the link's emulator was late by {Text.Number(LateP99Us / 1e3)} ms (p99)";
                yield return new(words, "the link's emulator was late", LateP99Us.Value);
            }
        }
    }
}
