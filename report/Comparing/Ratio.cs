using Perfolizer;
using Perfolizer.Mathematics.SignificanceTesting.Base;
using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;
using Perfolizer.Metrology;

/// <summary>The ratio of the medians of two sides' launches, new over base. All figures are over 0.</summary>
sealed class Ratio
{
    readonly double[] before, after;
    readonly Lazy<(double Low, double High)> interval;
    readonly Lazy<double> p;

    public Ratio(IEnumerable<double> before, IEnumerable<double> after)
    {
        // Sorted, as the order of the records must not move what is random.
        (this.before, this.after) = ([.. before.Order()], [.. after.Order()]);
        Value = MedianOf(this.after) / MedianOf(this.before);
        (interval, p) = (new(Bootstrap), new(MannWhitney));
    }

    public double Value { get; }

    /// <summary>95 % interval of the ratio: both sides' launches resampled.</summary>
    public (double Low, double High) Interval => interval.Value;

    public bool IntervalExcludes1 => Interval is { Low: > 1 } or { High: < 1 };

    /// <summary>Of the two-sided Mann-Whitney test; exact up to 65 launches of both together.</summary>
    public double P => p.Value;

    /// <summary>The least p that so many launches can have: all of one side over all of the other.</summary>
    public double LeastP => 2 / MathNet.Numerics.SpecialFunctions.Binomial(
        before.Length + after.Length, before.Length);

    (double, double) Bootstrap()
    {
        var random = new Random(Resamples.Seed);
        var (drawnBefore, drawnAfter) = (new int[before.Length], new int[after.Length]);
        return Resamples.Middle95(() => Resamples.Median(after, drawnAfter, random)
            / Resamples.Median(before, drawnBefore, random));
    }

    double MannWhitney() => MannWhitneyTest.Instance.Perform(new Sample(before), new Sample(after),
        AlternativeHypothesis.TwoSides, Threshold.Zero).PValue;

    static double MedianOf(double[] sorted) =>
        MathNet.Numerics.Statistics.SortedArrayStatistics.Median(sorted);
}
