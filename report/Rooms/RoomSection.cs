/// <summary>What libraries do in rooms in one delivery mode: charts, and a table for each load.</summary>
sealed class RoomSection : CellSection
{
    static readonly Column[] atRate =
    [
        Column.For(RoomMetrics.DelayP50),
        Column.For(RoomMetrics.DelayP99),
        Column.IntervalOf(RoomMetrics.DelayP99, "delay p99 ms interval"),
        Column.For(RoomMetrics.JitterP99),
        Column.For(RoomMetrics.LateTicks),
        Column.For(RoomMetrics.Missing),
        Column.For(RoomMetrics.Deliveries),
        Column.For(RoomMetrics.ServerCores),
        Column.IntervalOf(RoomMetrics.ServerCores, "server cores interval"),
        Column.For(RoomMetrics.ServerCpuAPlayer),
        Column.For(RoomMetrics.PlayersACore),
        new("waits", figures => figures.Cell.Waits),
        .. shared,
    ];

    static readonly Column[] closedLoop =
    [
        Column.For(RoomMetrics.Deliveries),
        Column.For(Metrics.ToBaseline),
        new("interval", figures => Ratios.Interval(figures.Cell, figures.Cell.ToBaseline)),
        Column.For(RoomMetrics.DelayP50),
        Column.For(RoomMetrics.DelayP99),
        Column.For(RoomMetrics.Missing),
        Column.For(RoomMetrics.ServerCpuADelivery),
        Column.For(RoomMetrics.ServerCores),
        .. shared,
    ];

    static Column[] shared =>
    [
        Column.For(RoomMetrics.UpAPlayer),
        Column.For(RoomMetrics.DownAPlayer),
        Column.For(RoomMetrics.Packets),
        Column.For(RoomMetrics.ServerAllocated),
        Column.For(RoomMetrics.ServerMemoryAPlayer),
        Column.For(RoomMetrics.JoinP50),
        Column.For(RoomMetrics.JoinP99),
        Column.For(RoomMetrics.Leaves),
        Column.For(RoomMetrics.ConnectionsLost),
        Column.For(Metrics.MergedSendLagP99),
    ];

    static readonly string[] said = ["payload_bytes", "rate", .. RoomLoad.Says, .. LinkSettings.Names];

    readonly Sweep sweep;
    readonly CellFigures[][] loads;

    /// <summary>Takes the section's charts on.</summary>
    public RoomSection(Sweep sweep, string kind, Cell[] cells, ChartList list)
        : base($"In rooms, {kind}")
    {
        this.sweep = sweep;
        loads = LoadsOf(sweep, cells);
        var drawn = loads.Select(rows => rows.Where(row => row.Cell.IsDrawn).ToArray()).Where(rows => rows.Length > 0);
        var byLoop = drawn.ToLookup(rows => rows[0].Cell.ClosedLoop);
        AddAll(RoomChart.AtRate, byLoop[false]);
        AddAll(RoomChart.ClosedLoop, byLoop[true]);

        void AddAll(LinkLayout.Bars[] charts, IEnumerable<CellFigures[]> loads)
        {
            foreach (var (name, says, measure) in charts)
            {
                var panels = LinkChart.BarsOf(loads, measure, sweep.Looks, RoomChart.Conditions);
                Add(list, $"{name}-{kind}", says, panels);
            }
        }
    }

    /// <summary>The rows of each load: those in rooms that differ in nothing but library, variant, profile and
    /// encryption. The loads at a rate first, of most clients; of each the best row first.</summary>
    public static CellFigures[][] LoadsOf(Sweep sweep, IEnumerable<Cell> cells)
    {
        var varying = Cell.Varying(sweep.Cells);
        return
        [
            .. cells
                .GroupBy(cell => LoadOf(cell, varying))
                .OrderBy(load => load.First().ClosedLoop)
                .ThenBy(load => load.First().Settings.HasTrouble)
                .ThenByDescending(load => load.First().Clients)
                .ThenBy(load => Text.NumbersPadded(load.Key), StringComparer.Ordinal)
                .Select(load => Ordered(CellFigures.Of(sweep, load))),
        ];
    }

    /// <summary>What a load is, in words. Varying: settings that differ between cells of the sweep.</summary>
    public static string LoadOf(Cell cell, HashSet<string> varying)
    {
        var others = cell.InWords([.. varying.Except(said)]);
        return RoomLoad.InWords(cell)
            + (cell.Link == null ? "" : $", over a link of {cell.Link}")
            + (others == "" ? "" : $", {others}");
    }

    /// <inheritdoc/>
    public override int Rows => loads.Sum(rows => rows.Count(row => row.Cell.IsDrawn));

    /// <inheritdoc/>
    public override void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(Title)}");
        foreach (var rows in loads)
        {
            var cells = rows.Select(row => row.Cell).ToArray();
            page.Line($"\n#### {Text.Markdown(LoadOf(cells[0], Cell.Varying(sweep.Cells)))}\n");
            var columns = Column.Known(cells[0].ClosedLoop ? closedLoop : atRate, rows);
            var common = CommonNotes.Of(cells, sweep.Repeats, cell => cell.Kind);
            page.Table(
                ["library", .. columns.Select(column => column.Title), "notes"],
                rows.Select(row => Row(row, columns, common)),
                figures: true);
            common.Write(page);
        }
    }

    string[] Row(CellFigures row, Column[] columns, CommonNotes common) =>
    [
        Text.Markdown(row.Cell.Title),
        .. columns.Select((column, i) =>
            row.Cell.Measured ? column.Of(row) : i == 0 ? "failed" : Text.Missing),
        Section.Notes(row.Cell, sweep.Repeats, common),
    ];

    // At a rate the cheapest server first, in a closed loop the most deliveries.
    static CellFigures[] Ordered(CellFigures[] rows) =>
    [
        .. rows
            .OrderByDescending(row => row.Cell.Measured)
            .ThenByDescending(row => row.Cell.IsDrawn)
            .ThenBy(row => row.Cell.ClosedLoop
                ? -RoomMetrics.Deliveries.ValueOf(row) ?? 0
                : RoomMetrics.ServerCores.ValueOf(row) ?? double.MaxValue)
            .ThenBy(row => row.Cell.Name, StringComparer.Ordinal),
    ];
}
