/// <summary>What links do to the messages of one delivery mode: charts against loss and round trip, and a table of all
/// links, so that a link more is a row more and no section of its own.</summary>
sealed class LinkSection
{
    readonly Sweep sweep;
    readonly Cell[] cells;
    readonly LinkLayout layout;
    readonly string title;
    readonly (string Says, string File)[] charts;

    /// <summary>Takes the section's charts on.</summary>
    public LinkSection(Sweep sweep, string kind, Cell[] cells, ChartList list)
    {
        this.sweep = sweep;
        this.cells = Ordered(cells);
        layout = LinkLayout.Of(cells[0], sweep.Cells);
        title = $"Over links, {kind}";
        var drawn = CellFigures.Of(sweep, cells.Where(cell => cell.IsDrawn));
        List<(string Says, string File)> added = [];
        foreach (var (name, says, measure, against) in layout.Drawings)
        {
            var panels = LinkChart.Of(drawn, measure, against, sweep.Looks);
            if (panels.Length > 0)
                added.Add((says, list.Add($"{name}-{kind}", $"{says}, {title}", panels)));
        }
        if (drawn.Select(row => row.Cell.Link).Distinct().Count() == 1)
        {
            foreach (var (name, says, measure) in layout.OfOneLink)
            {
                if (LinkChart.BarsOf(drawn, measure, sweep.Looks) is { Length: > 0 } panels)
                    added.Add((says, list.Add($"{name}-{kind}", $"{says}, {title}", panels)));
            }
        }
        charts = [.. added];
    }

    /// <summary>Writes the charts under a heading, if there are any.</summary>
    public void WriteCharts(Page page)
    {
        if (charts.Length > 0)
            page.Line($"\n### {Text.Markdown(title)}");
        foreach (var (says, file) in charts)
            page.Line($"\n![{says}, {Text.Markdown(title)}]({file}{ChartFiles.Ending})");
    }

    /// <summary>Writes the table under a heading.</summary>
    public void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(title)}\n");
        page.Line(layout.HowToRead + "\n");
        if (VerdictTable.FewLaunches(cells.Where(cell => cell.IsDrawn)) is { } warning)
            page.Line($"{VerdictTable.InBold(warning)}\n");
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
