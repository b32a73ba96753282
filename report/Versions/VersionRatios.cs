/// <summary>How a figure of a newer version relates to that of an older one under the same load.</summary>
/// <param name="Value">New over old; null where either has no such figure.</param>
/// <param name="Interval">The same with its 95 % interval; null where there are too few launches or rounds.</param>
sealed record VersionRatio(double? Value, RoundRatio? Interval)
{
    /// <summary>What most equals differed by less than in blocks of five launches (proof/results/copies.md).</summary>
    public const double Least = 0.02;

    /// <summary>True where the two are known to differ.</summary>
    public bool Differs => Interval is { Ranks: true } && Math.Max(Interval.Value, 1 / Interval.Value) > 1 + Least;

    /// <summary>Its bounds, as in "1.02 to 1.06"; empty where it has none.</summary>
    public string BoundsInWords => Interval == null ? "" : $"{Interval.Low:0.00} to {Interval.High:0.00}";

    /// <summary>Itself and its bounds, as in "1.04 (1.02 to 1.06)".</summary>
    public string InWords => $"{Value:0.00} ({BoundsInWords})";
}

/// <summary>Ratios of the figures of two cells that did the same.</summary>
static class VersionRatios
{
    /// <summary>Of messages answered per second: of the same rounds, or where the two were measured separately of their
    /// launches.</summary>
    public static VersionRatio OfRates(Cell old, Cell now) =>
        OfRounds(RoundRatios.Rates(now.Records, old.Records)) ?? OfLaunches(old, now, Metrics.LaunchThroughput);

    /// <summary>The same of both sides' CPU time per message.</summary>
    public static VersionRatio OfCpu(Cell old, Cell now) =>
        OfRounds(RoundRatios.Cpu(now.Records, old.Records)) ?? OfLaunches(old, now, Metrics.BothCpu);

    /// <summary>Of what launches have a figure of: of those of the same blocks, or where the two were measured
    /// separately of all.</summary>
    public static VersionRatio OfLaunches(Cell old, Cell now, Metric metric)
    {
        var before = FiguresOf(old, metric);
        var after = FiguresOf(now, metric);
        if (before.Length == 0 || after.Length == 0)
        {
            return new(null, null);
        }
        return old.Interleaved && now.Interleaved ? Paired(before, after) : Apart(before, after);
    }

    static VersionRatio? OfRounds(RoundRatio? ratio) => ratio == null ? null : new(ratio.Value, ratio);

    static (string? Block, double Figure)[] FiguresOf(Cell cell, Metric metric) =>
        [
            .. cell.Launches.Select(launch => (launch.Rounds?.Block, Figure: metric.OfLaunch!(new TimedLaunch(launch))))
                .Where(launch => launch.Figure is > 0)
                .Select(launch => (launch.Block, launch.Figure!.Value)),
        ];

    static VersionRatio Paired((string? Block, double Figure)[] before, (string? Block, double Figure)[] after)
    {
        var logs = after
            .Join(before, one => one.Block, one => one.Block, (now, old) => (double?)Math.Log(now.Figure / old.Figure));
        if (Statistic.Of(logs) is not { } statistic)
        {
            return new(null, null);
        }
        var value = Math.Exp(statistic.Median);
        if (!statistic.HasInterval95 || statistic.Interval is not var (low, high, _))
        {
            return new(value, null);
        }
        return new(value, new(value, Math.Exp(low), Math.Exp(high), statistic.Count, statistic.Count));
    }

    static VersionRatio Apart((string? Block, double Figure)[] before, (string? Block, double Figure)[] after)
    {
        var change = Change.Separately(
            [.. before.Select(launch => launch.Figure)],
            [.. after.Select(launch => launch.Figure)]);
        var launches = Math.Min(before.Length, after.Length);
        if (launches < Statistic.LeastForInterval)
        {
            return new(change.Value, null);
        }
        var (low, high) = change.Interval;
        return new(change.Value, new(change.Value, low, high, launches, launches));
    }
}
