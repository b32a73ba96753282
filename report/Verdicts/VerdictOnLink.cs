/// <summary>The verdict on what a link did to each library, for who asks which to take over the internet: of the link
/// that is nearest to 50 ms and 2 % loss, under one load.</summary>
sealed class VerdictOnLink(LinkSettings link, LinkLayout layout, CellFigures[] rows) : Verdict(rows)
{
    const double UsualRttMs = 50;
    const double UsualLossPercent = 2;

    /// <summary>Those of a sweep: one for each way of counting messages; none where none were sent over a link.
    /// </summary>
    public static IEnumerable<VerdictOnLink> In(Sweep sweep) =>
        sweep
            .Cells.Where(cell => cell is { Link: not null, Work.HasRooms: false })
            .GroupBy(cell => cell.Counting)
            .OrderByDescending(works => works.Key.HasRoundTrips)
            .Select(works => Of(sweep, [.. works]))
            .OfType<VerdictOnLink>();

    /// <inheritdoc/>
    public override string Title => $"On a link of {link}: {WorkLayout.Of(Work).LoadInWords(Rows[0].Cell)}";

    /// <inheritdoc/>
    public override Column[] FrontColumns => layout.OnFront;

    /// <inheritdoc/>
    public override string[] FrontWords => [Text.Markdown(layout.VerdictInWords)];

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns => layout.InVerdict;

    /// <inheritdoc/>
    protected override string Sentence(CellFigures[] libraries, CellFigures[] baselines) =>
        Headline.Of(
            $"{libraries[0].Cell.Kind}: ",
            layout.Asked,
            [.. libraries.Select(row => ContenderOf(row, libraries[0], layout.Decisive))],
            Beside(baselines, row => $"{layout.Decisive.Shown(row)} {layout.Asked.Unit}"));

    static VerdictOnLink? Of(Sweep sweep, Cell[] cells)
    {
        var layout = LinkLayout.Of(cells[0], sweep.Cells);
        Cell[] judged = [.. cells.Where(layout.IsJudged)];
        Cell[] valid = [.. judged.Where(cell => cell.IsDrawn)];
        if (valid.Length == 0)
            return null;
        var link = Nearest(valid);
        var judgedOnIt = judged.Where(cell => cell.Link == link);
        return new(link, layout, VerdictOnMessages.Ordered(sweep, judgedOnIt, layout.Decisive));
    }

    static LinkSettings Nearest(Cell[] cells) =>
        cells
            .Select(cell => cell.Link!)
            .Distinct()
            .OrderBy(link => Math.Abs(link.RttMs - UsualRttMs))
            .ThenBy(link => Math.Abs(link.LossPercent - UsualLossPercent))
            .ThenBy(link => link.ToString(), StringComparer.Ordinal)
            .First();
}
