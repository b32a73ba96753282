/// <summary>What a sweep says of the libraries that did one work, for who asks which to take: a sentence for each
/// delivery mode, and a table of one load. All other loads are in the appendix.</summary>
/// <param name="rows">Of each delivery mode the best first, those that are not valid last.</param>
abstract class Verdict(CellFigures[] rows)
{
    /// <summary>Where figures differ by no more, two that are not told apart tie.</summary>
    protected const double Near = 0.1;

    /// <summary>Those of a sweep: of rooms, of links, and of all else, for each work that of the load which tells most.
    /// </summary>
    public static Verdict[] Of(Sweep sweep) =>
        [.. VerdictOnRooms.In(sweep), .. VerdictOnLink.In(sweep), .. VerdictOnMessages.In(sweep)];

    /// <summary>The rows of the table.</summary>
    public CellFigures[] Rows { get; } = rows;

    /// <summary>What was done.</summary>
    public Work Work { get; } = rows[0].Cell.Work;

    /// <summary>Whether that went over an emulated link.</summary>
    public bool IsOverLink => Rows[0].Cell.Link != null;

    /// <summary>What its rows have in common, as a person says it; not escaped.</summary>
    public abstract string Title { get; }

    /// <summary>The columns of which something is known.</summary>
    public Column[] Columns => Column.Known(AllColumns, Rows);

    /// <summary>The columns of the front page, two or three, each with what it is of.</summary>
    public abstract Column[] FrontColumns { get; }

    /// <summary>The ratio to the baseline that the front page shows beside a row's first figure; null: none.</summary>
    public virtual double? FrontRatioOf(CellFigures row) => null;

    /// <summary>What the ratios over several sweeps are of.</summary>
    public virtual string RatioTitle => Metrics.ToBaseline.Title;

    /// <summary>The ratio to the baseline that is told over several sweeps; null: none.</summary>
    public virtual RoundRatio? RatioOverSweepsOf(CellFigures row) => row.Cell.ToBaseline;

    /// <summary>What is said below the table on the front page; in markdown.</summary>
    public virtual string[] FrontWords => [];

    /// <summary>What must be known before rows are compared; null: nothing. Not escaped.</summary>
    public string? Warning => FewLaunches(Rows.Select(row => row.Cell).Where(cell => cell.Measured));

    // Where most did not, a launch that failed is told by the note of its row alone.
    static string? FewLaunches(IEnumerable<Cell> cells) =>
        cells.Select(cell => (int?)Launches(cell)).Min() switch
        {
            null or >= RoundRatio.LeastLaunches => null,
            1 => "One launch: not a ranking. Rows that are close may change places in a second launch; "
                + "`--repeats 5` shows how launches differ.",
            var few =>
                $"{few} launches: a first look. It takes {RoundRatio.LeastLaunches} to know how launches differ.",
        };

    static int Launches(Cell cell) =>
        cell.Launches.Length + (cell.Failures.Length < cell.Launches.Length ? cell.Failures.Length : 0);

    /// <summary>A warning with its first sentence in bold.</summary>
    public static string InBold(string warning) => FirstInBold(warning) + warning[EndOfFirst(warning)..];

    /// <summary>Of a warning its first sentence alone, in bold.</summary>
    public static string FirstInBold(string warning) => $"**{warning[..EndOfFirst(warning)]}**";

    /// <summary>Which library is ahead, a sentence for each delivery mode; not escaped. Where all are versions of one
    /// library, that is told by VersionSection, which knows smaller differences.</summary>
    public virtual IEnumerable<string> Headlines() =>
        Rows.Select(row => row.Cell.Kind)
            .Distinct()
            .Select(kind => Rows.Where(row => row.Cell.Kind == kind && row.Cell.CarriedItsLoad).ToArray())
            .Select(rows => (Libraries: rows.Where(row => !row.Cell.IsBaseline).ToArray(), All: rows))
            .Where(mode => mode.Libraries.Length > 0 && !AreVersionsOfOne(mode.Libraries))
            .Select(mode => Sentence(mode.Libraries, [.. mode.All.Except(mode.Libraries)]));

