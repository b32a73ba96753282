using System.Collections.Concurrent;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

/// <summary>What the launches of a cell say of one figure. The unit is the launch.</summary>
sealed class Statistic
{
    /// <summary>So many launches have a 95 % interval.</summary>
    public const int LeastForInterval = 5;

    const int LeastForBootstrap = 10, Resamples = 10_000;

    /// <summary>Of everything random here, so that the same records give the same page.</summary>
    public const int Seed = 1;

    const int LowRank = (int)(0.025 * Resamples), HighRank = (int)(0.975 * Resamples) - 1;
    const double Noisy = 0.05, Unstable = 0.10;
    const string Range = "range";

    static readonly ConcurrentDictionary<int, (int A, int B, int Times)[]> middles = [];

    static readonly ConcurrentDictionary<int, double> ts = []; // slow to work out

    readonly double[] values;

    Statistic(double[] sorted) => values = sorted;

    /// <summary>The statistic of the values that are there; null where none is.</summary>
    public static Statistic? Of(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : new(sorted);
    }

    /// <summary>True where there are enough values for the 95 % interval.</summary>
    public bool HasInterval95 => values.Length >= LeastForInterval;

    public double Median => SortedArrayStatistics.Median(values);
    public double Least => values[0];
    public double Most => values[^1];

    /// <summary>Standard deviation over mean; null for one launch.</summary>
    public double? Cv => values.Length < 2 || Mean == 0 ? null : Deviation / Mean;

    /// <summary>The mark that a spread earns: "noisy", "unstable" or null.</summary>
    public string? Mark => Cv > Unstable ? "unstable" : Cv > Noisy ? "noisy" : null;

    /// <summary>Range of few launches; from five on the 95 % interval: of the mean by t, from ten on of
    /// the median by bootstrap. Null for one launch.</summary>
    public (double Low, double High, string Kind)? Interval
    {
        get
        {
            if (values.Length == 1) return null;
            if (!HasInterval95) return (Least, Most, Range);
            var (low, high) = values.Length < LeastForBootstrap ? TInterval() : Bootstrap();
            return (low, high, values.Length < LeastForBootstrap ? "t95" : "bootstrap95");
        }
    }

    /// <summary>The interval in words; one that is no range is marked so.</summary>
    public override string ToString() => Interval is not var (low, high, kind) ? Text.Missing
        : $"{Text.Number(low)}–{Text.Number(high)}" + (kind == Range ? "" : " (95 %)");

    double Mean => ArrayStatistics.Mean(values);
    double Deviation => ArrayStatistics.StandardDeviation(values);

    (double Low, double High) TInterval()
    {
        var t = ts.GetOrAdd(values.Length, count => StudentT.InvCDF(0, 1, count - 1, 0.975));
        var half = t * Deviation / Math.Sqrt(values.Length);
        return (Mean - half, Mean + half);
    }

    // What is drawn depends on nothing but how many values there are, so it is drawn once.
    (double Low, double High) Bootstrap()
    {
        var figures = middles.GetOrAdd(values.Length, Middles)
            .Select(middle => (Figure: (values[middle.A] + values[middle.B]) / 2, middle.Times))
            .OrderBy(middle => middle.Figure).ToArray();
        double At(int rank) => figures.First(middle => (rank -= middle.Times) < 0).Figure;
        return (At(LowRank), At(HighRank));
    }

    static (int A, int B, int Times)[] Middles(int count)
    {
        var (random, drawn) = (new Random(Seed), new int[count]);
        return [.. Enumerable.Range(0, Resamples).Select(_ => MiddleOfResample(drawn, random))
            .GroupBy(middle => middle).Select(same => (same.Key.A, same.Key.B, same.Count()))];
    }

    /// <summary>The bounds between which 95 % of 10,000 resamples' figures lie.</summary>
    public static (double Low, double High) Middle95(Func<double> figureOfResample)
    {
        var figures = new double[Resamples];
        for (var i = 0; i < Resamples; i++) figures[i] = figureOfResample();
        Array.Sort(figures);
        return (figures[LowRank], figures[HighRank]);
    }

    /// <summary>Median of as many sorted values drawn with replacement; drawn is overwritten.</summary>
    public static double MedianOfResample(double[] sorted, int[] drawn, Random random)
    {
        var (a, b) = MiddleOfResample(drawn, random);
        return (sorted[a] + sorted[b]) / 2;
    }

    // The places of the two values, or of the one twice, that stand in the middle. How often each was
    // drawn says so, without sorting them.
    static (int A, int B) MiddleOfResample(int[] drawn, Random random)
    {
        Array.Clear(drawn);
        for (var j = 0; j < drawn.Length; j++) drawn[random.Next(drawn.Length)]++;
        var (at, passed) = (0, drawn[0]);
        while (2 * passed < drawn.Length) passed += drawn[++at];
        if (2 * passed > drawn.Length) return (at, at);
        var next = at + 1;
        while (drawn[next] == 0) next++;
        return (at, next);
    }
}
