/// <summary>The middle of numbers: of as many below as above the mean of the two in the middle.</summary>
static class Medians
{
    /// <summary>That of some, of which there is at least one.</summary>
    public static double Of(IEnumerable<double> values) => OfSorted([.. values.Order()]);

    /// <summary>That of an ascending array.</summary>
    public static double OfSorted(double[] sorted) => (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
}
