/// <summary>What the launches of a cell say of one figure. The unit is the launch.</summary>
sealed class Statistic
{
    const int LeastForInterval = 5, LeastForBootstrap = 10, Resamples = 10_000, Seed = 1;
    const double Noisy = 0.05, Unstable = 0.10;

    // Student's t at 97.5 % for 5 to 9 launches.
    static readonly double[] quantilesOfT = [2.776, 2.571, 2.447, 2.365, 2.306];

    readonly double[] values;

    Statistic(double[] sorted) => values = sorted;

    /// <summary>The statistic of the values that are there; null where none is.</summary>
    public static Statistic? Of(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : new(sorted);
    }

    public double Median => MedianOf(values);
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

    double Mean => values.Average();
    double Deviation =>
        Math.Sqrt(values.Sum(v => (v - Mean) * (v - Mean)) / (values.Length - 1));

    (double Low, double High) TInterval()
    {
        var t = quantilesOfT[values.Length - LeastForInterval];
        var half = t * Deviation / Math.Sqrt(values.Length);
        return (Mean - half, Mean + half);
    }

    (double Low, double High) Bootstrap()
    {
        var random = new Random(Seed);
        var medians = new double[Resamples];
        var sample = new double[values.Length];
        for (var i = 0; i < Resamples; i++)
        {
            for (var j = 0; j < sample.Length; j++) sample[j] = values[random.Next(values.Length)];
            Array.Sort(sample);
            medians[i] = MedianOf(sample);
        }
        Array.Sort(medians);
        return (medians[(int)(0.025 * Resamples)], medians[(int)(0.975 * Resamples) - 1]);
    }

    static double MedianOf(double[] sorted) =>
        (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
}
