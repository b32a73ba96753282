/// <summary>Ratios of two cells that were measured in the same rounds. The figure is the median of the launches'
/// medians over their rounds; its interval a hierarchical bootstrap: launches are resampled, then rounds within
/// each.</summary>
static class RoundRatios
{
    // Of fewer the least and the most do not hold the median in 95 of 100 cases.
    const int LeastRounds = 6;

    /// <summary>Of messages answered per second: `launch` records of one cell over those of another, matched by their
    /// blocks. Null where fewer than six rounds are common.</summary>
    public static RoundRatio? Rates(IEnumerable<LaunchRecord> launches, IEnumerable<LaunchRecord> others) =>
        Of(launches, others, (rounds, i) => rounds.Rate(i));

    /// <summary>The same of both sides' CPU time per message answered.</summary>
    public static RoundRatio? Cpu(IEnumerable<LaunchRecord> launches, IEnumerable<LaunchRecord> others) =>
        Of(launches, others, (rounds, i) => rounds.CpuNs(i));

    /// <summary>Of each launch the sorted logarithms of its rounds' ratios of rates, see Rates.</summary>
    public static double[][] LogRates(IEnumerable<LaunchRecord> launches, IEnumerable<LaunchRecord> others) =>
        Logs(launches, others, (rounds, i) => rounds.Rate(i));

    /// <summary>Median of the launches' medians.</summary>
    public static double Median(double[][] launches) => Medians.Of(launches.Select(Medians.OfSorted));

    /// <summary>The same of a resample, a new one each time: launches drawn with replacement, then rounds within each.
    /// </summary>
    public static Func<double> OfResamples(double[][] launches, Random random)
    {
        var middles = Array.ConvertAll(launches, launch => Resamples.Middles(launch.Length));
        var drawn = new double[launches.Length];
        return () =>
        {
            for (var i = 0; i < drawn.Length; i++)
            {
                var launch = random.Next(launches.Length);
                var (a, b) = middles[launch][random.Next(middles[launch].Length)];
                drawn[i] = (launches[launch][a] + launches[launch][b]) / 2;
            }
            Array.Sort(drawn);
            return Medians.OfSorted(drawn);
        };
    }

    static RoundRatio? Of(
        IEnumerable<LaunchRecord> launches, IEnumerable<LaunchRecord> others, Func<Rounds, int, double> figure)
    {
        var logs = Logs(launches, others, figure);
        var rounds = logs.Sum(launch => launch.Length);
        if (rounds < LeastRounds)
            return null;
        var value = Median(logs);
        // From one side always, so that b over a is exactly the inverse of a over b.
        var (low, high) = value < 0 ? Negated(Interval([.. logs.Select(Mirrored)])) : Interval(logs);
        return new(Math.Exp(value), Math.Exp(low), Math.Exp(high), logs.Length, rounds);
    }

    // Of a run that was repeated the last.
    static Dictionary<string, Rounds> ByBlock(IEnumerable<LaunchRecord> launches) =>
        launches
            .Select(Rounds.Of)
            .OfType<Rounds>()
            .GroupBy(rounds => rounds.Block)
            .ToDictionary(block => block.Key, block => block.Last());

    // By their blocks, as the order of the records must not move what is random.
    static double[][] Logs(
        IEnumerable<LaunchRecord> launches, IEnumerable<LaunchRecord> others, Func<Rounds, int, double> figure)
    {
        var second = ByBlock(others);
        return
        [
            .. ByBlock(launches)
                .OrderBy(launch => launch.Key, StringComparer.Ordinal)
                .Where(launch => second.ContainsKey(launch.Key))
                .Select(launch => Logs(launch.Value, second[launch.Key], figure))
                .Where(rounds => rounds.Length > 0),
        ];
    }

    // Sorted logarithms of the ratios.
    static double[] Logs(Rounds one, Rounds other, Func<Rounds, int, double> figure) =>
        [
            .. Enumerable
                .Range(0, Math.Min(one.Count, other.Count))
                .Select(i => (One: figure(one, i), Other: figure(other, i)))
                .Where(round => round.One > 0 && round.Other > 0)
                .Select(round => Math.Log(round.One / round.Other))
                .Order(),
        ];

    static (double Low, double High) Interval(double[][] launches) =>
        Resamples.Middle95(OfResamples(launches, new(Resamples.Seed)));

    static (double, double) Negated((double Low, double High) bounds) => (-bounds.High, -bounds.Low);

    static double[] Mirrored(double[] sorted) => [.. sorted.Select(log => -log).Reverse()];
}
