/// <summary>How much a ratio to the baseline of the same rounds changed. A side: of each launch the sorted
/// logarithms of its rounds' ratios.</summary>
sealed class ChangeInterleaved : Change
{
    readonly Lazy<double[]> resampled;

    public ChangeInterleaved(double[][] before, double[][] after)
    {
        Value = Math.Exp(RoundRatios.Median(after) - RoundRatios.Median(before));
        resampled = new(() =>
        {
            // One after the other from the same, so that what is drawn of either has nothing to do with the other.
            var random = new Random(Resamples.Seed);
            var ofBefore = RoundRatios.OfResamples(before, random);
            var ofAfter = RoundRatios.OfResamples(after, random);
            return Resamples.Sorted(() => ofAfter() - ofBefore());
        });
    }

    public override double Value { get; }

    /// <summary>That of one resample.</summary>
    public override double LeastP => 1.0 / Resamples.Count;

    protected override (double, double) IntervalOf()
    {
        var (low, high) = Resamples.Middle95(resampled.Value);
        return (Math.Exp(low), Math.Exp(high));
    }

    // The share of the resamples that lie on the other side of no change, twice.
    protected override double POf()
    {
        var below = resampled.Value.Count(log => log <= 0);
        var above = resampled.Value.Count(log => log >= 0);
        return Math.Clamp(2.0 * Math.Min(below, above) / Resamples.Count, LeastP, 1);
    }
}
