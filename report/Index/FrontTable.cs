/// <summary>The table of a sweep that stands in the README.md beside the folder of all results: what the sweep answers,
/// in a few columns.</summary>
static class FrontTable
{
    const double UsAMs = 1e3;

    static readonly Column[] overLink =
    [
        Column.For(Metrics.OnTime),
        Column.For(Metrics.P99 with { Title = "p99 ms", Unit = UsAMs }),
        Column.For(Metrics.WireBytes),
        Column.For(Metrics.ServerCpu with { Title = "server CPU µs/msg" }),
    ];

    /// <summary>In markdown; null where the sweep is not fit for it. It is where all records were read and the figures
    /// have intervals and are what an ordinary run gives.</summary>
    public static string? Of(string folder, Sweep sweep, Question question)
    {
        if (sweep.Unreadable.Count > 0 || sweep.Machines.Length == 0 || sweep.Cells.Any(cell => cell.Traced))
        {
            return null;
        }
        var page = new Page();
        page.Line(About(folder, sweep, question));
        if (LinkVerdict.Of(sweep).FirstOrDefault() is { } link)
        {
            Write(page, link);
            return page.ToString();
        }
        var group = new Verdict(sweep).Groups
            .Where(group => group.Tables.Any(IsFit))
            .MaxBy(group => group.Tables.Max(table => table.Rows.Count(row => row.Best != null)));
        if (group == null)
        {
            return null;
        }
        Write(page, group);
        return page.ToString();
    }

    static bool IsFit(VerdictTable table) =>
        table.Rows.Any(row => row.Best is { IsBaseline: false })
        && table.Rows.All(row => row.Best is null or { Interleaved: true } or { Throughput.HasInterval95: true });

    static string About(string folder, Sweep sweep, Question question)
    {
        var machine = sweep.Machines[0];
        var path = string.Join('/', new[]
        {
            Path.GetFileName(Path.GetDirectoryName(folder)!),
            Path.GetFileName(folder),
            Report.FileName,
        }.Select(Uri.EscapeDataString));
        var day = Text.Plain(machine.DateUtc.Split('T')[0]);
        return $"[{Text.Markdown(question.Words)}]({path}), measured {Text.Markdown(day)}\n"
            + $"on {Text.Markdown(Fingerprint.CpusOf(machine))}, {Text.Markdown(machine.Os)}, "
            + $".NET {Text.Markdown(machine.DotnetVersion)}; yours will differ.";
    }

    static void Write(Page page, LinkVerdict link)
    {
        Say(page, link.Headlines(), link.Warning);
        page.Table(
            ["library", "delivery", .. overLink.Select(column => column.Title), "notes"],
            link.Rows.Where(row => row.Cell.Measured).Select(row => (string[])
            [
                Text.Markdown(row.Cell.Title),
                row.Cell.Kind,
                .. overLink.Select(column => Section.Struck(!row.Cell.IsDrawn, column.Of(row))),
                Text.Markdown(string.Join("; ", link.NotesOf(row.Cell))),
            ]),
            figures: true,
            "delivery"
        );
        page.Line($"\n{Text.Markdown(link.Layout.VerdictInWords)}");
    }

    // The rate under one load, and what the server pays at one rate.
    static void Write(Page page, Verdict.Group group)
    {
        var table = group.AtOneLoad ?? (VerdictTable)group.AtOneRate!;
        var layout = WorkLayout.Of(table.Work);
        VerdictTable.Column[] columns =
        [
            .. group.AtOneLoad == null ? [] : OfLoad(group.AtOneLoad),
            .. group.AtOneRate == null ? OfServer(row => row, "") : OfRate(group.AtOneRate),
        ];
        var headlines = group.Tables.Where(one => one is not BestLoadsTable).SelectMany(one => one.Headlines());
        Say(page, headlines, table.Warning);
        page.Table(
            ["library", layout.RowsOfVerdict, .. columns.Select(column => table.Work.InWords(column.Title))],
            table.Rows.Where(row => row.Shown != null).Select(row => (string[])
            [
                Text.Markdown(row.Title),
                row.Kind,
                .. columns.Select(column => Section.Struck(row.Best == null, Text.Markdown(column.Of(row)))),
            ]),
            figures: true,
            "delivery",
            "work"
        );
        foreach (var common in table.Common.InWords())
        {
            page.Line($"\n{Text.LongMarkdown(common)}");
        }
    }

    static IEnumerable<VerdictTable.Column> OfLoad(OneLoadTable table)
    {
        var layout = WorkLayout.Of(table.Work);
        yield return new($"msgs/s, {layout.LoadOf(table.AnyCell)}", row => row.RateInWords);
        yield return new("x baseline", row => Text.Number(row.Rate.ToBaseline));
        yield return new("interval", row => row.Interval);
        yield return new(Metrics.MessagesACore.Title, row => Metrics.MessagesACore.Shown(row.Figures!));
    }

    static IEnumerable<VerdictTable.Column> OfRate(OneRateTable table)
    {
        var rows = table.Rows.ToDictionary(row => (row.Kind, row.Name));
        var rate = $" at {table.Rows[0].AnyCell.Rate:N0}/s";
        return OfServer(row => rows.GetValueOrDefault((row.Kind, row.Name)), rate);
    }

    static IEnumerable<VerdictTable.Column> OfServer(Func<VerdictRow, VerdictRow?> from, string at)
    {
        string Of(VerdictRow row, Func<VerdictRow, string> shown) =>
            from(row) is { Best: not null } found ? shown(found) : Text.Missing;
        yield return new($"server CPU µs/msg{at}", row => Of(row, one => Metrics.ServerCpu.Shown(one.Figures!)));
        yield return new($"p99 µs{at}", row => Of(row, one => one.Latency(Metrics.P99)));
    }

    static void Say(Page page, IEnumerable<string> headlines, string? warning)
    {
        page.Line("");
        foreach (var headline in headlines)
        {
            page.Line($"- {Text.LongMarkdown(headline)}");
        }
        page.Line("");
        if (warning != null)
        {
            page.Line($"{VerdictTable.InBold(warning)}\n");
        }
    }
}
