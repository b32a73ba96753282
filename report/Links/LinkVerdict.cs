/// <summary>What a link did to each library, for who asks which to take over the internet: of the link that is nearest
/// to 50 ms and 2 % loss, under one load.</summary>
/// <param name="Link">That link.</param>
/// <param name="Layout">What is told of the messages.</param>
/// <param name="Rows">Of each library, by delivery mode the best first, those that are not valid last.</param>
sealed record LinkVerdict(LinkSettings Link, LinkLayout Layout, CellFigures[] Rows)
{
    const double UsualRttMs = 50;
    const double UsualLossPercent = 2;

    /// <summary>Those of a sweep: one for each way of counting messages; none where none were sent over a link.
    /// </summary>
    public static LinkVerdict[] Of(Sweep sweep) =>
        [
            .. sweep
                .Cells.Where(cell => cell is { Link: not null, Work.HasRooms: false })
                .GroupBy(cell => cell.Counting)
                .OrderByDescending(works => works.Key.HasRoundTrips)
                .Select(works => Of(sweep, [.. works]))
                .OfType<LinkVerdict>(),
        ];

    /// <summary>What most rows bear.</summary>
    public CommonNotes Common { get; } = CommonNotes.Of(Rows.Select(row => row.Cell), null, cell => cell.Kind);

    /// <summary>What stands above its rows; not escaped.</summary>
    public string Title =>
        $"On a link of {Link}: {WorkLayout.Of(Rows[0].Cell.Work).LoadInWords(Rows[0].Cell)}";

    /// <summary>What must be known before rows are compared; null: nothing. Not escaped.</summary>
    public string? Warning => VerdictTable.FewLaunches(Rows.Select(row => row.Cell).Where(cell => cell.IsDrawn));

    /// <summary>The columns of figures of which something is known.</summary>
    public Column[] Columns => Column.Known(Layout.InVerdict, Rows);

    /// <summary>Which library is ahead, a sentence for each delivery mode; not escaped.</summary>
    public IEnumerable<string> Headlines() => Headlines(Rows.Select(row => row.Cell.Kind));

    /// <summary>The same of some delivery modes.</summary>
    public IEnumerable<string> Headlines(IEnumerable<string> kinds)
    {
        var ofKinds = Rows.Where(row => row.Cell.IsDrawn && kinds.Contains(row.Cell.Kind));
        foreach (var kind in ofKinds.GroupBy(row => row.Cell.Kind))
        {
            CellFigures[] libraries = [.. kind.Where(row => !row.Cell.IsBaseline)];
            if (libraries.Length == 0)
                continue;
            yield return Headline.Of(
                kind.Key,
                Layout.Asked,
                [.. libraries.Select(row => ContenderOf(row, libraries[0]))],
                kind.Where(row => row.Cell.IsUsualBaseline).Select(Beside));
        }

        (string, string) Beside(CellFigures row) =>
            (
                $"Baseline, {Baseline.InWords(row.Cell.Library)}",
                $"{Layout.Decisive.Shown(row)} {Layout.Asked.Unit}"
            );
    }

    /// <summary>Writes it in markdown. IsWarned: where the warning stands above all tables.</summary>
    public void Write(Page page, bool isWarned)
    {
        VerdictTable.Above(page, Title, Headlines(), isWarned ? null : Warning);
        var columns = Columns;
        page.Table(
            ["library", "delivery", .. columns.Select(column => column.Title), "notes"],
            Rows.Select(row => Row(row, columns)),
            figures: true,
            "delivery"
        );
        Common.Write(page);
        page.Line($"\n{Text.Markdown(Layout.VerdictInWords)}");
    }

    /// <summary>What a reader must know of a row; not escaped.</summary>
    public IEnumerable<string> NotesOf(Cell cell) => Common.Without(cell.Notes(null));

    static LinkVerdict? Of(Sweep sweep, Cell[] cells)
    {
        var layout = LinkLayout.Of(cells[0], sweep.Cells);
        Cell[] judged = [.. cells.Where(layout.IsJudged)];
        Cell[] valid = [.. judged.Where(cell => cell.IsDrawn)];
        if (valid.Length == 0)
            return null;
        var link = Nearest(valid);
        var shown = CellFigures.Of(sweep, Verdict.AtOneLoad([.. judged.Where(cell => cell.Link == link)]));
        return new(
            link,
            layout,
            [
                .. shown
                    .OrderBy(figures => figures.Cell.KindOrder)
                    .ThenByDescending(figures => figures.Cell.IsDrawn)
                    .ThenByDescending(layout.Decisive.ValueOf)
                    .ThenBy(figures => figures.Cell.Name, StringComparer.Ordinal),
            ]
        );
    }

    Headline.Contender ContenderOf(CellFigures row, CellFigures first) =>
        new(
            row.Cell.Name,
            Layout.Decisive.ValueOf(row) / Layout.Decisive.ValueOf(first) ?? 0,
            Layout.Decisive.Shown(row),
            row.Cell.Launches.Length,
            !Ratios.AreTold(Layout.Decisive.Of(row), Layout.Decisive.Of(first)));

    string[] Row(CellFigures figures, Column[] columns) =>
        [
            Text.Markdown(figures.Cell.Title),
            figures.Cell.Kind,
            .. columns.Select(column =>
                figures.Cell.Measured
                    ? Section.Struck(!figures.Cell.IsDrawn, column.Of(figures))
                    : Text.Missing),
            string.Join("; ", NotesOf(figures.Cell).Select(Text.Markdown)),
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
