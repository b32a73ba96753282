using System.Text.RegularExpressions;

/// <summary>The verdicts of a sweep over cells that share all settings but delivery, profile and what the kind of table
/// lets differ.</summary>
abstract partial class VerdictTable
{
    static readonly Column serializer = new("serializer", row => row.Serializer) { IsText = true };

    readonly VerdictRow[] ahead; // the first of each kind first, whatever its serializer

    /// <summary>Settings: what the cells share, in words. Rows: by delivery mode, in any order.</summary>
    protected VerdictTable(string settings, IEnumerable<VerdictRow> rows, Func<VerdictRow, double?> firstIsMost)
    {
        Settings = settings;
        ahead =
        [
            .. rows.OrderBy(row => row.KindOrder)
                .ThenByDescending(row => row.Best != null)
                .ThenByDescending(row => row.Shown == null ? null : firstIsMost(row))
                .ThenBy(row => row.Name, StringComparer.Ordinal),
        ];
        // Calls of one serializer stand together.
        Rows = [.. ahead.GroupBy(row => (row.Kind, SerializerOf(row))).SelectMany(rows => rows)];
        Work = Rows[0].Work;
        Layout = WorkLayout.Of(Work);
        Common = new(Rows.Where(row => row.Best != null).Select(row => new CommonNotes.Row(
            row.Name, row.Kind, [.. row.Notes()])));
    }

    /// <summary>A column: its title, and what stands there of a row that has figures; not escaped.</summary>
    public sealed record Column(string Title, Func<VerdictRow, string> Of)
    {
        /// <summary>Whether it has words, which stay what they are where a row is not valid.</summary>
        public bool IsText { get; init; }
    }

    /// <summary>What the cells share, as sections of a report have it.</summary>
    public string Settings { get; }

    /// <summary>By delivery mode or by what is called, and calls by serializer; the one that is ahead first, those
    /// without a valid figure last.</summary>
    public VerdictRow[] Rows { get; }

    /// <summary>What was done in all of them.</summary>
    public Work Work { get; }

    /// <summary>How that is shown.</summary>
    protected WorkLayout Layout { get; }

    /// <summary>What most rows that are valid bear.</summary>
    public CommonNotes Common { get; }

    /// <summary>The delivery modes of the rows, in the order of the contract.</summary>
    public IEnumerable<string> Kinds => Rows.Select(row => row.Kind).Distinct();

    /// <summary>What its rows have in common, as a person says it; not escaped.</summary>
    public abstract string Title { get; }

    /// <summary>What its columns mean that a reader may not know.</summary>
    public abstract string HowToRead { get; }

    /// <summary>The columns of figures, those that a reader needs most first.</summary>
    protected abstract IEnumerable<Column> AllColumns { get; }

    /// <summary>The same without those that nothing is known of.</summary>
    public Column[] Columns =>
        [
            .. (Layout.HasSerializers ? AllColumns.Prepend(serializer) : AllColumns)
                .Select(column => column with { Title = Work.InWords(column.Title) })
                .Where(column => Rows.Any(row => row.Shown != null && column.Of(row) != Text.Missing)),
        ];

    /// <summary>Which library is ahead, in sentences; not escaped. Where all are versions of one, that is told by
    /// VersionSection, which knows smaller differences.</summary>
    public IEnumerable<string> Headlines() => Headlines(Kinds.Where(kind => !AreVersionsOfOne(kind)));

    /// <summary>The same of some delivery modes.</summary>
    public abstract IEnumerable<string> Headlines(IEnumerable<string> kinds);

    /// <summary>What must be known before rows are compared; null: nothing. Not escaped.</summary>
    public string? Warning => FewLaunches(Rows.Select(row => row.Best).OfType<Cell>());

    /// <summary>The same of the cells of any table.</summary>
    public static string? FewLaunches(IEnumerable<Cell> cells) =>
        cells.Select(cell => (int?)cell.Launches.Length).Min() switch
        {
            null or >= RoundRatio.LeastLaunches => null,
            1 => "One launch: not a ranking. Rows that are close may change places in a second launch; "
                + "`--repeats 5` shows how launches differ.",
            var few =>
                $"{few} launches: a first look. It takes {RoundRatio.LeastLaunches} to know how launches differ.",
        };

