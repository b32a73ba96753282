using System.Collections.Concurrent;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

/// <summary>What the launches of a cell say of one figure. The unit is the launch.</summary>
sealed class Statistic
{
    /// <summary>So many launches have a 95 % interval.</summary>
    public const int LeastForInterval = 5;

    /// <summary>The kind of interval that is least to most.</summary>
    public const string Range = "range";

    const int LeastForBootstrap = 10;
    const double Noisy = 0.05;
    const double Unstable = 0.10;

    static readonly ConcurrentDictionary<int, double> ts = []; // slow to work out

    readonly double[] values;
    readonly bool ofSlices;

    Statistic(double[] sorted, bool ofSlices = false)
    {
        values = sorted;
        this.ofSlices = ofSlices;
    }

    /// <summary>The statistic of the values that are there; null where none is.</summary>
    public static Statistic? Of(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : new(sorted);
    }

    /// <summary>That of the slices in which a cell had its turns: they follow each other, so that they have a range,
    /// but no interval of their own.</summary>
    public static Statistic OfSlices(IEnumerable<double> values) => new([.. values.Order()], ofSlices: true);

    /// <summary>True where there are enough values for the 95 % interval.</summary>
    public bool HasInterval95 => !ofSlices && values.Length >= LeastForInterval;

    /// <summary>Of how many values it is.</summary>
    public int Count => values.Length;

    public double Median => SortedArrayStatistics.Median(values);
    public double Least => values[0];
    public double Most => values[^1];

    /// <summary>Standard deviation over mean; null for one launch.</summary>
    public double? Cv => values.Length < 2 || Mean == 0 ? null : Deviation / Mean;

    /// <summary>The mark that a spread earns: "noisy", "unstable" or null; slices have none.</summary>
    public string? Mark
    {
        get
        {
            if (ofSlices)
                return null;
            if (Cv > Unstable)
                return "unstable";
            return Cv > Noisy ? "noisy" : null;
        }
    }

    /// <summary>Range of few launches; from five on the 95 % interval: of the mean by t, from ten on of
    /// the median by bootstrap. Null for one launch.</summary>
    public (double Low, double High, string Kind)? Interval
    {
        get
        {
            if (values.Length == 1)
                return null;
            if (!HasInterval95)
                return (Least, Most, Range);
            if (values.Length < LeastForBootstrap)
            {
                var (low, high) = TInterval();
                return (low, high, "t95");
            }
            var bootstrap = Bootstrap();
            return (bootstrap.Low, bootstrap.High, "bootstrap95");
        }
    }

    /// <summary>The interval in words; one that is no range is marked so.</summary>
    public override string ToString()
    {
        if (Interval is not var (low, high, kind))
            return Text.Missing;
        var words = $"{Text.Number(low)}–{Text.Number(high)}";
        return kind == Range ? words : $"{words} (95 %)";
    }

    double Mean => ArrayStatistics.Mean(values);
    double Deviation => ArrayStatistics.StandardDeviation(values);

    (double Low, double High) TInterval()
    {
        var t = ts.GetOrAdd(values.Length, count => StudentT.InvCDF(0, 1, count - 1, 0.975));
        var half = t * Deviation / Math.Sqrt(values.Length);
        return (Mean - half, Mean + half);
    }

    (double Low, double High) Bootstrap()
    {
        var middles = Resamples.Middles(values.Length);
        var next = 0;
        return Resamples.Middle95(() =>
        {
            var (a, b) = middles[next];
            next++;
            return (values[a] + values[b]) / 2;
        });
    }
}
