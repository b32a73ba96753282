/// <summary>What a sweep has for the README.md beside the folder of all results: for each question that it answers the
/// libraries as they come, and only the columns that answer it. All else is in the report.</summary>
static class FrontTable
{
    const double UsAMs = 1e3;

    static readonly Column[] overLink =
    [
        Column.For(Metrics.OnTime),
        Column.For(Metrics.P99 with { Title = "p99 ms", Unit = UsAMs }),
        Column.For(Metrics.ServerCpu with { Title = "server CPU µs/msg" }),
    ];

    static readonly Column[] inRooms =
    [
        Column.OfDrawn(RoomMetrics.DelayP99),
        Column.OfCarried(RoomMetrics.PlayersACore),
    ];

    /// <summary>By the marks of the parts that the sweep answers; none where it is not fit for it. It is where all
    /// records were read and the figures are what an ordinary run gives.</summary>
    public static IReadOnlyDictionary<string, FrontPart> Of(
        string folder, Sweep sweep, RoomVerdict[] rooms, Question question)
    {
        var parts = new Dictionary<string, FrontPart>();
        if (sweep.Unreadable.Count > 0 || sweep.Machines.Length == 0 || sweep.Cells.Any(cell => cell.Traced))
        {
            return parts;
        }
        foreach (var verdict in rooms)
        {
            if (verdict.Rows.Any(row => row.Cell is { IsDrawn: true, IsBaseline: false }))
            {
                var about = new About(folder, sweep, verdict.Title);
                parts[Question.MarkOf(WorkLayout.Of(verdict.Work).Group!, verdict.IsOverLink)] = Part(about, verdict);
            }
        }
        if (parts.Count == 0 && OfMessages(new About(folder, sweep, question.Words), sweep) is { } part)
        {
            parts[Question.MarkOf(question.Group, isOverLink: false)] = part;
        }
        return parts.Where(part => part.Value.Entries.Length > 0).ToDictionary();
    }

    // Of what went over links, or was interleaved or has intervals.
    static FrontPart? OfMessages(About about, Sweep sweep)
    {
        if (LinkVerdict.Of(sweep).FirstOrDefault() is { } link)
        {
            return Part(about, link);
        }
        var group = new Verdict(sweep).Groups
            .Where(group => group.Tables.Any(IsFit))
            .MaxBy(group => group.Tables.Max(table => table.Rows.Count(row => row.Best != null)));
        return group == null ? null : Part(about, group);
    }

    static bool IsFit(VerdictTable table) =>
        table.Rows.Any(row => row.Best is { IsBaseline: false })
        && table.Rows.All(row => row.Best is null or { Interleaved: true } or { Throughput.HasInterval95: true });

    static FrontPart Part(About about, LinkVerdict link)
    {
        FrontEntry[] shown = Shown(
        [
            .. link.Rows.Where(row => row.Cell.Measured).Select(row => new FrontEntry(
                row.Cell,
                [.. overLink.Select(column => Section.Struck(!row.Cell.IsDrawn, column.Of(row)))],
                row.Cell.InvalidInShort)),
        ]);
        return about.Part(
            link.Headlines(KindsOf(shown)),
            link.Warning,
            overLink.Select(column => column.Title),
            shown,
            [Text.Markdown(link.Layout.VerdictInWords)]);
    }

    static FrontPart Part(About about, RoomVerdict verdict)
    {
        Column[] columns = verdict.Rows[0].Cell.ClosedLoop ? verdict.Columns[..2] : Column.Known(inRooms, verdict.Rows);
        FrontEntry[] shown = Shown(
        [
            .. verdict.Rows.Where(row => row.Cell.Measured).Select(row => new FrontEntry(
                row.Cell,
                [.. columns.Select(column => column.Of(row))],
                row.Cell.InvalidInShort)),
        ]);
        return about.Part(
            verdict.Headlines(KindsOf(shown)), verdict.Warning, columns.Select(column => column.Title), shown, []);
    }

