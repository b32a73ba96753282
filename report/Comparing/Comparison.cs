using Newtonsoft.Json.Linq;

/// <summary>Two sweeps held against each other, cell by cell. The same records give the same bytes.</summary>
sealed class Comparison
{
    const int HashDigits = 12;

    /// <summary>Those that say which cell a row is of.</summary>
    public static readonly string[] NameColumns = ["library", "delivery", "clients", "in flight", "settings"];

    static readonly string[] columns =
    [
        .. NameColumns,
        "figure",
        "BASE",
        "NEW",
        "ratio",
        "95 % interval",
        "p",
        "CPU client",
        "CPU server",
        "verdict",
    ];

    // The facts of a machine's record that say which sweep it is of, and which machine.
    static readonly string[] ofSweeps = ["run_id", "date_utc", "suite_commit", "suite_dirty"];

    static readonly string[] ofMachines =
    [
        "cpu_model",
        "cpu_count",
        "memory_bytes",
        "hypervisor",
        "os",
        "kernel",
        "dotnet_version",
    ];

    readonly Sweep before;
    readonly Sweep after;
    readonly LeastChanges least;
    readonly (string Fact, JToken? One, JToken? Other)[] forced;
    readonly HashSet<string> varying;
    readonly ComparedCell[] cells;
    readonly Change[] changes;
    readonly HashSet<Change> called;

    /// <summary>Forced: the facts of the machines that differ though they should not.</summary>
    public Comparison(Sweep before, Sweep after, LeastChanges least, (string Fact, JToken? One, JToken? Other)[] forced)
    {
        this.before = before;
        this.after = after;
        this.least = least;
        this.forced = forced;
        varying = Cell.Varying(before.Cells.Concat(after.Cells));
        var old = before.Cells.ToDictionary(cell => cell.Identity);
        var now = after.Cells.ToDictionary(cell => cell.Identity);
        cells = Ordered(
            old.Keys.Union(now.Keys)
                .Select(identity => new ComparedCell(old.GetValueOrDefault(identity), now.GetValueOrDefault(identity))),
            cell => cell.Cell,
            varying
        );
        var compared = cells
            .Where(cell => cell.Change != null)
            .Select(cell => (Change: cell.Change!, Least: least.For(cell.IsRatio).Value))
            .ToArray();
        changes = [.. compared.Select(cell => cell.Change)];
        called = [.. changes.Zip(Rule.Called(compared)).Where(change => change.Second).Select(change => change.First)];
    }

    public int Comparable => changes.Length;
    public int Worse => cells.Count(cell => IsCalled(cell) && !cell.IsBetter);

    /// <summary>Cells in the order of the report's tables.</summary>
    public static T[] Ordered<T>(IEnumerable<T> rows, Func<T, Cell> cellOf, HashSet<string> varying) =>
        [
            .. rows.OrderBy(row => cellOf(row).KindOrder)
                .ThenBy(row => Text.NumbersPadded(cellOf(row).InWords(varying)), StringComparer.Ordinal)
                .ThenBy(row => cellOf(row).Clients)
                .ThenBy(row => cellOf(row).Parallel)
                .ThenBy(row => cellOf(row).Name, StringComparer.Ordinal),
        ];

    /// <summary>The columns that say which cell a row is of.</summary>
    public static string Names(Cell cell, HashSet<string> varying) =>
        string.Join(
            " | ",
            Text.Markdown(cell.Name),
            cell.Kind,
            $"{cell.Clients:N0}",
            $"{cell.Parallel:N0}",
            Text.Markdown(cell.InWords(varying))
        );

    public string ToMarkdown()
    {
        var page = new Page();
        Summary(page);
        page.Line("\n## Cells\n");
        if (cells.Length == 0)
            page.Line("Neither side has any.");
        else
            page.Table(columns, cells.Select(Row), figures: true);
        Compared(page);
        Unreadable(page);
        HowToRead(page);
        return page.ToString();
    }

    void Summary(Page page)
    {
        var better = called.Count - Worse;
        page.Line("# Comparison of two sweeps\n");
        if (Comparable == 0)
            page.Line(Nothing() + "\n");
        var context = cells.Count(cell => cell.IsContext);
        var judged = cells.Length - context;
        page.Line(
            $"**{better:N0} better, {Worse:N0} worse, {Comparable - called.Count:N0} within noise, "
                + $"{judged - Comparable:N0} not comparable**, of {Text.Count(judged, "cell")}"
                + (context == 0 ? "." : $"; {Text.Count(context, "cell")} of baselines for context.")
        );
        var kinds = cells.Where(cell => cell.Change != null).Select(cell => cell.IsRatio).ToArray();
        var correction = Rule.IsCorrected(Comparable)
            ? $", and by Benjamini-Hochberg at 5 % over the p of {Comparable:N0} cells."
            : ".";
        page.Line(
            $"A change is called when it exceeds {Text.Markdown(least.InWords(kinds))} and its interval excludes 1"
                + correction
        );
        if (Rule.IsCorrected(Comparable) && Rule.LeastTogether(changes) is > 1 and var together)
        {
            page.Line(
                $"**With so few launches no change is called unless {together:N0} or more cells "
                    + $"change**; {Rule.LaunchesForOneOf(Comparable):N0} launches per side can call one alone."
            );
        }
        if (forced.Length > 0)
        {
            var facts = string.Join(", ", forced.Select(fact => fact.Fact));
            page.Line($"\n**The machines differ in {Text.Markdown(facts)}; the comparison was forced.**");
        }
    }

