/// <summary>When a change is called. The noise floor's false alarms are counted by the same rule.</summary>
static class Rule
{
    /// <summary>Launches a side below which nothing is compared.</summary>
    public const int LeastLaunches = 5;

    const int MostUncorrected = 10; // cells; beyond, chance alone would call some
    const double FalseDiscoveryRate = 0.05;

    /// <summary>Of each cell of one comparison: its change is more than the least of its kind, its interval
    /// excludes 1, and among many cells Benjamini-Hochberg lets its p pass.</summary>
    public static bool[] Called((Change Change, double Least)[] cells)
    {
        static bool IsLarge((Change Change, double Least) cell) => Math.Abs(cell.Change.Value - 1) > cell.Least;
        // The cheap question first: of A/A splits most end here.
        if (!Array.Exists(cells, IsLarge))
            return new bool[cells.Length];
        var limit = IsCorrected(cells.Length) ? LimitOfP([.. cells.Select(cell => cell.Change.P)]) : 1;
        return [.. cells.Select(cell => IsLarge(cell) && cell.Change.P <= limit && cell.Change.IntervalExcludes1)];
    }

    /// <summary>True where there are so many cells that p counts too.</summary>
    public static bool IsCorrected(int cells) => cells > MostUncorrected;

    /// <summary>How many cells must change together before one is called, as so few launches have
    /// no smaller p.</summary>
    public static int LeastTogether(Change[] cells) =>
        (int)Math.Ceiling(cells.Min(cell => cell.LeastP) * cells.Length / FalseDiscoveryRate);

    /// <summary>Launches a side from which on a cell measured separately is called alone among so many.</summary>
    public static int LaunchesForOneOf(int cells) =>
        Enumerable
            .Range(LeastLaunches, 1_000)
            .First(launches =>
                2 / MathNet.Numerics.SpecialFunctions.Binomial(2 * launches, launches) <= FalseDiscoveryRate / cells
            );

    // Benjamini-Hochberg: the largest p that is within its rank's share of the rate.
    static double LimitOfP(double[] p)
    {
        Array.Sort(p);
        var rank = p.Length;
        while (rank > 0 && p[rank - 1] > FalseDiscoveryRate * rank / p.Length)
            rank--;
        return rank == 0 ? -1 : p[rank - 1];
    }
}
