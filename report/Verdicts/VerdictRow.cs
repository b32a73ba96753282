/// <summary>What a sweep says of one library in one delivery mode: the figures of the valid cell in which
/// it carried most, each beside the baseline's with as many clients and messages in flight.</summary>
sealed class VerdictRow
{
    readonly Cell[] cells = [];
    readonly int unfit; // cells that are not valid or failed

    /// <summary>Cells: those of the library. BaselineOf: the cell of baselines that a cell is held
    /// against. FiguresOf: those of a cell.</summary>
    public VerdictRow(Cell[] cells, Func<Cell, Cell?> plainOf, Func<Cell, CellFigures> figuresOf)
    {
        Name = cells[0].Name;
        Title = cells[0].Title;
        Library = cells[0].Library;
        Kind = cells[0].Kind;
        KindOrder = cells[0].KindOrder;
        Work = cells[0].Work;
        var fit = cells.Where(cell => cell.IsDrawn && cell.Throughput != null).ToArray();
        unfit = cells.Length - fit.Length;
        var closed = fit.Where(cell => cell.ClosedLoop).ToArray();
        Best = (closed.Length > 0 ? closed : fit).MaxBy(cell => cell.Throughput!.Median);
        if (Best == null)
        {
            Reason = cells.SelectMany(Reasons).First();
            return;
        }
        this.cells = cells;
        var plain = plainOf(Best);
        var best = figuresOf(Best);
        var ofBaseline = plain == null ? null : figuresOf(plain);
        Relative Of(Metric metric) =>
            Relative.Of(metric.ValueOf(best), ofBaseline == null ? null : metric.ValueOf(ofBaseline));
        Rate = Best.Interleaved ? new(Best.Throughput!.Median, Best.ToBaseline?.Value) : Of(Metrics.Throughput);
        Figures = best;
        Characteristic = Of(WorkLayout.Of(Work).InVerdict);
        CpuUs = Of(Metrics.BothCpu);
        if (Best.Interleaved)
            CpuUs = CpuUs with { ToBaseline = Best.CpuToBaseline?.Value };
        WireBytes = Of(Metrics.WireBytes);
        ConnectionBytes = Of(Metrics.ServerConnection);
    }

    public string Name { get; }
    public string Library { get; }

    /// <summary>What its cells do: see Cell.</summary>
    public string Kind { get; }

    /// <summary>Its place among the kinds of a sweep.</summary>
    public int KindOrder { get; }

    /// <summary>What was done.</summary>
    public Work Work { get; }

    public bool IsBaseline => Baseline.Is(Library);

    /// <summary>The name, which says of baselines that they are such.</summary>
    public string Title { get; }

    /// <summary>The cell that the figures are of; null where none is valid. Of a library that was
    /// measured in no closed loop it is one at a given rate.</summary>
    public Cell? Best { get; }

    /// <summary>Why there is none.</summary>
    public string? Reason { get; }

    /// <summary>Messages/s.</summary>
    public Relative Rate { get; }

    /// <summary>The metric that its work is known by: see WorkLayout.</summary>
    public Relative Characteristic { get; }

    /// <summary>All figures of that cell; null where there is none.</summary>
    public CellFigures? Figures { get; }

    /// <summary>CPU time of both sides a message.</summary>
    public Relative CpuUs { get; }

    /// <summary>Bytes on the interface a message, both directions together.</summary>
    public Relative WireBytes { get; }

    /// <summary>Memory of the server that a further connection takes.</summary>
    public Relative ConnectionBytes { get; }

    /// <summary>The rate's ratio to the baseline's of the same rounds, or of one measured separately the rate itself,
    /// with what its bounds are of; not escaped.</summary>
    public string Interval => Best!.Interleaved ? Ratios.Interval(Best, Best.ToBaseline) : Best.Throughput!.ToString();

    /// <summary>True where it is not known to be slower than another: by the rounds that both had under the load at
    /// which the other carried most, or of those measured separately by their intervals.</summary>
    public bool MayEqual(VerdictRow other)
    {
        if (!other.Best!.Interleaved && !Best!.Interleaved)
            return Bounds.High >= other.Bounds.Low;
        var same = cells.FirstOrDefault(cell => cell.Load == other.Best.Load && cell.IsDrawn);
        if (same == null || same.Bound == Bottleneck.Client)
            return true;
        return same.ToOther(other.Best) is not { High: < 1 };
    }

    // Its 95 % interval, which has no upper bound where the rate is a lower bound itself; anything where there are too
    // few launches.
    (double Low, double High) Bounds
    {
        get
        {
            if (Best!.Throughput is not { HasInterval95: true, Interval: var (low, high, _) })
                return (0, double.PositiveInfinity);
            return (low, IsLowerBound ? double.PositiveInfinity : high);
        }
    }

    /// <summary>The rate in words.</summary>
    public string RateInWords => (IsLowerBound ? "≥ " : "") + Text.Number(Rate.Value);

    /// <summary>Which load it was, in words.</summary>
    public string Load =>
        $"{Best!.Clients:N0} x {Best.Parallel:N0}" + (Best.ClosedLoop ? "" : $", {Best.Rate:N0}/s offered");

    /// <summary>What a reader must know of the figures; not escaped.</summary>
    public IEnumerable<string> Notes()
    {
        if (Best == null)
        {
            yield return Reason!;
            yield break;
        }
        if (Best.Bound is not (Bottleneck.None or Text.Missing))
            yield return Best.Bound + (IsLowerBound ? ": a lower bound" : "");
        if (!Best.ClosedLoop)
            yield return "at a given rate";
        if (Best.Mark is { } mark)
            yield return mark;
        if (!Best.Interleaved)
            yield return "measured separately";
        if (Best.Traced)
            yield return "traced";
        if (Best.Launches.Any(launch => launch.NotWarm))
            yield return "not warm";
        if (Best.MixesVersions)
            yield return "mixes versions of the library";
        if (unfit > 0)
            yield return $"{Text.Count(unfit, "other cell")} invalid or failed";
    }

    bool IsLowerBound => Best!.Bound == Bottleneck.Client;

    static IEnumerable<string> Reasons(Cell cell) =>
        cell
            .Invalid.Concat(cell.InvalidForLatency)
            .Select(reason => $"invalid: {reason}")
            .Concat(cell.Failures.Select(reason => $"failed: {reason}"))
            .DefaultIfEmpty("nothing measured");
}