    // The rate under one load, and what the server pays at one rate.
    static FrontPart Part(About about, Verdict.Group group)
    {
        var table = group.AtOneLoad ?? (VerdictTable)group.AtOneRate!;
        var ofRate = group.AtOneRate?.Rows.ToDictionary(row => (row.Kind, row.Name)) ?? [];
        (string Title, Func<VerdictRow, VerdictRow?> From, Func<VerdictRow, string> Of)[] columns =
        [
            .. group.AtOneLoad == null ? [] : OfLoad(group.AtOneLoad),
            .. group.AtOneRate == null ? OfServer(row => row, "") : OfRate(group.AtOneRate, ofRate),
        ];
        FrontEntry[] shown = Shown(
        [
            .. table.Rows.Where(row => row.Shown != null).Select(row => new FrontEntry(
                row.Shown!,
                [.. columns.Select(column => FigureOf(column.From(row), column.Of))],
                [.. ReasonsOf(row), .. ReasonsOf(ofRate.GetValueOrDefault((row.Kind, row.Name)))])),
        ]);
        return about.Part(
            table.Headlines(KindsOf(shown)),
            table.Warning,
            columns.Select(column => table.Work.InWords(column.Title)),
            shown,
            [
                .. group.AtOneLoad is { } closed && IsRatio(closed)
                    ? ["x baseline: the rate over the baseline's in the same rounds."]
                    : Array.Empty<string>(),
                .. group.AtOneRate is { } atRate && LacksLatency(atRate)
                    ? [$"n/a: {atRate.Work.Noun}s were sent too late for their times to be valid."]
                    : Array.Empty<string>(),
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
        {
            var title = $"{Metrics.MessagesACore.Title}, {load}";
            yield return (title, row => row, row => Metrics.MessagesACore.Shown(row.Figures!));
        }

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

    // A library as it comes, of the version that its bench pins, in the way that is ahead: of echoes and in rooms in
    // its first reliable delivery mode and in the unreliable one; of calls with each serializer, as most rows make
    // them, over TLS if there is a choice.
    static FrontEntry[] Shown(FrontEntry[] entries)
    {
        FrontEntry[] asTheyCome =
        [
            .. entries
                .Where(entry => !entry.Cell.Tuned && entry.Cell.Library == LibraryName.LibraryOf(entry.Cell.Library))
                .Where(entry => entry.Cell.IsUsualBaseline || !entry.Cell.IsBaseline)
                .OrderBy(entry => entry.Cell.IsEncrypted),
        ];
        if (entries[0].Cell.Work.DiffersByDelivery)
        {
            return [.. asTheyCome.GroupBy(entry => (entry.Row, entry.Label)).Select(same => same.First())];
        }
        var kind = asTheyCome
            .GroupBy(entry => entry.Cell.Kind)
            .MaxBy(kind => (kind.Count(), kind.First().Cell.IsEncrypted, kind.First().Cell.KindOrder));
        return kind == null ? [] : [.. kind];
    }

    static string[] KindsOf(FrontEntry[] shown) => [.. shown.Select(entry => entry.Cell.Kind).Distinct()];

    // What was measured, in words, and where.
    sealed record About(string Folder, Sweep Sweep, string Words)
    {
        public FrontPart Part(
            IEnumerable<string> headlines,
            string? warning,
            IEnumerable<string> titles,
            FrontEntry[] entries,
            string[] explained) =>
            new(
                Words,
                Path,
                Where,
                [.. headlines.Select(Text.LongMarkdown)],
                // The report has the rest of a warning.
                warning == null ? null : VerdictTable.FirstInBold(warning),
                [.. titles],
                entries,
                explained);

        string Path => string.Join('/', new[]
        {
            System.IO.Path.GetFileName(System.IO.Path.GetDirectoryName(Folder)!),
            System.IO.Path.GetFileName(Folder),
            Report.FileName,
        }.Select(Uri.EscapeDataString));

        string Where
        {
            get
            {
                var machine = Sweep.Machines[0];
                string day = Text.Plain(machine.DateUtc.Split('T')[0]);
                return $"{Text.Markdown(day)} on {Text.Markdown(Fingerprint.CpusOf(machine))}";
            }
        }
    }
}
