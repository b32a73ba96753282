/// <summary>A cell of two sweeps: its figure on either side, or why the sides are not compared.</summary>
sealed class ComparedCell
{
    const decimal OpenLoopQuantile = 0.99m;

    readonly Cell? before, after;

    public ComparedCell(Cell? before, Cell? after)
    {
        (this.before, this.after) = (before, after);
        Reason = WhyNot();
        if (Reason == null) Ratio = new(Figures(before!).OfType<double>(), Figures(after!).OfType<double>());
    }

    /// <summary>The cell, of the base where it is there.</summary>
    public Cell Cell => before ?? after!;

    /// <summary>Null where the cell is not comparable.</summary>
    public Ratio? Ratio { get; }

    /// <summary>Why it is not comparable; null where it is. Not escaped.</summary>
    public string? Reason { get; }

    /// <summary>In a closed loop throughput is judged, at a given rate how long round trips take.</summary>
    public string FigureName => Cell.ClosedLoop ? "msgs/s" : "p99 µs";

    public double? MedianBefore => MedianOf(before);
    public double? MedianAfter => MedianOf(after);

    /// <summary>What a change of the figure means.</summary>
    public bool IsBetter => Ratio!.Value > 1 == Cell.ClosedLoop;

    /// <summary>Ratio of the medians of another figure, which is not judged.</summary>
    public double? RatioOf(Func<Launch, double?> figure) =>
        before?.Median(figure) is > 0 and var one ? after?.Median(figure) / one : null;

    /// <summary>Why a cell's own figures tell nothing; null where they do.</summary>
    public static string? Unfit(Cell cell, int leastLaunches) =>
        cell.Failures.Length > 0 ? $"failed: {cell.Failures[0]}"
        : cell.Invalid.Length > 0 ? $"invalid: {cell.Invalid[0]}"
        : cell.InvalidForLatency.Length > 0 ? $"invalid for latency: {cell.InvalidForLatency[0]}"
        : cell.MixesVersions ? "mixes versions of the library"
        : cell.Traced ? "traced"
        : cell.Launches.Length < leastLaunches
            ? $"{Text.Count(cell.Launches.Length, "launch", "es")}, of at least {leastLaunches}"
        : Array.Exists(Figures(cell), figure => figure is null or <= 0)
            ? "a launch has too few round trips" : null;

    /// <summary>The judged figure of each launch: messages/s, or in an open loop µs.</summary>
    public static double?[] Figures(Cell cell) => [.. cell.Launches.Select(launch => cell.ClosedLoop
        ? launch.Throughput : launch.Times("rtt_ns").Quantile(OpenLoopQuantile) / 1e3)];

    string? WhyNot()
    {
        if (before == null) return "only in NEW";
        if (after == null) return "only in BASE";
        return Of("BASE", before) ?? Of("NEW", after);
        static string? Of(string side, Cell cell) =>
            Unfit(cell, Rule.LeastLaunches) is { } reason ? $"{side} {reason}" : null;
    }

    static double? MedianOf(Cell? cell) => cell == null ? null : Statistic.Of(Figures(cell))?.Median;
}
