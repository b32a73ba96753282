/// <summary>The verdict on what libraries do in rooms: at a rate who keeps the delay that most games and chats bear,
/// and at which cost; in a closed loop who makes the most deliveries.</summary>
sealed class VerdictOnRooms : Verdict
{
    const double MostMs = MeasuredLink.OnTimeMs;
    const double MostLateTicksPercent = 1;
    const double LeastRankedCores = 0.01;
    const double UsualPlayers = 100;
    const double UsualHz = 30;
    const double UsAMs = 1e3;
    const double MsASecond = 1e3;

    readonly string load;
    readonly bool isClosedLoop;

    // Load: in words.
    VerdictOnRooms(string load, CellFigures[] rows) : base(rows)
    {
        this.load = load;
        isClosedLoop = rows[0].Cell.ClosedLoop;
    }

    /// <summary>Those of a sweep: one for games and one for broadcasts.</summary>
    public static IEnumerable<VerdictOnRooms> In(Sweep sweep)
    {
        var varying = Cell.Varying(sweep.Cells);
        return sweep.Cells
            .Where(cell => cell.Work.HasRooms)
            .GroupBy(cell => cell.Work)
            .OrderByDescending(cells => cells.Key.IsAlwaysPaced)
            .Select(cells => Of(sweep, cells, varying))
            .OfType<VerdictOnRooms>();
    }

    /// <summary>How far the load is from what most ask for, 100 players at 30 Hz; 0: it is that.</summary>
    public double FromUsual => Distance(Rows[0].Cell);

    /// <inheritdoc/>
    public override string Title
    {
        get
        {
            string title = $"{Work.Plural}: {load}";
            return char.ToUpperInvariant(title[0]) + title[1..];
        }
    }

    /// <inheritdoc/>
    public override Column[] FrontColumns => isClosedLoop
        ? [Column.For(RoomMetrics.Deliveries), Column.For(Metrics.ToBaseline)]
        : Column.Known([Column.For(RoomMetrics.DelayP99)], Rows);

    /// <inheritdoc/>
    public override string RatioTitle => isClosedLoop ? base.RatioTitle : Metrics.CpuToBaseline.Title;

    /// <inheritdoc/>
    public override RoundRatio? RatioOverSweepsOf(CellFigures row) =>
        isClosedLoop ? base.RatioOverSweepsOf(row) : row.Cell.CpuToBaseline;

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns => isClosedLoop
        ?
        [
            Column.For(RoomMetrics.Deliveries),
            Column.For(Metrics.ToBaseline),
            Column.For(RoomMetrics.DelayP99),
            Column.For(RoomMetrics.ServerCpuADelivery),
        ]
        :
        [
            Column.For(RoomMetrics.DelayP99),
            Column.For(Work.IsAlwaysPaced ? RoomMetrics.LateTicks : RoomMetrics.DelayP50),
            Column.For(RoomMetrics.Missing),
            Column.CostOf(RoomMetrics.ServerCores),
        ];

    /// <inheritdoc/>
    protected override string Sentence(CellFigures[] libraries, CellFigures[] baselines) =>
        isClosedLoop ? MostDeliveries(libraries, baselines) : LeastCores(libraries, baselines);

    static VerdictOnRooms? Of(Sweep sweep, IEnumerable<Cell> cells, HashSet<string> varying)
    {
        // By delivery mode; of each the best first.
        CellFigures[][] loads =
        [
            .. RoomSection.LoadsOf(sweep, cells)
                .Where(rows => rows.Any(row => row.Cell.Measured))
                .Select(rows => rows.OrderBy(row => row.Cell.KindOrder).ToArray()),
        ];
        if (loads.Length == 0)
            return null;
        // A load that few libraries bore answers few.
        int most = loads.Max(DrawnOf);
        int least = most > 1 ? most / 2 : most;
        CellFigures[] main = loads
            .Where(rows => DrawnOf(rows) >= least)
            .OrderBy(rows => rows[0].Cell.ClosedLoop)
            .ThenBy(rows => rows[0].Cell.Settings.HasTrouble)
            .ThenBy(rows => Distance(rows[0].Cell))
            .ThenByDescending(DrawnOf)
            .First();
        return new(RoomSection.LoadOf(main[0].Cell, varying), main);
    }

