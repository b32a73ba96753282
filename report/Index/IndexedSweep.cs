/// <summary>What the index of results says of one sweep.</summary>
/// <param name="Name">Of its folder.</param>
/// <param name="Machine">The first of its machines; null: no record says it.</param>
/// <param name="MachineInWords">Its CPUs, and how many machines there are; not escaped.</param>
/// <param name="Question">What it answers.</param>
/// <param name="LaunchesALoad">So many launches each of its loads has, such as 5 or 3–5.</param>
/// <param name="Row">Of the index, in markdown.</param>
/// <param name="Headline">Markdown for the front page; null where the sweep is not fit for it.</param>
/// <param name="IsFirstLook">So few launches that its intervals are of rounds alone.</param>
/// <param name="Libraries">Of how many it has figures.</param>
/// <param name="Readings">What it says of libraries, to be held against other sweeps.</param>
/// <param name="Cells">What it measured, for the page of all sweeps.</param>
sealed record IndexedSweep(
    string Name,
    MachineRecord? Machine,
    string MachineInWords,
    Question Question,
    string LaunchesALoad,
    string[] Row,
    string? Headline,
    bool IsFirstLook,
    int Libraries,
    Past[] Readings,
    IndexedCell[] Cells
)
{
    const int CommitDigits = 7;

    /// <summary>The columns of a row.</summary>
    public static readonly string[] Columns =
        ["date", "what it answers", "machine", "launches per load", "headline"];

    /// <summary>When it began, as recorded; empty where nothing says it.</summary>
    public string Date => Machine?.DateUtc ?? "";

    /// <summary>The day of its date; not escaped.</summary>
    public string Day => Date.Split('T')[0];

    /// <summary>Of the suite that measured it; not escaped.</summary>
    public string Commit => Machine == null ? Text.Missing : CommitOf(Machine);

    /// <summary>Where its report is, from the folder of all results; of one that is not rendered its records.</summary>
    public required string Link { get; init; }

    /// <summary>Reads the sweep in a folder under that of all results.</summary>
    public static IndexedSweep In(string folder)
    {
        var sweep = Sweep.Silently(folder);
        var name = Path.GetFileName(folder);
        var verdict = new Verdict(sweep);
        var machine = sweep.Machines.FirstOrDefault();
        var isRendered = File.Exists(Path.Combine(folder, Report.FileName));
        var link = LinkTo(name, isRendered ? Report.FileName : Path.GetFileName(RecordFile.In(folder)));
        var question = Question.Of(sweep);
        var launches = LaunchesOf(sweep);
        return new(
            name,
            machine,
            machine == null ? Text.Missing : CpusOf(sweep),
            question,
            launches,
            [
                DayOf(machine?.DateUtc ?? ""),
                $"[{Text.Markdown(machine?.PresetInWords ?? name)}]({link}): {Text.Markdown(question.Words)}",
                machine == null ? Text.Missing : Text.Markdown(MachineOf(sweep)),
                launches,
                string.Join("; ", Headlines(sweep, verdict).Select(Text.Markdown)),
            ],
            isRendered && IsFit(sweep, verdict) ? HeadlineOf(folder, sweep, verdict) : null,
            HasFewLaunches(verdict.Main),
            verdict.Main?.Rows.Select(row => row.Best?.Library).OfType<string>().Distinct().Count() ?? 0,
            Past.Of(sweep),
            IndexedCell.Of(sweep)
        )
        {
            Link = link,
        };
    }

    static IEnumerable<string> Headlines(Sweep sweep, Verdict verdict)
    {
        if (sweep.Unreadable.Count > 0)
            yield return $"{Text.Count(sweep.Unreadable.Count, "line")} could not be read";
        if (!sweep.Cells.Any(cell => cell.Measured))
            yield return "nothing was measured";
        foreach (var headline in verdict.Main?.Headlines() ?? [])
            yield return headline + (verdict.Tables.Length > 1 ? $" ({verdict.Main!.Settings})" : "");
        foreach (var headline in LinkVerdict.Of(sweep).SelectMany(OverLink))
            yield return headline;
    }

    // The first of each delivery mode.
    static IEnumerable<string> OverLink(LinkVerdict verdict) =>
        verdict
            .Rows.Where(figures => !figures.Cell.IsBaseline)
            .GroupBy(figures => figures.Cell.Kind)
            .Select(kind => kind.First())
            .Select(first =>
            {
                var figure = $"{verdict.Layout.Decisive.Shown(first)} {verdict.Layout.Decisive.Title}";
                return $"{first.Cell.Kind}: {first.Cell.Name} {figure.Replace(" in time %", " % in time")}"
                    + $" on a link of {verdict.Link}"
                    + (first.Cell.Launches.Length == 1 ? ", one launch: order not proven" : "");
            });

    static string LaunchesOf(Sweep sweep)
    {
        var counts = sweep.Cells.Where(cell => cell.Measured).Select(cell => cell.Launches.Length).ToArray();
        if (counts.Length == 0)
            return Text.Missing;
        return counts.Min() == counts.Max() ? $"{counts.Min():N0}" : $"{counts.Min():N0}–{counts.Max():N0}";
    }

    // Its figures have intervals, and are what an ordinary run gives.
    static bool IsFit(Sweep sweep, Verdict verdict) =>
        sweep.Unreadable.Count == 0
        && verdict.Main is { } main
        && main.Headlines().Any()
        && main.Rows.All(row =>
            row.Best is not { } best
            || best is { Traced: false, Interleaved: true } or { Traced: false, Throughput.HasInterval95: true }
        );

    static bool HasFewLaunches(VerdictTable? table) =>
        table?.Rows.Any(row => row.Best?.Launches.Length < RoundRatio.LeastLaunches) == true;

    // One load, since figures of different loads say nothing of each other.
    static string HeadlineOf(string folder, Sweep sweep, Verdict verdict)
    {
        var results = Path.GetFileName(Path.GetDirectoryName(folder)!);
        var name = Path.GetFileName(folder);
        var machine = sweep.Machines[0];
        var table = verdict.MainAtOneLoad!;
        var cell = table.Rows.Select(row => row.Best).OfType<Cell>().First();
        var page = new Page();
        page.Line(
            $"{Text.Count(cell.Clients, "client")} with {Text.Count(cell.Parallel, "message")} in flight each"
                + (table.Settings == "" ? "" : $" ({Text.Markdown(table.Settings)})")
                + (cell.ClosedLoop ? "" : $" at {cell.Rate:N0} messages/s")
                + $":\n[the `{Text.Plain(machine.PresetInWords).Replace('`', '\'')}` sweep of "
                + $"{DayOf(machine.DateUtc)}]({LinkTo(results, name, Report.FileName)})\non "
                + Text.Markdown(MachineOf(sweep))
                + (HasFewLaunches(table) ? ",\na first look: few launches, intervals of their rounds alone;" : ";")
                + "\nyours will differ, so measure yours.\n"
        );
        page.Table(
            [
                "library", WorkLayout.Of(cell.Work).RowsOfVerdict, "messages/s", "x baseline", "interval",
                "server CPU µs per message", "lost %", "notes",
            ],
            table.Rows.Select(row => RowOf(sweep, row)),
            figures: true,
            "delivery",
            "work"
        );
        page.Line(
            "\nx baseline: times the rate of baselines, which send one message at a time, in the same rounds;\n"
                + "the interval is of that ratio, or of the rate where libraries were measured separately.\n"
                + $"Of {Bottleneck.Machine} rows that is not said: clients and server share the machine's CPUs."
        );
        return page.ToString();
    }

    static string[] RowOf(Sweep sweep, VerdictRow row)
    {
        string Of(Func<Cell, string> figure) => row.Best == null ? Text.Missing : Text.Markdown(figure(row.Best));
        return
        [
            Text.Markdown(row.Title),
            row.Kind,
            Of(_ => row.RateInWords),
            Of(_ => Text.Number(row.Rate.ToBaseline)),
            Of(_ => row.Interval),
            Of(cell => Text.Number(Metrics.ServerCpu.ValueOf(sweep.FiguresOf(cell)))),
            Of(cell => Text.Number(cell.LostPercent())),
            string.Join("; ", row.Notes().Where(note => note != Bottleneck.Machine).Select(Text.Markdown)),
        ];
    }

    static string MachineOf(Sweep sweep)
    {
        var machine = sweep.Machines[0];
        return $"{CpusOf(sweep)}, {machine.Os}, .NET {machine.DotnetVersion}";
    }

    static string CpusOf(Sweep sweep) =>
        Fingerprint.CpusOf(sweep.Machines[0])
        + (sweep.Machines.Length > 1 ? $", {sweep.Machines.Length:N0} machines" : "");

    static string CommitOf(MachineRecord machine) =>
        Text.Plain(Text.Value(machine.SuiteCommit), CommitDigits).TrimEnd('…')
        + (machine.SuiteDirty == true ? " with changes" : "");

    static string DayOf(string date) => date == "" ? Text.Missing : Text.Markdown(date.Split('T')[0]);

    static string LinkTo(params string[] parts) => string.Join('/', parts.Select(Uri.EscapeDataString));
}
