/// <summary>What the index of results says of one sweep. Date: as recorded; empty where nothing is. Row: of the index.
/// Headline: markdown for the front page; null where the sweep is not fit for it. IsFirstLook: so few launches that its
/// intervals are of rounds alone. Libraries: of how many it has figures. Readings: what it says of libraries, to be
/// held against other sweeps.</summary>
sealed record IndexedSweep(
    string Name,
    string Date,
    string[] Row,
    string? Headline,
    bool IsFirstLook,
    int Libraries,
    Past[] Readings
)
{
    const int CommitDigits = 7;

    /// <summary>The columns of a row.</summary>
    public static readonly string[] Columns = ["date", "sweep", "machine", "preset", "suite", "launches", "headline"];

    /// <summary>The day of its date; not escaped.</summary>
    public string Day => Date.Split('T')[0];

    /// <summary>Reads the sweep in a folder under that of all results.</summary>
    public static IndexedSweep In(string folder)
    {
        var sweep = Sweep.Silently(folder);
        var name = Path.GetFileName(folder);
        var verdict = new Verdict(sweep);
        var machine = sweep.Machines.FirstOrDefault();
        var isRendered = File.Exists(Path.Combine(folder, "report.md"));
        var date = machine?.DateUtc ?? "";
        return new(
            name,
            date,
            [
                DayOf(date),
                $"[{Text.Markdown(name)}]({Link(name, isRendered ? "report.md" : "raw.jsonl")})",
                machine == null ? Text.Missing : Text.Markdown(MachineOf(sweep)),
                machine == null ? Text.Missing : Text.Markdown(machine.PresetInWords),
                machine == null ? Text.Missing : Text.Markdown(Commit(machine)),
                $"{sweep.Cells.Sum(cell => cell.Launches.Length):N0}",
                string.Join("; ", Headlines(sweep, verdict).Select(Text.Markdown)),
            ],
            isRendered && IsFit(sweep, verdict) ? HeadlineOf(folder, sweep, verdict) : null,
            HasFewLaunches(verdict.Main),
            verdict.Main?.Rows.Select(row => row.Best?.Library).OfType<string>().Distinct().Count() ?? 0,
            Past.Of(sweep)
        );
    }

    static IEnumerable<string> Headlines(Sweep sweep, Verdict verdict)
    {
        if (sweep.Unreadable.Count > 0)
            yield return $"{Text.Count(sweep.Unreadable.Count, "line")} could not be read";
        if (!sweep.Cells.Any(cell => cell.Measured))
            yield return "nothing was measured";
        foreach (var headline in verdict.Main?.Headlines() ?? [])
            yield return headline + (verdict.Tables.Length > 1 ? $" ({verdict.Main!.Settings})" : "");
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
                + $"{DayOf(machine.DateUtc)}]({Link(results, name, "report.md")})\non "
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
        return $"{Fingerprint.CpusOf(machine)}, {machine.Os}, .NET {machine.DotnetVersion}"
            + (sweep.Machines.Length > 1 ? $", {sweep.Machines.Length:N0} machines" : "");
    }

    static string Commit(MachineRecord machine) =>
        Text.Plain(Text.Value(machine.SuiteCommit), CommitDigits).TrimEnd('…')
        + (machine.SuiteDirty == true ? " with changes" : "");

    static string DayOf(string date) => date == "" ? Text.Missing : Text.Markdown(date.Split('T')[0]);

    static string Link(params string[] parts) => string.Join('/', parts.Select(Uri.EscapeDataString));
}
