/// <summary>One of the speeds between which a cell's rounds jump, as where the system moves its two sides between
/// near and distant CPUs: its share of the rounds, and their median round trip.</summary>
sealed record Mode(double Share, double RoundTripNs)
{
    const int LeastRounds = 20;
    const double LeastShare = 0.1, LeastApart = 1.5, Edge = 0.1;

    /// <summary>The modes of the rounds' mean round trips, the fastest first; empty where there is but one. Two are
    /// apart where all but a tenth of either's rounds are, by a factor of 1.5.</summary>
    public static Mode[] Of(IEnumerable<double> roundTripsNs)
    {
        var sorted = roundTripsNs.Order().ToArray();
        if (sorted.Length < LeastRounds) return [];
        var least = (int)Math.Ceiling(LeastShare * sorted.Length);
        var modes = Split(sorted, least).ToArray();
        return modes.Length == 1 ? []
            : [.. modes.Select(mode => new Mode((double)mode.Length / sorted.Length, mode[mode.Length / 2]))];
    }

    static IEnumerable<double[]> Split(double[] sorted, int least)
    {
        var (at, widest) = (0, LeastApart);
        for (var i = least; i <= sorted.Length - least; i++)
        {
            var apart = sorted[i + (int)(Edge * (sorted.Length - i))] / sorted[i - 1 - (int)(Edge * i)];
            if (apart > widest) (at, widest) = (i, apart);
        }
        return at == 0 ? [sorted] : Split(sorted[..at], least).Concat(Split(sorted[at..], least));
    }
}
