/// <summary>What libraries do in rooms, for who asks which to take: a sentence for each load and delivery mode, and a
/// table of one load.</summary>
/// <param name="Work">What is done in them.</param>
/// <param name="Loads">The rows of each load: that of the table first, all others in the order of the sections.</param>
/// <param name="Words">Those loads.</param>
sealed record RoomVerdict(Work Work, CellFigures[][] Loads, string[] Words)
{
    const double MostMs = MeasuredLink.OnTimeMs;
    const double MostLateTicksPercent = 1;
    const double UsualPlayers = 100;
    const double UsualHz = 30;
    const double UsAMs = 1e3;
    const double MsASecond = 1e3;

    static readonly Column waits = new("waits", row => row.Cell.Waits);

    // At a rate all make as many deliveries, and are held against each other by what that costs.
    static readonly Column[] atRate =
    [
        Column.OfDrawn(RoomMetrics.DelayP50),
        Column.OfDrawn(RoomMetrics.DelayP99),
        Column.OfCarried(RoomMetrics.LateTicks),
        Column.OfCarried(RoomMetrics.Missing),
        Column.OfCarried(RoomMetrics.ServerCores),
        Column.OfCarried(RoomMetrics.PlayersACore),
        waits,
    ];

    static readonly Column[] ofClosedLoops =
    [
        Column.OfCarried(RoomMetrics.Deliveries),
        Column.OfCarried(Metrics.ToBaseline),
        Column.OfDrawn(RoomMetrics.DelayP50),
        Column.OfDrawn(RoomMetrics.DelayP99),
        Column.OfCarried(RoomMetrics.Missing),
        Column.OfCarried(RoomMetrics.ServerCpuADelivery),
    ];

    /// <summary>Those of a sweep: one for games and one for broadcasts, where there are any that are valid.</summary>
    public static RoomVerdict[] Of(Sweep sweep)
    {
        var varying = Cell.Varying(sweep.Cells);
        return
        [
            .. sweep.Cells
                .Where(cell => cell.Work.HasRooms)
                .GroupBy(cell => cell.Work)
                .OrderByDescending(cells => cells.Key.IsAlwaysPaced)
                .Select(cells => Of(sweep, cells.Key, [.. cells], varying))
                .OfType<RoomVerdict>(),
        ];
    }

    /// <summary>The rows of the table.</summary>
    public CellFigures[] Rows => Loads[0];

    /// <summary>How far the load of the table is from what most ask for, 100 players at 30 Hz; 0: it is that.</summary>
    public double FromUsual => Distance(Rows[0].Cell);

    /// <summary>Whether what the table tells of went over an emulated link.</summary>
    public bool IsOverLink => Rows[0].Cell.Link != null;

    /// <summary>What stands above the table; not escaped.</summary>
    public string Title
    {
        get
        {
            string title = $"{Work.Plural}: {Words[0]}";
            return char.ToUpperInvariant(title[0]) + title[1..];
        }
    }

    /// <summary>What most rows bear.</summary>
    public CommonNotes Common { get; } =
        CommonNotes.Of(Loads[0].Select(row => row.Cell), null, cell => cell.Kind);

    /// <summary>What must be known before rows are compared; null: nothing. Not escaped.</summary>
    public string? Warning => VerdictTable.FewLaunches(Rows.Select(row => row.Cell).Where(cell => cell.IsDrawn));

    /// <summary>The columns of figures of which something is known.</summary>
    public Column[] Columns => Column.Known(Rows[0].Cell.ClosedLoop ? ofClosedLoops : atRate, Rows);

    /// <summary>A sentence for each delivery mode of the table; not escaped.</summary>
    public IEnumerable<string> Headlines() => HeadlinesOf(Rows);

    /// <summary>The same of some delivery modes.</summary>
    public IEnumerable<string> Headlines(IEnumerable<string> kinds) =>
        HeadlinesOf([.. Rows.Where(row => kinds.Contains(row.Cell.Kind))]);

    /// <summary>Sentences on the other loads; not escaped.</summary>
    public IEnumerable<string> OfOtherLoads() =>
        Loads.Zip(Words).Skip(1).SelectMany(load => HeadlinesOf(load.First).Select(said => $"{load.Second}; {said}"));

    /// <summary>What a reader must know of a row; not escaped.</summary>
    public IEnumerable<string> NotesOf(Cell cell) => Common.Without(cell.Notes(null));

