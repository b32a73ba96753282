using System.Text.RegularExpressions;

/// <summary>The part of the README.md beside the folder of all results that a sweep fills: a sentence with a link, and
/// a small table with a row for each library and only the columns that answer the question. All else is in the report.
/// </summary>
static partial class FrontTable
{
    const double UsAMs = 1e3;
    const int MostColumns = 100; // of a line of words
    const string None = "–"; // of a library that lacks the delivery mode

    static readonly Column[] overLink =
    [
        Column.For(Metrics.OnTime),
        Column.For(Metrics.P99 with { Title = "p99 ms", Unit = UsAMs }),
        Column.For(Metrics.ServerCpu with { Title = "server CPU µs/msg" }),
    ];

    /// <summary>What is told of a library in one delivery mode: a figure for each title, escaped.</summary>
    sealed record Entry(Cell Cell, string[] Figures, string[] Reasons);

    static readonly Column[] inRooms =
    [
        Column.OfDrawn(RoomMetrics.DelayP99),
        Column.OfDrawn(RoomMetrics.InTime),
        Column.OfCarried(RoomMetrics.PlayersACore),
    ];

    /// <summary>In markdown, by the marks of the parts that the sweep answers; none where it is not fit for it. It is
    /// where all records were read and the figures are what an ordinary run gives.</summary>
    public static IReadOnlyDictionary<string, string> Of(string folder, Sweep sweep, Question question)
    {
        var parts = new Dictionary<string, string>();
        if (sweep.Unreadable.Count > 0 || sweep.Machines.Length == 0 || sweep.Cells.Any(cell => cell.Traced))
        {
            return parts;
        }
        foreach (var verdict in RoomVerdict.Of(sweep))
        {
            if (verdict.Rows.Any(row => row.Cell is { IsDrawn: true, IsBaseline: false }))
            {
                var page = new Page();
                Write(page, About(folder, sweep, verdict.Title), verdict);
                parts[Question.MarkOf(WorkLayout.Of(verdict.Work).Group!, verdict.IsOverLink)] = page.ToString();
            }
        }
        if (parts.Count == 0 && OfMessages(About(folder, sweep, question.Words), sweep) is { } part)
        {
            parts[Question.MarkOf(question.Group, isOverLink: false)] = part;
        }
        return parts;
    }

    // Of what went over links, or was interleaved or has intervals.
    static string? OfMessages(string about, Sweep sweep)
    {
        var page = new Page();
        if (LinkVerdict.Of(sweep).FirstOrDefault() is { } link)
        {
            Write(page, about, link);
            return page.ToString();
        }
        var group = new Verdict(sweep).Groups
            .Where(group => group.Tables.Any(IsFit))
            .MaxBy(group => group.Tables.Max(table => table.Rows.Count(row => row.Best != null)));
        if (group == null)
        {
            return null;
        }
        Write(page, about, group);
        return page.ToString();
    }

    static bool IsFit(VerdictTable table) =>
        table.Rows.Any(row => row.Best is { IsBaseline: false })
        && table.Rows.All(row => row.Best is null or { Interleaved: true } or { Throughput.HasInterval95: true });

    // What was measured, as a link to its report, and where.
    static string About(string folder, Sweep sweep, string words)
    {
        var machine = sweep.Machines[0];
        var path = string.Join('/', new[]
        {
            Path.GetFileName(Path.GetDirectoryName(folder)!),
            Path.GetFileName(folder),
            Report.FileName,
        }.Select(Uri.EscapeDataString));
        var day = Text.Plain(machine.DateUtc.Split('T')[0]);
        return $"[{Text.Markdown(words)}]({path}), measured {Text.Markdown(day)}"
            + $" on {Text.Markdown(Fingerprint.CpusOf(machine))}.";
    }

    static void Write(Page page, string about, LinkVerdict link)
    {
        Entry[] entries =
        [
            .. link.Rows.Where(row => row.Cell.Measured).Select(row => new Entry(
                row.Cell,
                [.. overLink.Select(column => Section.Struck(!row.Cell.IsDrawn, column.Of(row)))],
                row.Cell.InvalidInShort)),
        ];
        string[] kinds = KindsOf(entries);
        Say(page, about, link.Headlines(kinds), link.Warning);
        Table(page, entries, kinds, [.. overLink.Select(column => column.Title)]);
        Below(page, [Text.Markdown(link.Layout.VerdictInWords), .. StruckOut(entries, kinds)]);
    }

