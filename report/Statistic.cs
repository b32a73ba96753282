using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

/// <summary>What the launches of a cell say of one figure. The unit is the launch.</summary>
sealed class Statistic
{
    const int LeastForInterval = 5, LeastForBootstrap = 10, Resamples = 10_000;

    /// <summary>Of everything random here, so that the same records give the same page.</summary>
    public const int Seed = 1;

    const double Noisy = 0.05, Unstable = 0.10;

    readonly double[] values;

    Statistic(double[] sorted) => values = sorted;

    /// <summary>The statistic of the values that are there; null where none is.</summary>
    public static Statistic? Of(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : new(sorted);
    }

    public double Median => SortedArrayStatistics.Median(values);
    public double Least => values[0];
    public double Most => values[^1];

    /// <summary>Standard deviation over mean; null for one launch.</summary>
    public double? Cv => values.Length < 2 || Mean == 0 ? null : Deviation / Mean;

    /// <summary>The mark that a spread earns: "noisy", "unstable" or null.</summary>
    public string? Mark => Cv > Unstable ? "unstable" : Cv > Noisy ? "noisy" : null;

    /// <summary>Range of few launches; from five on the 95 % interval, and marked so.</summary>
    public override string ToString()
    {
        if (values.Length == 1) return Text.Missing;
        if (values.Length < LeastForInterval) return $"{Text.Number(Least)}–{Text.Number(Most)}";
        var (low, high) = values.Length < LeastForBootstrap ? TInterval() : Bootstrap();
        return $"{Text.Number(low)}–{Text.Number(high)} (95 %)";
    }

    double Mean => ArrayStatistics.Mean(values);
    double Deviation => ArrayStatistics.StandardDeviation(values);

    (double Low, double High) TInterval()
    {
        var t = StudentT.InvCDF(0, 1, values.Length - 1, 0.975);
        var half = t * Deviation / Math.Sqrt(values.Length);
        return (Mean - half, Mean + half);
    }

    (double Low, double High) Bootstrap()
    {
        var random = new Random(Seed);
        var drawn = new int[values.Length];
        return Middle95(() => MedianOfResample(values, drawn, random));
    }

    /// <summary>The bounds between which 95 % of 10,000 resamples' figures lie.</summary>
    public static (double Low, double High) Middle95(Func<double> figureOfResample)
    {
        var figures = new double[Resamples];
        for (var i = 0; i < Resamples; i++) figures[i] = figureOfResample();
        Array.Sort(figures);
        return (figures[(int)(0.025 * Resamples)], figures[(int)(0.975 * Resamples) - 1]);
    }

    /// <summary>Median of as many sorted values drawn with replacement; drawn is overwritten.</summary>
    public static double MedianOfResample(double[] sorted, int[] drawn, Random random)
    {
        // How often each was drawn says which stands in the middle, without sorting them.
        Array.Clear(drawn);
        for (var j = 0; j < drawn.Length; j++) drawn[random.Next(drawn.Length)]++;
        var (at, passed) = (0, drawn[0]);
        while (2 * passed < drawn.Length) passed += drawn[++at];
        if (2 * passed > drawn.Length) return sorted[at];
        var next = at + 1;
        while (drawn[next] == 0) next++;
        return (sorted[at] + sorted[next]) / 2;
    }
}
