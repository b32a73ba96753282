/// <summary>What a sweep says of one library in one delivery mode: the figures of the valid cell in which
/// it carried most, each beside the baseline's with as many clients and messages in flight.</summary>
sealed class VerdictRow
{
    const double ManyAPacket = 2; // says that a baseline packs messages together

    readonly Cell[] cells;
    readonly int unfit; // cells that are not valid or failed

    /// <summary>Cells: those of the library. BaselineOf: the cell that a cell is held against. FiguresOf: those of a
    /// cell.</summary>
    public VerdictRow(Cell[] cells, Func<Cell, Cell?> baselineOf, Func<Cell, CellFigures> figuresOf)
    {
        this.cells = cells;
        Cell[] fit = [.. cells.Where(cell => cell.CarriedItsLoad && cell.Throughput != null)];
        unfit = cells.Length - fit.Length;
        Best = fit.MaxBy(cell => cell.Throughput!.Median);
        Shown = Best ?? cells.FirstOrDefault(cell => cell.Measured);
        if (Best == null)
            Reason = cells.SelectMany(Reasons).First();
        if (Shown == null)
            return;
        var baseline = baselineOf(Shown);
        Figures = figuresOf(Shown);
        OfBaseline = baseline == null ? null : figuresOf(baseline);
        Rate = Shown.Interleaved
            ? new(Shown.Throughput?.Median, Shown.ToBaseline?.Value)
            : Relative.Of(Shown.Throughput?.Median, baseline?.Throughput?.Median);
    }

    /// <summary>Any of its cells, for what they share.</summary>
    public Cell AnyCell => cells[0];

    public string Name => AnyCell.Name;
    public string Library => AnyCell.Library;

    /// <summary>What its cells do: see Cell.</summary>
    public string Kind => AnyCell.Kind;

    /// <summary>Its place among the kinds of a sweep.</summary>
    public int KindOrder => AnyCell.KindOrder;

    /// <summary>What was done.</summary>
    public Work Work => AnyCell.Work;

    /// <summary>Of the cell that the figures are of.</summary>
    public string Serializer => (Shown ?? AnyCell).Serializer;

    public bool IsBaseline => AnyCell.IsBaseline;

    /// <summary>True of the baseline itself.</summary>
    public bool IsUsualBaseline => AnyCell.IsUsualBaseline;

    /// <summary>The name, which says of the baseline that it is that.</summary>
    public string Title => AnyCell.Title;

    /// <summary>What a sentence calls the baseline and others of its kind.</summary>
    public string InSentence
    {
        get
        {
            var plain = Baseline.InWords(Library);
            if (IsUsualBaseline)
                return $"Baseline, {plain}";
            var what = Name.Replace(Library, "").Trim('(', ')', ' ');
            var together = Metrics.MessagesAPacket.ValueOf(Figures!) is { } packed and >= ManyAPacket
                ? $"{what}, {Text.Number(packed)} {Work.Noun}s per packet"
                : what;
            return $"{char.ToUpperInvariant(plain[0])}{plain[1..]} ({together})";
        }
    }

    /// <summary>The valid cell that the figures are of; null where none is valid.</summary>
    public Cell? Best { get; }

    /// <summary>The cell that the figures are of, which is not valid where Best is null; null where nothing was
    /// measured.</summary>
    public Cell? Shown { get; }

    /// <summary>Why there is no valid one.</summary>
    public string? Reason { get; }

    /// <summary>A latency of that cell in words; not of one that was sent late.</summary>
    public string Latency(Metric metric) => Shown!.IsDrawn ? metric.Shown(Figures!) : Text.Missing;

    /// <summary>Messages/s.</summary>
    public Relative Rate { get; }

    /// <summary>All figures of that cell; null where there is none.</summary>
    public CellFigures? Figures { get; }

    /// <summary>Those of the baseline under the same load; null where there is none.</summary>
    public CellFigures? OfBaseline { get; }

    /// <summary>A figure of that cell beside the baseline's.</summary>
    public Relative Of(Metric metric) =>
        Relative.Of(metric.ValueOf(Figures!), OfBaseline == null ? null : metric.ValueOf(OfBaseline));

    /// <summary>The rate's ratio to the baseline's of the same rounds, or of one measured separately the rate itself,
    /// with what its bounds are of; not escaped.</summary>
    public string Interval =>
        Shown!.Interleaved ? Ratios.Interval(Shown, Shown.ToBaseline) : Shown.Throughput?.ToString() ?? Text.Missing;

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
    public string RateInWords => AtLeast + Text.Number(Rate.Value);

    /// <summary>The same for a sentence, such as 3.6 M.</summary>
    public string RoughRate => AtLeast + Text.Rough(Rate.Value);

    /// <summary>Which load it was, in words.</summary>
    public string Load => $"{Shown!.Clients:N0} x {Shown.Parallel:N0}";

    /// <summary>What a reader must know of the figures; not escaped.</summary>
    public IEnumerable<string> Notes()
    {
        if (Best == null)
        {
            yield return Reason!;
            yield break;
        }
        if (Best.ClosedLoop && Best.Bound is not (Bottleneck.None or Text.Missing))
            yield return Best.Bound + (IsLowerBound ? ": a lower bound" : "");
        if (Best.Mark is { } mark)
            yield return mark;
        if (!Best.Interleaved && Best.Link == null)
            yield return Cell.Separately;
        if (Best.Traced)
            yield return "traced";
        if (Best.Launches.Any(launch => launch.NotWarm))
            yield return "not warm";
        if (Best.MixesVersions)
            yield return "mixes versions of the library";
        // The worst of it stands where all rates are told.
        foreach (var reason in Best.InvalidInShort)
            yield return $"no latency: {reason}";
        if (unfit > 0)
            yield return $"{Text.Count(unfit, "other load")} invalid or failed";
    }

    bool IsLowerBound => Shown!.Bound == Bottleneck.Client;

    string AtLeast => IsLowerBound ? "≥ " : "";

    static IEnumerable<string> Reasons(Cell cell) =>
        cell
            .Invalid.Select(reason => $"invalid: {reason}")
            .Concat(cell.InvalidForLatency.Select(reason => $"invalid for latency: {reason}"))
            .Concat(cell.Failures.Select(reason => $"failed: {reason}"))
            .DefaultIfEmpty("nothing measured");
}
