/// <summary>What a link did to each library, for who asks which to take over the internet: of the link that is nearest
/// to 50 ms and 2 % loss.</summary>
/// <param name="Link">That link.</param>
/// <param name="Layout">What is told of the messages.</param>
/// <param name="Rows">Of each library, by delivery mode and load the best first.</param>
sealed record LinkVerdict(LinkSettings Link, LinkLayout Layout, CellFigures[] Rows)
{
    const double UsualRttMs = 50;
    const double UsualLossPercent = 2;

    /// <summary>Those of a sweep: one for each way of counting messages; none where none were sent over a link.
    /// </summary>
    public static LinkVerdict[] Of(Sweep sweep) =>
        [
            .. sweep
                .Cells.Where(cell => cell is { Link: not null, IsDrawn: true })
                .GroupBy(cell => cell.Counting)
                .OrderByDescending(works => works.Key.HasRoundTrips)
                .Select(works => Of(sweep, [.. works]))
                .OfType<LinkVerdict>(),
        ];

    /// <summary>What stands above its rows.</summary>
    public string Title => $"On a link of {Link}, {Layout.VerdictInWords}:";

    /// <summary>Writes it in markdown.</summary>
    public void Write(Page page)
    {
        page.Line($"\n{Text.Markdown(Title)}\n");
        page.Table(
            ["library", "delivery", "load", .. Layout.InVerdict.Select(column => column.Title)],
            Rows.Select(Row),
            figures: true,
            "delivery",
            "load"
        );
    }

    static LinkVerdict? Of(Sweep sweep, Cell[] cells)
    {
        var layout = LinkLayout.Of(cells[0], sweep.Cells);
        var judged = cells.Where(layout.IsJudged).ToArray();
        if (judged.Length == 0)
            return null;
        var link = Nearest(judged);
        var onLink = CellFigures.Of(sweep, judged.Where(cell => cell.Link == link));
        return new(
            link,
            layout,
            [
                .. onLink
                    .OrderBy(figures => figures.Cell.KindOrder)
                    .ThenBy(figures => figures.Cell.Load)
                    .ThenByDescending(layout.Decisive.ValueOf),
            ]
        );
    }

    string[] Row(CellFigures figures) =>
        [
            Text.Markdown(figures.Cell.Title),
            figures.Cell.Kind,
            WorkLayout.Of(figures.Cell.Work).LoadOf(figures.Cell),
            .. Layout.InVerdict.Select(column => column.Of(figures)),
        ];

    static LinkSettings Nearest(Cell[] cells) =>
        cells
            .Select(cell => cell.Link!)
            .Distinct()
            .OrderBy(link => Math.Abs(link.RttMs - UsualRttMs))
            .ThenBy(link => Math.Abs(link.LossPercent - UsualLossPercent))
            .ThenBy(link => link.ToString(), StringComparer.Ordinal)
            .First();
}
