using Perfolizer;
using Perfolizer.Mathematics.SignificanceTesting.Base;
using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;
using Perfolizer.Metrology;

/// <summary>How much a cell's figure changed: NEW over BASE.</summary>
sealed class Change(double value, double leastP, Func<(double Low, double High)> intervalOf, Func<double> pOf)
{
    // Slow to work out, and of most changes not asked for.
    readonly Lazy<(double Low, double High)> interval = new(intervalOf);
    readonly Lazy<double> p = new(pOf);

    /// <summary>That of a ratio to the baseline of the same rounds. A side: of each launch the sorted logarithms of its
    /// rounds' ratios.</summary>
    public static Change Interleaved(double[][] before, double[][] after)
    {
        const double ofOneResample = 1.0 / Resamples.Count;
        var resampled = new Lazy<double[]>(() =>
        {
            // One after the other from the same, so that what is drawn of either has nothing to do with the other.
            var random = new Random(Resamples.Seed);
            var ofBefore = RoundRatios.OfResamples(before, random);
            var ofAfter = RoundRatios.OfResamples(after, random);
            return Resamples.Sorted(() => ofAfter() - ofBefore());
        });
        return new(
            Math.Exp(RoundRatios.Median(after) - RoundRatios.Median(before)),
            ofOneResample,
            () =>
            {
                var (low, high) = Resamples.Middle95(resampled.Value);
                return (Math.Exp(low), Math.Exp(high));
            },
            // The share of the resamples that lie on the other side of no change, twice.
            () =>
            {
                var below = resampled.Value.Count(log => log <= 0);
                var above = resampled.Value.Count(log => log >= 0);
                return Math.Clamp(2.0 * Math.Min(below, above) / Resamples.Count, ofOneResample, 1);
            });
    }

    /// <summary>That of the medians of two sides' launches. All figures are over 0.</summary>
    public static Change Separately(double[] before, double[] after)
    {
        // Sorted, as the order of the records must not move what is random.
        double[] old = [.. before.Order()];
        double[] now = [.. after.Order()];
        return new(
            MedianOf(now) / MedianOf(old),
            // All of one side over all of the other.
            2 / MathNet.Numerics.SpecialFunctions.Binomial(old.Length + now.Length, old.Length),
            // Both sides' launches resampled.
            () =>
            {
                var random = new Random(Resamples.Seed);
                var drawnOld = new int[old.Length];
                var drawnNow = new int[now.Length];
                return Resamples.Middle95(() =>
                    Resamples.Median(now, drawnNow, random) / Resamples.Median(old, drawnOld, random));
            },
            // The two-sided Mann-Whitney test; exact up to 65 launches of both together.
            () => MannWhitneyTest
                .Instance.Perform(new Sample(old), new Sample(now), AlternativeHypothesis.TwoSides, Threshold.Zero)
                .PValue);
    }

    public double Value => value;

    /// <summary>That of 95 %.</summary>
    public (double Low, double High) Interval => interval.Value;

    public bool IntervalExcludes1 => Interval is { Low: > 1 } or { High: < 1 };

    /// <summary>How likely chance alone moves it as far, to either side.</summary>
    public double P => p.Value;

    /// <summary>The least p that so many launches can have.</summary>
    public double LeastP => leastP;

    static double MedianOf(double[] sorted) => MathNet.Numerics.Statistics.SortedArrayStatistics.Median(sorted);
}
