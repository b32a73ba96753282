using System.Collections.Concurrent;

/// <summary>What bootstraps have in common: resamples, and the bounds between which 95 % of their figures
/// lie.</summary>
static class Resamples
{
    /// <summary>Of everything random here, so that the same records give the same page.</summary>
    public const int Seed = 1;

    /// <summary>How many there are.</summary>
    public const int Count = 10_000;

    const int LowRank = (int)(0.025 * Count);
    const int HighRank = Count - 1 - LowRank;

    static readonly ConcurrentDictionary<int, (int A, int B)[]> middles = [];

    /// <summary>The bounds between which 95 % of the resamples' figures lie.</summary>
    public static (double Low, double High) Middle95(Func<double> figureOfResample) =>
        Middle95(Sorted(figureOfResample));

    /// <summary>The same of sorted figures of all resamples.</summary>
    public static (double Low, double High) Middle95(double[] sorted) => (sorted[LowRank], sorted[HighRank]);

    /// <summary>The figures of all resamples.</summary>
    public static double[] Sorted(Func<double> figureOfResample)
    {
        var figures = new double[Count];
        for (var i = 0; i < Count; i++)
            figures[i] = figureOfResample();
        Array.Sort(figures);
        return figures;
    }

    /// <summary>Of resamples of so many sorted values: the places of the two that stand in the middle, or of the one
    /// twice. They depend on nothing but how many values there are, so they are drawn once.</summary>
    public static (int A, int B)[] Middles(int count) => middles.GetOrAdd(count, DrawnMiddles);

    static (int A, int B)[] DrawnMiddles(int count)
    {
        var random = new Random(Seed);
        var drawn = new int[count];
        var places = new (int, int)[Count];
        for (var i = 0; i < Count; i++)
            places[i] = Middle(drawn, random);
        return places;
    }

    /// <summary>Median of as many sorted values drawn with replacement; drawn is overwritten.</summary>
    public static double Median(double[] sorted, int[] drawn, Random random)
    {
        var (a, b) = Middle(drawn, random);
        return (sorted[a] + sorted[b]) / 2;
    }

    // How often each was drawn says which stand in the middle, without sorting them.
    static (int A, int B) Middle(int[] drawn, Random random)
    {
        Array.Clear(drawn);
        for (var j = 0; j < drawn.Length; j++)
            drawn[random.Next(drawn.Length)]++;
        var at = 0;
        var passed = drawn[0];
        while (2 * passed < drawn.Length)
        {
            at++;
            passed += drawn[at];
        }
        if (2 * passed > drawn.Length)
            return (at, at);
        var next = at + 1;
        while (drawn[next] == 0)
            next++;
        return (at, next);
    }
}