    static void Write(Page page, string about, RoomVerdict verdict)
    {
        Column[] columns = verdict.Rows[0].Cell.ClosedLoop ? verdict.Columns[..2] : Column.Known(inRooms, verdict.Rows);
        Entry[] entries =
        [
            .. verdict.Rows.Where(row => row.Cell.Measured).Select(row => new Entry(
                row.Cell,
                [.. columns.Select(column => column.Of(row))],
                row.Cell.InvalidInShort)),
        ];
        string[] kinds = KindsOf(entries);
        Say(page, about, verdict.Headlines(kinds), verdict.Warning);
        Table(page, entries, kinds, [.. columns.Select(column => column.Title)]);
        Below(page, [.. StruckOut(entries, kinds)]);
    }

    // The rate under one load, and what the server pays at one rate.
    static void Write(Page page, string about, Verdict.Group group)
    {
        var table = group.AtOneLoad ?? (VerdictTable)group.AtOneRate!;
        var ofRate = group.AtOneRate?.Rows.ToDictionary(row => (row.Kind, row.Name)) ?? [];
        (string Title, Func<VerdictRow, VerdictRow?> From, Func<VerdictRow, string> Of)[] columns =
        [
            .. group.AtOneLoad == null ? [] : OfLoad(group.AtOneLoad),
            .. group.AtOneRate == null ? OfServer(row => row, "") : OfRate(group.AtOneRate, ofRate),
        ];
        Entry[] entries =
        [
            .. table.Rows.Where(row => row.Shown != null).Select(row => new Entry(
                row.Shown!,
                [.. columns.Select(column => Shown(column.From(row), column.Of))],
                [.. ReasonsOf(row), .. ReasonsOf(ofRate.GetValueOrDefault((row.Kind, row.Name)))])),
        ];
        string[] kinds = KindsOf(entries);
        Say(page, about, table.Headlines(kinds), table.Warning);
        Table(page, entries, kinds, [.. columns.Select(column => table.Work.InWords(column.Title))]);
        Below(
            page,
            [
                .. group.AtOneLoad is { } closed && IsRatio(closed)
                    ? ["x baseline: times the baseline's rate in the same rounds."]
                    : Array.Empty<string>(),
                .. StruckOut(entries, kinds),
            ]);

        static string Shown(VerdictRow? row, Func<VerdictRow, string> of) =>
            row?.Shown == null ? Text.Missing : Section.Struck(row.Best == null, Text.Markdown(of(row)));

        static IEnumerable<string> ReasonsOf(VerdictRow? row)
        {
            if (row is not { Best: null })
                return [];
            return row.Shown == null ? ["a launch failed"] : row.Shown.InvalidInShort;
        }
    }

    static bool IsRatio(OneLoadTable table) => table.Rows.Any(row => row.Rate.ToBaseline != null);

    static IEnumerable<(string, Func<VerdictRow, VerdictRow?>, Func<VerdictRow, string>)> OfLoad(OneLoadTable table)
    {
        var load = WorkLayout.Of(table.Work).LoadOf(table.AnyCell);
        yield return ($"msgs/s{(IsRatio(table) ? " (x baseline)" : "")}, {load}", row => row, RateOf);
        if (!table.Work.DiffersByDelivery)
            yield return (Metrics.MessagesACore.Title, row => row, row => Metrics.MessagesACore.Shown(row.Figures!));

        static string RateOf(VerdictRow row) =>
            row.RateInWords + (row.Rate.ToBaseline is { } ratio ? $" ({Text.Number(ratio)}x)" : "");
    }

    static IEnumerable<(string, Func<VerdictRow, VerdictRow?>, Func<VerdictRow, string>)> OfRate(
        OneRateTable table, Dictionary<(string, string), VerdictRow> rows)
    {
        var at = $" at {table.AnyCell.Rate:N0}/s";
        VerdictRow? From(VerdictRow row) => rows.GetValueOrDefault((row.Kind, row.Name));
        foreach (var column in OfServer(From, at))
            yield return column;
        // Of a work that is the same in all delivery modes there is room for more.
        var isRoom = !table.Work.DiffersByDelivery;
        if (isRoom && table.Rows.Any(row => row.Shown != null && row.Latency(Metrics.P99) != Text.Missing))
            yield return ($"p99 µs{at}", From, row => row.Latency(Metrics.P99));
    }

    static IEnumerable<(string, Func<VerdictRow, VerdictRow?>, Func<VerdictRow, string>)> OfServer(
        Func<VerdictRow, VerdictRow?> from, string at) =>
        [($"server CPU µs/msg{at}", from, row => Metrics.ServerCpu.Shown(row.Figures!))];

