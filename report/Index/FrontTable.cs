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
    public static IReadOnlyDictionary<string, string> Of(
        string folder, Sweep sweep, RoomVerdict[] rooms, Question question)
    {
        var parts = new Dictionary<string, string>();
        if (sweep.Unreadable.Count > 0 || sweep.Machines.Length == 0 || sweep.Cells.Any(cell => cell.Traced))
        {
            return parts;
        }
        foreach (var verdict in rooms)
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
        Entry[] shown = Shown(entries);
        Say(page, about, link.Headlines(KindsOf(shown)), link.Warning);
        Table(page, shown, [.. overLink.Select(column => column.Title)]);
        Below(page, [Text.Markdown(link.Layout.VerdictInWords), .. StruckOut(shown)]);
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
        Entry[] shown = Shown(entries);
        Say(page, about, verdict.Headlines(KindsOf(shown)), verdict.Warning);
        Table(page, shown, [.. columns.Select(column => column.Title)]);
        Below(page, [.. StruckOut(shown)]);
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
                [.. columns.Select(column => FigureOf(column.From(row), column.Of))],
                [.. ReasonsOf(row), .. ReasonsOf(ofRate.GetValueOrDefault((row.Kind, row.Name)))])),
        ];
        Entry[] shown = Shown(entries);
        Say(page, about, table.Headlines(KindsOf(shown)), table.Warning);
        Table(page, shown, [.. columns.Select(column => table.Work.InWords(column.Title))]);
        Below(
            page,
            [
                .. group.AtOneLoad is { } closed && IsRatio(closed)
                    ? ["x baseline: times the baseline's rate in the same rounds."]
                    : Array.Empty<string>(),
                .. group.AtOneRate is { } atRate && LacksLatency(atRate)
                    ? [$"n/a: {atRate.Work.Noun}s were sent so late that their times say nothing."]
                    : Array.Empty<string>(),
                .. StruckOut(shown),
            ]);

        static string FigureOf(VerdictRow? row, Func<VerdictRow, string> of) =>
            row?.Shown == null ? Text.Missing : Section.Struck(row.Best == null, Text.Markdown(of(row)));

        static IEnumerable<string> ReasonsOf(VerdictRow? row)
        {
            if (row is not { Best: null })
                return [];
            return row.Shown == null ? ["a launch failed"] : row.Shown.InvalidInShort;
        }
    }

    static bool LacksLatency(OneRateTable table) =>
        !table.Work.DiffersByDelivery && table.Rows.Any(row => row.Shown is { IsDrawn: false });

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

    // A library as it comes, in the way that is ahead: of echoes and in rooms in its first reliable delivery mode and
    // in the unreliable one; of calls with each serializer, as most rows make them, over TLS if there is a choice.
    static Entry[] Shown(Entry[] entries)
    {
        Entry[] asTheyCome =
        [
            .. entries
                .Where(entry => !entry.Cell.Tuned && (entry.Cell.IsUsualBaseline || !entry.Cell.IsBaseline))
                .OrderBy(entry => entry.Cell.IsEncrypted),
        ];
        if (entries[0].Cell.Work.DiffersByDelivery)
        {
            return [.. asTheyCome.GroupBy(entry => (RowOf(entry), LabelOf(entry.Cell))).Select(same => same.First())];
        }
        var kind = asTheyCome
            .GroupBy(entry => entry.Cell.Kind)
            .MaxBy(kind => (kind.Count(), kind.First().Cell.IsEncrypted, kind.First().Cell.KindOrder));
        return kind == null ? [] : [.. kind];
    }

    static string[] KindsOf(Entry[] shown) => [.. shown.Select(entry => entry.Cell.Kind).Distinct()];

    // Above the columns that a library fills in several delivery modes.
    static string LabelOf(Cell cell) =>
        !cell.Work.DiffersByDelivery ? cell.Kind : IsReliable(cell) ? "reliable" : "unreliable";

    static string[] LabelsOf(Entry[] shown) => [.. shown.Select(entry => LabelOf(entry.Cell)).Distinct()];

    static bool IsReliable(Cell cell) => cell.Delivery != "unreliable";

    static void Table(Page page, Entry[] shown, string[] titles)
    {
        var hasSerializers = WorkLayout.Of(shown[0].Cell.Work).HasSerializers;
        string[] labels = LabelsOf(shown);
        string Prefix(string label) => labels.Length == 1 ? "" : $"{label}: ";
        page.Table(
            [
                "library",
                .. hasSerializers ? ["serializer"] : Array.Empty<string>(),
                .. labels.SelectMany(label => titles.Select(title => Prefix(label) + title)),
            ],
            shown.GroupBy(RowOf).Select(library => (string[])
            [
                TitleOf([.. library]),
                .. hasSerializers ? [Text.Markdown(library.First().Cell.Serializer)] : Array.Empty<string>(),
                .. labels.SelectMany(label =>
                    library.FirstOrDefault(entry => LabelOf(entry.Cell) == label)?.Figures ?? titles.Select(_ => None)),
            ]),
            isFigure: i => i > (hasSerializers ? 1 : 0)
        );
    }

    // The sockets that are ordered and those that are unreliable share one.
    static string RowOf(Entry entry)
    {
        if (entry.Cell.IsBaseline)
            return Baseline.InBrackets + (entry.Cell.Delivery == "reliable-unordered" ? entry.Cell.Library : "");
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
    static IEnumerable<string> StruckOut(Entry[] shown)
    {
        var isOfSeveral = LabelsOf(shown).Length > 1;
        string NameOf(Cell cell) => cell.Library + (isOfSeveral ? $" ({LabelOf(cell)})" : "");
        var reasons = shown
            .SelectMany(entry => entry.Reasons.Select(reason => (Reason: reason, Library: NameOf(entry.Cell))))
            .Distinct()
            .GroupBy(entry => entry.Reason, entry => entry.Library)
            .Select(same => Text.Markdown($"{Text.And(same)}, because {same.Key}"))
            .ToArray();
        return reasons.Length == 0 ? [] : [$"Struck out or missing: {string.Join("; ", reasons)}."];
    }

    // Of a warning its first sentence: the report has the rest.
    static void Say(Page page, string about, IEnumerable<string> headlines, string? warning)
    {
        string[] warnings = warning == null ? [] : [VerdictTable.FirstInBold(warning)];
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
    [GeneratedRegex(@"^([-+*#>=|<]|\d+[.)]$)")]
    private static partial Regex BeginsAnother();
}
