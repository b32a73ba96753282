/// <summary>What the page of all sweeps shows of a cell.</summary>
/// <param name="Work">What was done, and how it was delivered.</param>
/// <param name="Load">All else that figures depend on but for the library, its security among it.</param>
/// <param name="Title">Of the library.</param>
/// <param name="Name">By which it has its colour; null of baselines.</param>
/// <param name="Version">Of the library.</param>
/// <param name="Launches">So many measured it.</param>
/// <param name="IsLowerBound">Whether the library could do more than its rate.</param>
/// <param name="Reason">Why its figures are not to be trusted, or it has none; empty of a valid one.</param>
/// <param name="Figures">One of each of Shown; null where it is missing.</param>
sealed record IndexedCell(
    IndexedWork Work,
    IndexedLoad Load,
    string Title,
    string? Name,
    string Version,
    int Launches,
    bool IsLowerBound,
    string Reason,
    Figure?[] Figures
)
{
    /// <summary>The figures that can be chosen, each in words: those that a work is known by come first.</summary>
    public static readonly (Metric Metric, string Words)[] Shown =
    [
        (RoomMetrics.ServerCores, "cores of the server in use"),
        (RoomMetrics.PlayersACore, "players per core (computed)"),
        (RoomMetrics.DelayP99, "delay, p99, µs"),
        (RoomMetrics.Deliveries, "deliveries/s"),
        (RoomMetrics.LateTicks, "late ticks %"),
        (RoomMetrics.Missing, "deliveries missing %"),
        (Metrics.ToBaseline, "x baseline (messages/s)"),
        (Metrics.OnTime, "% answered in time"),
        (Metrics.Goodput, "Mbit/s of payload"),
        (Metrics.Throughput, "messages/s"),
        (Metrics.ServerCpu, "server CPU, µs per message"),
        (Metrics.MessagesACore, "messages/s per server core"),
        (Metrics.CpuToBaseline, "x baseline (CPU of both sides)"),
        (Metrics.P50, "round trip, median, µs"),
        (Metrics.P99, "round trip, p99, µs"),
        (Metrics.WireBytes, "bytes on the wire per message"),
        (Metrics.Lost, "lost %"),
    ];

    /// <summary>Those of a sweep.</summary>
    public static IndexedCell[] Of(Sweep sweep) =>
        [.. CellFigures.Of(sweep, sweep.Cells.Where(cell => !cell.Traced)).Select(Of)];

    static IndexedCell Of(CellFigures figures)
    {
        var cell = figures.Cell;
        return new(
            IndexedWork.Of(cell),
            IndexedLoad.Of(cell),
            Text.Plain(cell.Title),
            cell.IsBaseline ? null : cell.Name,
            Text.Plain(Past.VersionOf(cell)),
            cell.Launches.Length,
            cell.Bound == Bottleneck.Client,
            ReasonOf(cell),
            [.. Shown.Select(shown => cell.Measured && shown.Metric.IsOf(cell) ? shown.Metric.Of(figures) : null)]
        );
    }

    static string ReasonOf(Cell cell)
    {
        if (!cell.Measured)
            return Text.Plain("failed: " + string.Join("; ", cell.Failures.Distinct()));
        var reasons = cell.Invalid.Concat(cell.InvalidForLatency).Distinct().ToArray();
        return reasons.Length == 0 ? "" : Text.Plain("invalid: " + string.Join("; ", reasons));
    }
}