    /// <summary>What the columns mean.</summary>
    public string VerdictInWords
    {
        get
        {
            string limit = $" The limit of its p99 is {MostMs:0} ms"
                + (Work.IsAlwaysPaced ? " and one tick" : "")
                + (IsOverLink ? " beyond the link's round trip." : ".");
            string delay = Work.IsAlwaysPaced
                ? "Delay: from when an input was due until its player had the first snapshot that tells of it. In "
                    + "time: snapshots that came at most one tick later than the schedule that the earliest one so far "
                    + "sets. Late ticks: begun over a tenth of a tick late, or not made."
                : "Delay: from when a message was due until one client of the room had it, of all deliveries.";
            string polling = Rows.Any(row => row.Cell.Waits.Contains("polls"))
                ? " A library that polls may use a whole core however few play: its players per core are no capacity."
                : "";
            return $"{delay}{limit} Players per core are computed: the players over the cores that the server used."
                + polling;
        }
    }

    /// <summary>Writes it in markdown. IsWarned: where the warning stands above all tables.</summary>
    public void Write(Page page, bool isWarned)
    {
        VerdictTable.Above(page, Title, Headlines(), isWarned ? null : Warning);
        var shown = Columns;
        page.Table(
            ["library", "delivery", .. shown.Select(column => column.Title), "notes"],
            Rows.Select(row => Row(row, shown)),
            figures: true,
            "delivery",
            waits.Title);
        Common.Write(page);
        page.Line($"\n{Text.LongMarkdown(VerdictInWords)}");
        string[] others = [.. OfOtherLoads()];
        if (others.Length == 0)
            return;
        page.Line("\nOther loads:\n");
        foreach (var sentence in others)
            page.Line($"- {Text.LongMarkdown(sentence)}");
    }

    static RoomVerdict? Of(Sweep sweep, Work work, Cell[] cells, HashSet<string> varying)
    {
        // By delivery mode; of each the best first.
        CellFigures[][] loads =
        [
            .. RoomSection.LoadsOf(sweep, cells)
                .Where(rows => rows.Any(row => row.Cell.IsDrawn))
                .Select(rows => rows.OrderBy(row => row.Cell.KindOrder).ToArray()),
        ];
        if (loads.Length == 0)
            return null;
        // A load that few libraries bore answers few.
        int least = loads.Max(DrawnOf) / 2;
        CellFigures[] main = loads
            .Where(rows => DrawnOf(rows) >= least)
            .OrderBy(rows => rows[0].Cell.ClosedLoop)
            .ThenBy(rows => rows[0].Cell.Settings.HasTrouble)
            .ThenBy(rows => Distance(rows[0].Cell))
            .ThenByDescending(DrawnOf)
            .First();
        CellFigures[][] all = [main, .. loads.Where(rows => rows != main)];
        return new(work, all, [.. all.Select(rows => RoomSection.LoadOf(rows[0].Cell, varying))]);
    }

    static int DrawnOf(CellFigures[] rows) => rows.Count(row => row.Cell.IsDrawn);

    // From what most ask for: 100 players at 30 Hz.
    static double Distance(Cell cell) =>
        Math.Abs(Math.Log(cell.Clients / UsualPlayers))
        + (cell.ClosedLoop ? 0 : Math.Abs(Math.Log(RoomLoad.Hz(cell) / UsualHz)));

    static IEnumerable<string> HeadlinesOf(CellFigures[] rows)
    {
        foreach (var kind in rows.Where(row => row.Cell.IsDrawn).GroupBy(row => row.Cell.Kind))
        {
            CellFigures[] libraries = [.. kind.Where(row => !row.Cell.IsBaseline)];
            CellFigures[] baselines = [.. kind.Where(row => row.Cell.IsUsualBaseline)];
            if (libraries.Length > 0)
            {
                yield return libraries[0].Cell.ClosedLoop
                    ? MostDeliveries(kind.Key, libraries, baselines)
                    : LeastCores(kind.Key, libraries, baselines, isAnyInvalid: IsAnyInvalid(rows, kind.Key));
            }
        }
    }

    static string MostDeliveries(string kind, CellFigures[] libraries, CellFigures[] baselines)
    {
        Metric deliveries = RoomMetrics.Deliveries;
        CellFigures[] ordered = [.. libraries.OrderByDescending(deliveries.ValueOf)];
        return Headline.Of(
            kind,
            new("the most deliveries were made by", "tie for the most deliveries", "deliveries/s", Near: 0.1),
            [.. ordered.Select(row => ContenderOf(row, ordered[0], deliveries, Text.Rough(deliveries.ValueOf(row))))],
            baselines.Select(row => (NameOf(row), Text.Rough(deliveries.ValueOf(row)))));
    }

