/// <summary>The verdict on echoes, streams or calls: how many each library carries under one load, and what its server
/// pays at one rate, which is the same work for all.</summary>
sealed class VerdictOnMessages : Verdict
{
    static readonly (long Clients, long Parallel, long Rate) usualLoad = (100, 10, 0);

    readonly string settings;
    readonly Cell[] all;
    readonly CellFigures[] atRate;
    readonly bool isOfRateAlone;
    // Those on the same work with messages of other sizes, the smallest first.
    VerdictOnMessages[] inOtherSizes = [];

    // Settings: what the cells share, in words. All: the cells among which baselines are.
    VerdictOnMessages(string settings, Cell[] all, CellFigures[] rows, CellFigures[] atRate) : base(rows)
    {
        this.settings = settings;
        this.all = all;
        this.atRate = atRate;
        isOfRateAlone = !rows[0].Cell.ClosedLoop;
    }

    /// <summary>Those of a sweep, one for echoes, streams and calls each: of cells that share all settings but
    /// delivery, clients, messages in flight, profile and rate those of which most are valid.</summary>
    public static IEnumerable<Verdict> In(Sweep sweep)
    {
        var varying = Cell.Varying(sweep.Cells);
        return sweep
            .Cells.Where(cell => cell is { Link: null, Work.HasRooms: false })
            .GroupBy(cell => WorkLayout.Of(cell.Work))
            .Select(work => InOneSize(sweep, varying, work));
    }

    static VerdictOnMessages InOneSize(Sweep sweep, HashSet<string> varying, IEnumerable<Cell> cells)
    {
        IGrouping<string, Cell>[] groups =
        [
            .. cells
                .GroupBy(cell => cell.SectionInWords(varying))
                .OrderBy(group => Text.NumbersPadded(group.Key), StringComparer.Ordinal),
        ];
        string Others(IGrouping<string, Cell> group) => group.First().SectionWithoutSize(varying);
        var most = groups.MaxBy(group => group.Count(cell => cell.CarriedItsLoad))!;
        var verdict = Of(sweep, most.Key, [.. most]);
        verdict.inOtherSizes =
        [
            .. groups
                .Where(group => group != most && Others(group) == Others(most))
                .Select(group => Of(sweep, group.Key, [.. group])),
        ];
        return verdict;
    }

    // The cells of one load: of 100 clients with 10 messages in flight each, or else of that which most valid cells
    // have, and of several such the highest.
    static Cell[] AtOneLoad(IEnumerable<Cell> cells) =>
        cells
            .GroupBy(cell => cell.Load)
            .OrderByDescending(load => load.Key == usualLoad && load.Any(cell => cell.CarriedItsLoad))
            .ThenByDescending(load => load.Count(cell => cell.CarriedItsLoad))
            .ThenByDescending(load => load.Key)
            .Select(load => load.ToArray())
            .FirstOrDefault([]);

    /// <inheritdoc/>
    public override string Title
    {
        get
        {
            var bytes = Subject.SizesInWords(Work, settings);
            var load = Layout.LoadInWords(Rows[0].Cell)
                + (atRate.Length == 0 || isOfRateAlone ? "" : $", and at {Rate:N0} {Work.Noun}s/s");
            // That calls are calls is in the load.
            var title = bytes == "" || bytes == Work.Group ? load : $"{bytes}: {load}";
            return char.ToUpperInvariant(title[0]) + title[1..];
        }
    }

    /// <inheritdoc/>
    public override Column[] FrontColumns =>
    [
        .. isOfRateAlone
            ? Array.Empty<Column>()
            :
            [
                new Column($"{Work.InWords("msgs/s")} (x baseline), {Layout.LoadOf(Rows[0].Cell)}", RateOf),
            ],
        .. Column.Known(Work.DiffersByDelivery ? [ServerCost] : [ServerCost, Latency], Rows),
    ];

    /// <inheritdoc/>
    public override double? FrontRatioOf(CellFigures row) => isOfRateAlone ? null : ToBaseline(row);

    /// <inheritdoc/>
    public override RoundRatio? RatioOverSweepsOf(CellFigures row) =>
        isOfRateAlone ? null : base.RatioOverSweepsOf(row);

    /// <inheritdoc/>
    public override IEnumerable<string> NotesOf(CellFigures row)
    {
        var rated = AtRate(row)?.Cell;
        if (rated == null || rated == row.Cell)
            return base.NotesOf(row);
        var ofRate = rated.ShortNotes().Except(row.Cell.ShortNotes());
        return base.NotesOf(row).Concat(ofRate.Select(note => $"at {Rate:N0}/s {note}"));
    }

    /// <summary>After those of this load, who is ahead in each other size.</summary>
    public override IEnumerable<string> Headlines() => base.Headlines().Concat(
        from other in inOtherSizes
        from headline in other.Headlines()
        select $"With {Work.SizeInWords(other.Rows[0].Cell.Settings.PayloadBytes)}, {FirstSentence(headline)}");

    /// <inheritdoc/>
    protected override IEnumerable<Cell> CellsOf(CellFigures row) =>
        AtRate(row) is { } rated && rated != row ? [row.Cell, rated.Cell] : [row.Cell];

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns =>
    [
        .. isOfRateAlone
            ? Array.Empty<Column>()
            : [new Column(Work.InWords("msgs/s"), RateOf), new Column("x baseline (interval)", ToBaselineInWords)],
        ServerCost,
        .. isOfRateAlone ? [Column.For(Metrics.P50)] : Array.Empty<Column>(),
        Latency,
    ];

