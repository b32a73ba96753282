/// <summary>What links do to the messages of one delivery mode: charts against loss and round trip, and a table of all
/// links, so that a link more is a row more and no section of its own.</summary>
sealed class LinkSection : CellSection
{
    readonly Sweep sweep;
    readonly Cell[] cells;
    readonly LinkLayout layout;

    /// <summary>Takes the section's charts on.</summary>
    public LinkSection(Sweep sweep, string kind, Cell[] cells, ChartList list)
        : base($"Over links, {kind}")
    {
        this.sweep = sweep;
        this.cells = Ordered(cells);
        layout = LinkLayout.Of(cells[0], sweep.Cells);
        var drawn = CellFigures.Of(sweep, cells.Where(cell => cell.IsDrawn));
        foreach (var (name, says, measure, against) in layout.Drawings)
            Add(list, $"{name}-{kind}", says, LinkChart.Of(drawn, measure, against, sweep.Looks));
        if (drawn.Select(row => row.Cell.Link).Distinct().Count() != 1)
            return;
        var loads = drawn
            .GroupBy(row => (row.Cell.Load, row.Cell.Settings.PayloadBytes))
            .Select(load => load.ToArray())
            .ToArray();
        foreach (var (name, says, measure) in layout.OfOneLink)
        {
            var panels = LinkChart.BarsOf(loads, measure, sweep.Looks, LinkChart.Conditions);
            Add(list, $"{name}-{kind}", says, panels);
        }
    }

    /// <inheritdoc/>
    public override int Rows => cells.Count(cell => cell.IsDrawn);

    /// <inheritdoc/>
    public override void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(Title)}\n");
        page.Line(layout.HowToRead + "\n");
        var rows = CellFigures.Of(sweep, cells);
        var columns = Column.Known(layout.Columns, rows);
        var common = CommonNotes.Of(cells, sweep.Repeats, cell => $"{cell.Link}");
        page.Table(
            ["library", "link", "load", .. columns.Select(column => column.Title), "notes"],
            rows.Select(row => Row(row, columns, common)),
            figures: true,
            "link",
            "load",
            LinkLayout.Emulator
        );
        common.Write(page);
    }

    string[] Row(CellFigures figures, Column[] columns, CommonNotes common) =>
        [
            Text.Markdown(figures.Cell.Title),
            Text.Markdown($"{figures.Cell.Link}"),
            WorkLayout.Of(figures.Cell.Work).LoadOf(figures.Cell),
            .. columns.Select(column => column.Of(figures)),
            Section.Notes(figures.Cell, sweep.Repeats, common),
        ];

    // By link, the nearest and soundest first; on each the fastest first.
    static Cell[] Ordered(Cell[] cells) =>
        [
            .. cells
                .OrderBy(cell => cell.Link!.RttMs)
                .ThenBy(cell => cell.Link!.LossPercent)
                .ThenBy(cell => cell.Link!.ToString(), StringComparer.Ordinal)
                .ThenBy(cell => cell.Load)
                .ThenBy(cell => cell.RoundTripNs(0.99m) ?? double.MaxValue),
        ];
}