    /// <summary>Writes it in markdown.</summary>
    public void Write(Page page)
    {
        page.Line($"\n## {Text.Markdown(Title)}\n");
        string[] sentences = [.. Headlines()];
        foreach (var sentence in sentences)
            page.Line($"- {Text.LongMarkdown(sentence)}");
        if (sentences.Length > 0)
            page.Line("");
        var common = Common;
        // What all rows do is told by the sentences.
        var isOfOneKind = Rows.All(row => row.Cell.Kind == Rows[0].Cell.Kind);
        Column[] columns =
        [
            .. isOfOneKind ? Array.Empty<Column>() : [new(WorkLayout.Of(Work).RowsOfVerdict, row => row.Cell.Kind)],
            .. Columns,
        ];
        page.Table(
            ["library", .. columns.Select(column => column.Title), "notes"],
            Rows.Where(row => row.Cell.Measured).Select(row => (string[])
            [
                Text.Markdown(row.Cell.Title),
                .. columns.Select(column => column.Of(row)),
                string.Join("; ", common.Without(NotesOf(row)).Select(Text.Markdown)),
            ]),
            figures: true,
            isOfOneKind ? [] : [columns[0].Title]);
        common.Write(page);
    }

    /// <summary>What most rows that are valid bear.</summary>
    public CommonNotes Common => new(Rows
        .Where(row => row.Cell.CarriedItsLoad)
        .Select(row => new CommonNotes.Row(row.Cell.Name, row.Cell.Kind, [.. NotesOf(row)])));

    /// <summary>What a reader must know of a row; not escaped.</summary>
    public virtual IEnumerable<string> NotesOf(CellFigures row) => row.Cell.ShortNotes();

    /// <summary>Why figures of a row are struck out or missing, if any are; not escaped.</summary>
    public IEnumerable<string> ReasonsOf(CellFigures row) => CellsOf(row).SelectMany(cell => cell.WhyNot()).Distinct();

    /// <summary>The first sentence of a headline.</summary>
    public static string FirstSentence(string headline) => headline.Split(". ")[0].TrimEnd('.') + ".";

    /// <summary>The cells that a row has figures of.</summary>
    protected virtual IEnumerable<Cell> CellsOf(CellFigures row) => [row.Cell];

    /// <summary>At most four, those that a reader needs most first.</summary>
    protected abstract IEnumerable<Column> AllColumns { get; }

    /// <summary>The sentence of one delivery mode. Libraries: those that carried their load, one or more, the one that
    /// is ahead first.</summary>
    protected abstract string Sentence(CellFigures[] libraries, CellFigures[] baselines);

    /// <summary>The baseline and other baselines of a delivery mode, for a sentence.</summary>
    protected static IEnumerable<(string Name, string Shown)> Beside(
        CellFigures[] baselines, Func<CellFigures, string> shown) =>
        baselines
            .OrderByDescending(row => row.Cell.IsUsualBaseline)
            .Select(row => (row.Cell.InSentence, shown(row)));

    /// <summary>Who is held against others by a metric: in a closed loop by the rounds that both had, as rates of
    /// slices follow the machine; else by their intervals.</summary>
    protected static Headline.Contender ContenderOf(
        CellFigures row, CellFigures first, Metric metric, string? shown = null)
    {
        var ratio = row.Cell.ClosedLoop ? row.Cell.ToOther(first.Cell) : null;
        return new(
            row.Cell.Name,
            ratio?.Value ?? metric.ValueOf(row) / metric.ValueOf(first) ?? 0,
            shown ?? metric.Shown(row),
            row.Cell.Launches.Length,
            row != first && !(ratio?.Ranks ?? Ratios.AreTold(metric.Of(row), metric.Of(first))));
    }

    static int EndOfFirst(string warning) => warning.IndexOf('.') + 1;

    static bool AreVersionsOfOne(CellFigures[] libraries)
    {
        string[] names = [.. libraries.Select(row => row.Cell.Library).Distinct()];
        return names.Length > 1 && names.Select(LibraryName.LibraryOf).Distinct().Count() == 1;
    }
}