    /// <inheritdoc/>
    protected override string Sentence(CellFigures[] libraries, CellFigures[] baselines)
    {
        var kind = libraries[0].Cell.Kind;
        if (isOfRateAlone)
            return Cheapest($"{kind}: ", libraries, baselines) ?? $"{kind}: what the servers cost is not known.";
        var first = libraries[0];
        var fastest = Headline.Of(
            $"{kind}: ",
            new("fastest was", "tie", Work.InWords("msgs/s"), Near),
            [.. libraries.Select(row => ContenderByRate(row, first))],
            Beside(baselines, row => RateInWords(row, Text.Rough)));
        var rated = atRate
            .Where(row => row.Cell.Kind == kind && row.Cell.CarriedItsLoad)
            .ToLookup(row => row.Cell.IsBaseline);
        return rated[false].Any()
            ? Cheapest($"{fastest} At {Rate:N0} {Work.Noun}s/s ", rated[false], [.. rated[true]]) ?? fastest
            : fastest;
    }

    WorkLayout Layout => WorkLayout.Of(Work);

    long Rate => atRate[0].Cell.Rate;

    // What the server pays at the rate, or else under the load.
    Column ServerCost =>
        OfRated(Column.CostOf(Metrics.ServerCpu with { Title = Work.InWords("server CPU µs/msg") }));

    Column Latency => atRate.Length == 0 ? Column.For(Layout.InVerdict) : OfRated(Column.For(Metrics.P99));

    // A column of the rate, where there are rows at one beside those of the verdict.
    Column OfRated(Column column) => atRate.Length == 0 || isOfRateAlone
        ? column
        : new($"{column.Title} at {Rate:N0}/s", row => AtRate(row) is { } rated ? column.Of(rated) : Text.Missing);

    CellFigures? AtRate(CellFigures row) =>
        atRate.FirstOrDefault(rated => (rated.Cell.Kind, rated.Cell.Name) == (row.Cell.Kind, row.Cell.Name));

    static VerdictOnMessages Of(Sweep sweep, string settings, Cell[] cells)
    {
        var byLoop = cells.ToLookup(cell => cell.ClosedLoop);
        var closed = Ordered(sweep, byLoop[true], Metrics.Throughput);
        var atRate = Ordered(sweep, byLoop[false], Metrics.MessagesACore);
        return new(settings, cells, closed.Length > 0 ? closed : atRate, atRate);
    }

    /// <summary>Those of the cells of one load, of each kind in order first those that carried it, and of these the
    /// one with the most.</summary>
    public static CellFigures[] Ordered(Sweep sweep, IEnumerable<Cell> cells, Metric most) =>
    [
        .. CellFigures.Of(sweep, AtOneLoad(cells))
            .OrderBy(row => row.Cell.KindOrder)
            .ThenByDescending(row => row.Cell.CarriedItsLoad)
            .ThenByDescending(most.ValueOf)
            .ThenBy(row => row.Cell.Name, StringComparer.Ordinal),
    ];

    static string RateOf(CellFigures row) => Column.Struck(row.Cell, RateInWords(row, Text.Number));

    static string RateInWords(CellFigures row, Func<double?, string> shown) =>
        (row.Cell.Bound == Bottleneck.Client ? "≥ " : "") + shown(Metrics.Throughput.ValueOf(row));

    string ToBaselineInWords(CellFigures row)
    {
        var interval = row.Cell.Baseline == row.Cell || row.Cell.ToBaseline is not { } ratio
            ? ""
            : $" ({Text.Number(ratio.Low)}–{Text.Number(ratio.High)})";
        return Column.Struck(row.Cell, Text.Number(ToBaseline(row)) + interval);
    }

    // Of the same rounds where they were interleaved, else of the baseline under the same load.
    double? ToBaseline(CellFigures row) =>
        row.Cell.Interleaved
            ? row.Cell.ToBaseline?.Value
            : Launch.Ratio(row.Cell.Throughput?.Median, BaselineOf(row.Cell)?.Throughput?.Median);

    Cell? BaselineOf(Cell cell) =>
        all.FirstOrDefault(other => other is { IsUsualBaseline: true, CarriedItsLoad: true, Interleaved: false }
            && (other.Kind, other.Load) == (cell.Kind, cell.Load));

    // Null where no server's cost is known.
    static string? Cheapest(string before, IEnumerable<CellFigures> libraries, CellFigures[] baselines)
    {
        CellFigures[] ordered =
        [
            .. libraries
                .Where(row => !row.Cell.ServerPolls && Metrics.ServerCpu.ValueOf(row) > 0)
                .OrderBy(Metrics.ServerCpu.ValueOf),
        ];
        if (ordered.Length == 0)
            return null;
        var unit = ordered[0].Cell.Work.InWords("µs/msg");
        return Headline.Of(
            before,
            new("the least server CPU was used by", "tie for the least server CPU", unit, Near),
            [.. ordered.Select(row => ContenderOf(row, ordered[0], Metrics.ServerCpu))],
            Beside(baselines, row => $"{Metrics.ServerCpu.Shown(row)} µs"));
    }

    // A lower bound may be ahead itself.
    static Headline.Contender ContenderByRate(CellFigures row, CellFigures first)
    {
        var shown = RateInWords(row, Text.Rough);
        var contender = ContenderOf(row, first, Metrics.Throughput, shown);
        return contender with { IsNotTold = contender.IsNotTold || row.Cell.Bound == Bottleneck.Client };
    }
}