    // Who keeps the delay that most games and chats bear, and at which cost.
    static string LeastCores(string kind, CellFigures[] libraries, CellFigures[] baselines, bool isAnyInvalid)
    {
        // An input waits for the server's next tick, and a packet for the link.
        Cell any = libraries[0].Cell;
        double tickMs = any.Work.IsAlwaysPaced ? MsASecond / any.Settings.TickHz : 0;
        double mostMs = MostMs + tickMs + (any.Link?.RttMs ?? 0);
        bool Keeps(CellFigures row) => RoomMetrics.DelayP99.ValueOf(row) / UsAMs <= mostMs;
        CellFigures[] keeping = [.. libraries.Where(Keeps)];
        CellFigures[] failing = [.. libraries.Except(keeping)];
        string within = $"{mostMs:#,0.#} ms";
        string valid = isAnyInvalid ? " with valid delays" : "";
        bool isKnown = libraries.Any(row => RoomMetrics.DelayP99.ValueOf(row) != null);
        string said = keeping.Length switch
        {
            0 when !isKnown => "too few inputs or messages to know a p99",
            0 => $"no library stays within {within} (p99)",
            _ when failing.Length == 0 => $"every library{valid} stays within {within} (p99)",
            _ => $"all{valid} but {Text.And(failing.Select(row => $"{row.Cell.Name} ({DelayOf(row)})"))} stay within "
                + $"{within} (p99)",
        };
        CellFigures[] late =
            [.. libraries.Where(row => RoomMetrics.LateTicks.ValueOf(row) > MostLateTicksPercent)];
        if (late.Length > 0)
        {
            string ticks = Text.And(late.Select(row => $"{row.Cell.Name} ({RoomMetrics.LateTicks.Shown(row)} %)"));
            said += $"; over {MostLateTicksPercent} % of the ticks were late with {ticks}";
        }
        Metric cores = RoomMetrics.ServerCores;
        CellFigures[] ordered =
        [
            .. (keeping.Length > 0 ? keeping : libraries)
                .Where(row => cores.ValueOf(row) > 0)
                .OrderBy(cores.ValueOf),
        ];
        if (ordered.Length == 0)
            return $"{kind}: {said}.";
        string unit = ordered.All(row => cores.ValueOf(row) < 1) ? "of a core" : "cores";
        return Headline.Of(
            kind,
            new("the least server CPU was used by", "tie for the least server CPU", unit, Near: 0.1),
            [.. ordered.Select(row => ContenderOf(row, ordered[0], cores, cores.Shown(row)))],
            baselines.Select(row => (NameOf(row), cores.Shown(row))),
            keeping.Length == 0 ? $"{said}; of all, " : $"{said}; ");
    }

    static bool IsAnyInvalid(CellFigures[] rows, string kind) =>
        rows.Any(row => row.Cell.Kind == kind && !row.Cell.IsBaseline && !row.Cell.IsDrawn);

    static string DelayOf(CellFigures row) => RoomMetrics.DelayP99.ValueOf(row) is { } us
        ? $"{Text.Number(us / UsAMs)} ms"
        : "too few deliveries to know";

    static string NameOf(CellFigures row) => $"Baseline, {Baseline.InWords(row.Cell.Library)}";

    static Headline.Contender ContenderOf(CellFigures row, CellFigures first, Metric metric, string shown) =>
        new(
            row.Cell.Name,
            metric.ValueOf(row) / metric.ValueOf(first) ?? 0,
            shown,
            row.Cell.Launches.Length,
            row == first || !IsTold(row, first, metric));

    // In a closed loop by the same rounds, if there were any.
    static bool IsTold(CellFigures row, CellFigures first, Metric metric) =>
        row.Cell.ClosedLoop && row.Cell.ToOther(first.Cell) is { } ratio
            ? ratio.Ranks
            : Ratios.AreTold(metric.Of(row), metric.Of(first));

    string[] Row(CellFigures row, Column[] shown) =>
    [
        Text.Markdown(row.Cell.Title),
        row.Cell.Kind,
        .. shown.Select(column => row.Cell.Measured ? column.Of(row) : Text.Missing),
        string.Join("; ", NotesOf(row.Cell).Select(Text.Markdown)),
    ];
}
