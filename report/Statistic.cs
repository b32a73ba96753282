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
        var sample = new double[values.Length];
        return Middle95(() => MedianOfResample(values, sample, random));
    }

    /// <summary>The bounds between which 95 % of 10,000 resamples' figures lie.</summary>
    public static (double Low, double High) Middle95(Func<double> figureOfResample)
    {
        var figures = new double[Resamples];
        for (var i = 0; i < Resamples; i++) figures[i] = figureOfResample();
        Array.Sort(figures);
        return (figures[(int)(0.025 * Resamples)], figures[(int)(0.975 * Resamples) - 1]);
    }

    /// <summary>Median of as many values drawn with replacement; sample is overwritten.</summary>
    public static double MedianOfResample(double[] values, double[] sample, Random random)
    {
        for (var j = 0; j < sample.Length; j++) sample[j] = values[random.Next(values.Length)];
        return ArrayStatistics.MedianInplace(sample);
    }
}
