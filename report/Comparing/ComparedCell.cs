/// <summary>A cell of two sweeps: its figure on either side, or why the sides are not compared.</summary>
sealed class ComparedCell
{
    readonly Cell? before;
    readonly Cell? after;
    readonly Judged? judgedBefore;
    readonly Judged? judgedAfter;

    public ComparedCell(Cell? before, Cell? after)
    {
        this.before = before;
        this.after = after;
        judgedBefore = Of(before);
        judgedAfter = Of(after);
        Reason = WhyNot();
        if (Reason == null && !IsContext)
            Change = judgedBefore!.To(judgedAfter!);
        static Judged? Of(Cell? cell) => cell == null ? null : Judged.Of(cell);
    }

    /// <summary>The cell, of the base where it is there.</summary>
    public Cell Cell => before ?? after!;

    /// <summary>Null where the cell is not comparable, and of what is told for context.</summary>
    public Change? Change { get; }

    /// <summary>Why it is not comparable; null where it is. Not escaped.</summary>
    public string? Reason { get; }

    /// <summary>What to measure so that it becomes comparable, as a sentence goes on after "run"; null where it is. Not
    /// escaped.</summary>
    public string? Remedy
    {
        get
        {
            if (Reason == null)
                return null;
            if (before == null || after == null)
                return "both sweeps with the same libraries and loads";
            if (Math.Min(before.Launches.Length, after.Launches.Length) < Rule.LeastLaunches)
                return $"both sweeps with `--repeats {Rule.LeastLaunches}` or more";
            return "the sweep again whose cells are named below";
        }
    }

    /// <summary>True of an interleaved baseline that could be compared: the others are held against it, and its own
    /// rates are those of the hour.</summary>
    public bool IsContext => Reason == null && Cell is { Interleaved: true, ClosedLoop: true, IsBaseline: true };

    /// <summary>True where the ratio to the baseline is judged.</summary>
    public bool IsRatio => Judged.IsRatio(Cell);

    /// <summary>What is judged.</summary>
    public string FigureName => (judgedBefore ?? judgedAfter)!.Name;

    public double? MedianBefore => judgedBefore?.Median;
    public double? MedianAfter => judgedAfter?.Median;

    /// <summary>What a change of the figure means.</summary>
    public bool IsBetter => Change!.Value > 1 == Cell.ClosedLoop;

    /// <summary>Ratio of the medians of another figure, which is not judged.</summary>
    public double? RatioOf(Metric metric) =>
        MedianOf(metric, before) is > 0 and var one ? MedianOf(metric, after) / one : null;

    /// <summary>Why a cell's own figures tell nothing; null where they do.</summary>
    public static string? Unfit(Cell cell, int leastLaunches)
    {
        if (cell.Failures.Length > 0)
            return $"failed: {cell.Failures[0]}";
        if (cell.Invalid.Length > 0)
            return $"invalid: {cell.Invalid[0]}";
        if (cell.InvalidForLatency.Length > 0)
            return $"invalid for latency: {cell.InvalidForLatency[0]}";
        if (cell.MixesVersions)
            return "mixes versions of the library";
        if (cell.Traced)
            return "traced";
        if (cell.Launches.Length < leastLaunches)
            return $"{Text.Count(cell.Launches.Length, "launch", "es")}, of at least {leastLaunches}";
        if (Judged.IsRatio(cell))
            return UnfitInterleaved(cell, leastLaunches);
        return Array.Exists(Judged.FiguresSeparately(cell), figure => figure is null or <= 0)
            ? "a launch has too few round trips"
            : null;
    }

    static string? UnfitInterleaved(Cell cell, int leastLaunches)
    {
        var launches = cell.ToBaseline!.Launches;
        if (launches >= leastLaunches)
            return null;
        return $"{Text.Count(launches, "launch", "es")} beside the baseline, of at least {leastLaunches}";
    }

    static double? MedianOf(Metric metric, Cell? cell) =>
        cell == null ? null : Statistic.Of(metric.ValuesOf(cell))?.Median;

    string? WhyNot()
    {
        if (before == null)
            return "only in NEW";
        if (after == null)
            return "only in BASE";
        return Of("BASE", before)
            ?? Of("NEW", after)
            ?? (
                Judged.IsRatio(before) == Judged.IsRatio(after)
                    ? null
                    : "one side was interleaved with the baseline, the other not"
            )
            ?? (
                before.Baseline?.Name == after.Baseline?.Name
                    ? null
                    : $"BASE is held against {NameOf(before.Baseline)}, NEW against {NameOf(after.Baseline)}"
            );
        static string NameOf(Cell? baseline) => baseline?.Name ?? "none";
        static string? Of(string side, Cell cell) =>
            Unfit(cell, Rule.LeastLaunches) is { } reason ? $"{side} {reason}" : null;
    }
}