    static int DrawnOf(CellFigures[] rows) => rows.Count(row => row.Cell.IsDrawn);

    static double Distance(Cell cell) =>
        Math.Abs(Math.Log(cell.Clients / UsualPlayers))
        + (cell.ClosedLoop ? 0 : Math.Abs(Math.Log(RoomLoad.Hz(cell) / UsualHz)));

    static string MostDeliveries(CellFigures[] libraries, CellFigures[] baselines)
    {
        Metric deliveries = RoomMetrics.Deliveries;
        CellFigures[] ordered = [.. libraries.OrderByDescending(deliveries.ValueOf)];
        return Headline.Of(
            $"{libraries[0].Cell.Kind}: ",
            new("the most deliveries were made by", "tie for the most deliveries", "deliveries/s", Near),
            [.. ordered.Select(row => ContenderOf(row, ordered[0], deliveries, Text.Rough(deliveries.ValueOf(row))))],
            Beside(baselines, row => Text.Rough(deliveries.ValueOf(row))));
    }

    string LeastCores(CellFigures[] libraries, CellFigures[] baselines)
    {
        CellFigures[] valid = [.. libraries.Where(row => row.Cell.IsDrawn)];
        CellFigures[] keeping = [.. valid.Where(Keeps)];
        bool isAnyInvalid = valid.Length < libraries.Length;
        string said = $"{libraries[0].Cell.Kind}: {WhoKeeps(valid, keeping, isAnyInvalid)}";
        CellFigures[] late = [.. valid.Where(row => RoomMetrics.LateTicks.ValueOf(row) > MostLateTicksPercent)];
        if (late.Length > 0)
        {
            string ticks = Text.And(late.Select(row => $"{row.Cell.Name} ({RoomMetrics.LateTicks.Shown(row)} %)"));
            said += $"; over {MostLateTicksPercent} % of the ticks were late with {ticks}";
        }
        Metric cores = RoomMetrics.ServerCores;
        CellFigures[] ordered =
            [.. keeping.Where(row => !row.Cell.ServerPolls && cores.ValueOf(row) > 0).OrderBy(cores.ValueOf)];
        // Of servers that do next to nothing the least says nothing.
        if (ordered.Length == 0 || cores.ValueOf(ordered[^1]) < LeastRankedCores)
            return $"{said}.";
        string unit = ordered.All(row => cores.ValueOf(row) < 1) ? "of a core" : "cores";
        return Headline.Of(
            $"{said}; ",
            new("the least server CPU was used by", "tie for the least server CPU", unit, Near),
            [.. ordered.Select(row => ContenderOf(row, ordered[0], cores))],
            Beside(baselines, cores.Shown));
    }

    // An input waits for the server's next tick, and a packet for the link.
    double MostDelayMs =>
        MostMs
        + (Work.IsAlwaysPaced ? MsASecond / Rows[0].Cell.Settings.TickHz : 0)
        + (Rows[0].Cell.Link?.RttMs ?? 0);

    bool Keeps(CellFigures row) => RoomMetrics.DelayP99.ValueOf(row) / UsAMs <= MostDelayMs;

    string WhoKeeps(CellFigures[] valid, CellFigures[] keeping, bool isAnyInvalid)
    {
        CellFigures[] failing = [.. valid.Except(keeping)];
        if (valid.Length == 0)
            return "no library has valid delays";
        string within = $"{MostDelayMs:#,0.#} ms (p99)";
        string delays = isAnyInvalid ? " with valid delays" : "";
        if (keeping.Length > 0 && failing.Length == 0)
            return $"every library{delays} stays within {within}";
        if (keeping.Length > 0)
        {
            var names = Text.And(failing.Select(row => $"{row.Cell.Name} ({DelayOf(row)})"));
            return $"all{delays} but {names} stay within {within}";
        }
        return valid.Any(row => RoomMetrics.DelayP99.ValueOf(row) != null)
            ? $"no library stays within {within}"
            : "too few inputs or messages to know a p99";
    }

    static string DelayOf(CellFigures row) => RoomMetrics.DelayP99.ValueOf(row) is { } us
        ? $"{Text.Number(us / UsAMs)} ms"
        : "too few deliveries to know";
}