    // Of echoes the first reliable delivery mode and the unreliable one; of calls that which most rows make, over TLS
    // if there is a choice.
    static string[] KindsOf(Entry[] entries)
    {
        var byKind = entries.GroupBy(entry => entry.Cell.Kind).OrderBy(kind => kind.First().Cell.IsEncrypted);
        return entries[0].Cell.Work.DiffersByDelivery
            ? [.. byKind.GroupBy(kind => IsReliable(kind.First().Cell)).Select(kinds => kinds.First().Key)]
            : [byKind.MaxBy(kind => (kind.Count(), kind.First().Cell.IsEncrypted, kind.First().Cell.KindOrder))!.Key];
    }

    static bool IsReliable(Cell cell) => cell.Delivery != "unreliable";

    static void Table(Page page, Entry[] entries, string[] kinds, string[] titles)
    {
        var hasSerializers = WorkLayout.Of(entries[0].Cell.Work).HasSerializers;
        string Prefix(string kind) => kinds.Length == 1 ? "" : $"{kind}: ";
        page.Table(
            [
                "library",
                .. hasSerializers ? ["serializer"] : Array.Empty<string>(),
                .. kinds.SelectMany(kind => titles.Select(title => Prefix(kind) + title)),
            ],
            Shown(entries, kinds).GroupBy(RowOf).Select(library => (string[])
            [
                TitleOf([.. library]),
                .. hasSerializers ? [Text.Markdown(library.First().Cell.Serializer)] : Array.Empty<string>(),
                .. kinds.SelectMany(kind =>
                    library.FirstOrDefault(entry => entry.Cell.Kind == kind)?.Figures ?? titles.Select(_ => None)),
            ]),
            isFigure: i => i > (hasSerializers ? 1 : 0)
        );
    }

    // A library as it comes, in the way that is ahead; of calls with each serializer.
    static IEnumerable<Entry> Shown(Entry[] entries, string[] kinds) =>
        entries.Where(entry =>
            kinds.Contains(entry.Cell.Kind)
            && !entry.Cell.Tuned
            && (entry.Cell.IsUsualBaseline || !entry.Cell.IsBaseline));

    // The baselines of several delivery modes share one.
    static string RowOf(Entry entry)
    {
        if (entry.Cell.IsBaseline)
            return Baseline.InBrackets;
        return WorkLayout.Of(entry.Cell.Work).HasSerializers
            ? $"{entry.Cell.Library} {entry.Cell.Serializer}"
            : entry.Cell.Library;
    }

    static string TitleOf(Entry[] library) =>
        Text.Markdown(
            library[0].Cell.IsBaseline
                ? Text.And(library.Select(entry => entry.Cell.Library).Distinct()) + Baseline.InBrackets
                : library[0].Cell.Library);

    // Each reason once, with those whose figures bear it.
    static IEnumerable<string> StruckOut(Entry[] entries, string[] kinds)
    {
        var reasons = Shown(entries, kinds)
            .SelectMany(entry => entry.Reasons.Select(reason => (Reason: reason, entry.Cell.Library)))
            .Distinct()
            .GroupBy(entry => entry.Reason, entry => entry.Library)
            .Select(same => Text.Markdown($"{Text.And(same)}, because {same.Key}"))
            .ToArray();
        return reasons.Length == 0 ? [] : [$"Struck out or missing: {string.Join("; ", reasons)}."];
    }

    // Of a warning its first sentence: the report has the rest.
    static void Say(Page page, string about, IEnumerable<string> headlines, string? warning)
    {
        string[] warnings = warning == null ? [] : [$"**{warning[..(warning.IndexOf('.') + 1)]}**"];
        Paragraph(page, [about, .. headlines.Select(Text.LongMarkdown), .. warnings]);
        page.Line("");
    }

    static void Below(Page page, string[] sentences)
    {
        if (sentences.Length > 0)
        {
            page.Line("");
            Paragraph(page, sentences);
        }
    }

    // In lines as wide as people read.
    static void Paragraph(Page page, IEnumerable<string> sentences)
    {
        var line = "";
        foreach (var word in string.Join(' ', sentences).Split(' '))
        {
            var isFull = line.Length + 1 + word.Length > MostColumns;
            if (isFull && !BeginsAnother().IsMatch(word))
            {
                page.Line(line);
                line = word;
            }
            else
            {
                line += line == "" ? word : $" {word}";
            }
        }
        page.Line(line);
    }

    // What would be a list, a table, a heading or a mark of this page at the beginning of a line.
    [GeneratedRegex(@"^([-+*#>=|<]|\d+[.)])")]
    private static partial Regex BeginsAnother();
}