    // Why nothing is compared, of most cells, and what to run; escaped.
    string Nothing()
    {
        var most = cells
            .Where(cell => cell.Reason != null)
            .GroupBy(cell => (cell.Reason, cell.Remedy))
            .MaxBy(alike => alike.Count());
        if (most == null)
            return "Nothing can be compared, as no side has a cell of a library: measure one.";
        return $"Nothing can be compared: {Text.Markdown(most.Key.Reason!)} (so {most.Count():N0} of "
            + $"{Text.Count(cells.Length, "cell")}). Run {most.Key.Remedy}, with `scripts/run-all.sh`.";
    }

    string[] Row(ComparedCell cell) =>
        [
            Names(cell.Cell, varying),
            cell.FigureName,
            Text.Number(cell.MedianBefore),
            Text.Number(cell.MedianAfter),
            Text.Number(cell.Change?.Value),
            cell.Change?.Interval is var (low, high) ? $"{Text.Number(low)}–{Text.Number(high)}" : Text.Missing,
            Text.Number(cell.Change?.P),
            Text.Number(cell.RatioOf(Metrics.ClientCpu)),
            Text.Number(cell.RatioOf(Metrics.ServerCpu)),
            VerdictOn(cell),
        ];

    string VerdictOn(ComparedCell cell)
    {
        if (cell.Reason is { } reason)
            return $"not comparable: {Text.Markdown(reason)}";
        if (cell.IsContext)
            return "baseline, for context";
        if (!IsCalled(cell))
            return "within noise";
        return cell.IsBetter ? "better" : "worse";
    }

    bool IsCalled(ComparedCell cell) => cell.Change != null && called.Contains(cell.Change);

    void Compared(Page page)
    {
        page.Line("\n## What is compared\n");
        List<string[]> rows = [];
        foreach (var fact in ofSweeps)
        {
            var name = fact == "run_id" ? "sweep" : fact;
            rows.Add(Facts(name, sweep => sweep.Machines.Select(machine => Text.Value(machine.Json[fact]))));
        }
        rows.Add(Facts("machine", sweep => sweep.Machines.Select(Machine)));
        foreach (var (fact, one, other) in forced)
            rows.Add([$"**{Text.Markdown(fact)}**", Text.Markdown(Text.Value(one)), Text.Markdown(Text.Value(other))]);
        var libraries = before
            .Ready.Concat(after.Ready)
            .Select(side => side.Library)
            .Distinct()
            .Order(StringComparer.Ordinal);
        foreach (var library in libraries)
            rows.Add(Facts(library, sweep => Versions(sweep, library)));
        page.Table(["what", "BASE", "NEW"], rows);
        page.Line("\nIn bold: it differs.");
    }

    static IEnumerable<string> Versions(Sweep sweep, string library) =>
        sweep.Ready.Where(side => side.Library == library).Select(Version);

    string[] Facts(string name, Func<Sweep, IEnumerable<string>> values)
    {
        string Of(Sweep sweep)
        {
            var distinct = values(sweep).Select(Text.Markdown).Distinct().Order(StringComparer.Ordinal);
            return string.Join("; ", distinct) is { Length: > 0 } all ? all : Text.Missing;
        }
        var old = Of(before);
        var now = Of(after);
        var shown = Text.Markdown(name);
        return [old == now ? shown : $"**{shown}**", old, now];
    }

    static string Machine(MachineRecord machine) =>
        $"{Fingerprint.RoleOf(machine)}: "
        + string.Join(", ", ofMachines.Select(fact => $"{fact} {Text.Value(machine.Json[fact])}"));

    static string Version(ReadyRecord side) =>
        $"{side.LibraryVersion} ({Text.Plain(side.LibrarySha256, HashDigits).TrimEnd('…')}), "
        + Side.RuntimeOf(side);

    void Unreadable(Page page)
    {
        foreach (var (side, sweep) in new[] { ("BASE", before), ("NEW", after) })
        {
            if (sweep.Unreadable.Count > 0)
                page.Line($"\n{Text.Count(sweep.Unreadable.Count, "line")} of {side} could not be read.");
        }
    }

    static void HowToRead(Page page) =>
        page.Line($"\n[What the words mean]({Report.Glossary}#words-of-a-comparison).");
}