    /// <summary>Writes what stands above any table of a verdict.</summary>
    public static void Above(Page page, string title, IEnumerable<string> headlines, string? warning)
    {
        page.Line($"\n### {Text.Markdown(title)}\n");
        string[] sentences = [.. headlines.Select(headline => $"- {Text.LongMarkdown(headline)}")];
        foreach (var sentence in sentences)
            page.Line(sentence);
        if (sentences.Length > 0)
            page.Line("");
        if (warning != null)
            page.Line($"{InBold(warning)}\n");
    }

    /// <summary>A warning with its first sentence in bold.</summary>
    public static string InBold(string warning) => FirstInBold(warning) + warning[EndOfFirst(warning)..];

    /// <summary>Of a warning its first sentence alone, in bold.</summary>
    public static string FirstInBold(string warning) => $"**{warning[..EndOfFirst(warning)]}**";

    static int EndOfFirst(string warning) => warning.IndexOf('.') + 1;

    /// <summary>What stands in the notes of a row; not escaped.</summary>
    public IEnumerable<string> NotesOf(VerdictRow row) => Common.Without(row.Notes());

    /// <summary>What the notes of most rows mean, in sentences.</summary>
    public IEnumerable<string> Meanings => Common.All.Select(Meaning).OfType<string>();

    /// <summary>Writes it in markdown. IsWarned: where the warning stands above all tables.</summary>
    public void Write(Page page, bool isWarned)
    {
        Above(page, Title, Headlines(), isWarned ? null : Warning);
        var columns = Columns;
        page.Table(
            ["library", Layout.RowsOfVerdict, .. columns.Select(column => column.Title), "notes"],
            Rows.Select(row => RowOf(row, columns)),
            figures: true,
            [Layout.RowsOfVerdict, .. columns.Where(column => column.IsText).Select(column => column.Title)]
        );
        Common.Write(page);
    }

    /// <summary>The column of how the sides wait.</summary>
    protected static readonly Column Waits = new("waits", row => row.Shown!.Waits) { IsText = true };

    /// <summary>The title as a person says it, with the load behind.</summary>
    protected string Titled(string load)
    {
        var settings = PayloadBytes()
            .Replace(Settings, bytes => $"{long.Parse(bytes.Groups[1].Value):N0}-byte messages");
        // That calls are calls is in the load.
        var title = settings == "" || settings == Work.Group ? load : $"{settings}: {load}";
        return char.ToUpperInvariant(title[0]) + title[1..];
    }

    /// <summary>A column of a metric.</summary>
    protected static Column Of(Metric metric) => new(metric.Title, row => metric.Shown(row.Figures!));

    /// <summary>The baseline and other baselines of a delivery mode, for a sentence.</summary>
    protected IEnumerable<(string Name, string Shown)> Beside(string kind, Func<VerdictRow, string> shown) =>
        Valid(kind)
            .Where(row => row.IsBaseline)
            .OrderByDescending(row => row.IsUsualBaseline)
            .Select(row => (row.InSentence, shown(row)));

    /// <summary>The libraries of a delivery mode that have valid figures, in order.</summary>
    protected VerdictRow[] Libraries(string kind) => [.. Valid(kind).Where(row => !row.IsBaseline)];

    static string SerializerOf(VerdictRow row) => WorkLayout.Of(row.Work).HasSerializers ? row.Serializer : "";

    bool AreVersionsOfOne(string kind)
    {
        string[] names = [.. Libraries(kind).Select(row => row.Library).Distinct()];
        return names.Length > 1 && names.Select(LibraryName.LibraryOf).Distinct().Count() == 1;
    }

    IEnumerable<VerdictRow> Valid(string kind) => ahead.Where(row => row.Kind == kind && row.Best != null);

    string[] RowOf(VerdictRow row, Column[] columns) =>
        [
            Text.Markdown(row.Title),
            row.Kind,
            .. columns.Select(column =>
                row.Shown == null
                    ? Text.Missing
                    : Section.Struck(row.Best == null && !column.IsText, Text.Markdown(column.Of(row)))),
            string.Join("; ", NotesOf(row).Select(Text.Markdown)),
        ];

    static string? Meaning(string note) => note switch
    {
        Bottleneck.Machine => $"{note}: clients and server together used up the CPUs of the machine.",
        Cell.Separately => $"{note}: one after another, so that a drift of the machine is in the differences.",
        _ => null,
    };

    [GeneratedRegex(@"\bpayload_bytes (\d+)")]
    private static partial Regex PayloadBytes();
}
