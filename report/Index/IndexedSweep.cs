using Newtonsoft.Json.Linq;

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
    const int MostColumns = 7; // as many figures as a page has room for
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
        var date = (string?)machine?["date_utc"] ?? "";
        return new(
            name,
            date,
            [
                DayOf(date),
                $"[{Text.Markdown(name)}]({Link(name, isRendered ? "report.md" : "raw.jsonl")})",
                machine == null ? Text.Missing : Text.Markdown(MachineOf(sweep)),
                machine == null ? Text.Missing : Text.Markdown((string)machine["preset"]!),
                machine == null ? Text.Missing : Text.Markdown(Commit(machine)),
                $"{sweep.Cells.Sum(cell => cell.Launches.Length):N0}",
                string.Join("; ", Headlines(sweep, verdict).Select(Text.Markdown)),
            ],
            isRendered && IsFit(sweep, verdict) ? HeadlineOf(folder, sweep, verdict.Main!) : null,
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
            || best is { Traced: false, InTurn: true } or { Traced: false, Throughput.HasInterval95: true }
        );

    static bool HasFewLaunches(VerdictTable? table) =>
        table?.Rows.Any(row => row.Best?.Launches.Length < TurnRatio.LeastLaunches) == true;

    static string HeadlineOf(string folder, Sweep sweep, VerdictTable table)
    {
        var results = Path.GetFileName(Path.GetDirectoryName(folder)!);
        var name = Path.GetFileName(folder);
        var machine = sweep.Machines[0];
        var page = new Page();
        if (ChartIn(folder, table) is var (delivery, chart))
        {
            page.Line(
                $"![Throughput against clients{(IsRatio(table, delivery) ? ", times the plain socket's" : "")}, "
                    + $"{delivery} delivery]({Link(results, name, chart)})\n"
            );
        }
        page.Line(
            $"[The `{Text.Plain((string)machine["preset"]!).Replace('`', '\'')}` sweep of "
                + $"{DayOf((string)machine["date_utc"]!)}]({Link(results, name, "report.md")}) on "
                + Text.Markdown(MachineOf(sweep))
                + (HasFewLaunches(table) ? ", a first look: few launches, intervals of their rounds alone; " : "; ")
                + "yours will differ, so measure yours.\n"
        );
        table.Write(page, MostColumns);
        page.Line($"\n{VerdictTable.HowToRead}");
        return page.ToString();
    }

    static bool IsRatio(VerdictTable table, string delivery) =>
        table.Rows.Any(row => row.Kind == delivery && row.Best is { } best && RateFigure.Ratio.Of(best) != null);

    // Of unreliable delivery, which most libraries have, else of the first that has one.
    static (string Delivery, string File)? ChartIn(string folder, VerdictTable table) =>
        table
            .Kinds.OrderByDescending(delivery => delivery == "unreliable")
            .Select(delivery => (delivery, $"throughput-{delivery}{ChartFiles.Ending}"))
            .Where(chart => File.Exists(Path.Combine(folder, chart.Item2)))
            .Cast<(string, string)?>()
            .FirstOrDefault();

    static string MachineOf(Sweep sweep)
    {
        string Fact(string name) => Text.Value(sweep.Machines[0][name]);
        return $"{Fact("cpu_model")}, {Text.Count((long)sweep.Machines[0]["cpu_count"]!, "CPU")}, {Fact("os")}, "
            + $".NET {Fact("dotnet_version")}"
            + (sweep.Machines.Length > 1 ? $", {sweep.Machines.Length:N0} machines" : "");
    }

    static string Commit(JObject machine) =>
        Text.Plain(Text.Value(machine["suite_commit"]), CommitDigits).TrimEnd('…')
        + ((bool?)machine["suite_dirty"] == true ? " with changes" : "");

    static string DayOf(string date) => date == "" ? Text.Missing : Text.Markdown(date.Split('T')[0]);

    static string Link(params string[] parts) => string.Join('/', parts.Select(Uri.EscapeDataString));
}
