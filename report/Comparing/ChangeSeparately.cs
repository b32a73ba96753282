using Perfolizer;
using Perfolizer.Mathematics.SignificanceTesting.Base;
using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;
using Perfolizer.Metrology;

/// <summary>The ratio of the medians of two sides' launches. All figures are over 0.</summary>
sealed class ChangeSeparately : Change
{
    readonly double[] before;
    readonly double[] after;

    public ChangeSeparately(double[] before, double[] after)
    {
        // Sorted, as the order of the records must not move what is random.
        this.before = [.. before.Order()];
        this.after = [.. after.Order()];
        Value = MedianOf(this.after) / MedianOf(this.before);
    }

    public override double Value { get; }

    /// <summary>All of one side over all of the other.</summary>
    public override double LeastP =>
        2 / MathNet.Numerics.SpecialFunctions.Binomial(before.Length + after.Length, before.Length);

    // Both sides' launches resampled.
    protected override (double, double) IntervalOf()
    {
        var random = new Random(Resamples.Seed);
        var drawnBefore = new int[before.Length];
        var drawnAfter = new int[after.Length];
        return Resamples.Middle95(() =>
            Resamples.Median(after, drawnAfter, random) / Resamples.Median(before, drawnBefore, random)
        );
    }

    // The two-sided Mann-Whitney test; exact up to 65 launches of both together.
    protected override double POf() =>
        MannWhitneyTest
            .Instance.Perform(new Sample(before), new Sample(after), AlternativeHypothesis.TwoSides, Threshold.Zero)
            .PValue;

    static double MedianOf(double[] sorted) => MathNet.Numerics.Statistics.SortedArrayStatistics.Median(sorted);
}
