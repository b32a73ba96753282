/// <summary>One of the speeds between which a cell's rounds jump, as where the system moves its two sides between
/// near and distant CPUs: its share of the rounds, and their median round trip.</summary>
sealed record Mode(double Share, double RoundTripNs)
{
    const int LeastRounds = 20;
    const double LeastShare = 0.1;
    const double LeastApart = 1.5;
    const double Edge = 0.1;

    /// <summary>The modes of the rounds' mean round trips, the fastest first; empty where there is but one. Two are
    /// apart where all but a tenth of either's rounds are, by a factor of 1.5.</summary>
    public static Mode[] Of(IEnumerable<double> roundTripsNs)
    {
        var sorted = roundTripsNs.Order().ToArray();
        if (sorted.Length < LeastRounds)
            return [];
        var least = (int)Math.Ceiling(LeastShare * sorted.Length);
        var modes = Split(sorted, least).ToArray();
        return modes.Length == 1
            ? []
            : [.. modes.Select(mode => new Mode((double)mode.Length / sorted.Length, mode[mode.Length / 2]))];
    }

    // Where the parts' means lie apart the most, of logarithms, as times are spread by factors.
    static IEnumerable<double[]> Split(double[] sorted, int least)
    {
        var logs = Array.ConvertAll(sorted, Math.Log);
        var at = 0;
        var most = 0.0;
        var below = logs.Take(least - 1).Sum();
        var all = logs.Sum();
        for (var i = least; i <= sorted.Length - least; i++)
        {
            below += logs[i - 1];
            var between = below / i - (all - below) / (sorted.Length - i);
            var spread = between * between * i * (sorted.Length - i);
            if (spread > most)
            {
                at = i;
                most = spread;
            }
        }
        if (at == 0)
            return [sorted];
        var edgeBelow = sorted[at - 1 - (int)(Edge * at)];
        var edgeAbove = sorted[at + (int)(Edge * (sorted.Length - at))];
        if (edgeAbove < LeastApart * edgeBelow)
            return [sorted];
        return Split(sorted[..at], least).Concat(Split(sorted[at..], least));
    }
}
