using Newtonsoft.Json.Linq;

/// <summary>Two sweeps held against each other, cell by cell. The same records give the same bytes.</summary>
sealed class Comparison
{
    const int HashDigits = 12;

    /// <summary>Those that say which cell a row is of.</summary>
    public static readonly string[] NameColumns = ["library", "delivery", "clients", "parallel", "settings"];

    static readonly string[] columns = [.. NameColumns, "figure", "BASE", "NEW", "ratio", "95 % interval",
        "p", "CPU client", "CPU server", "verdict"];

    readonly Sweep before, after;
    readonly LeastChange leastChange;
    readonly (string Fact, JToken? One, JToken? Other)[] forced;
    readonly HashSet<string> varying;
    readonly ComparedCell[] cells;
    readonly Ratio[] ratios;
    readonly HashSet<Ratio> called;

    /// <summary>Forced: the facts of the machines that differ though they should not.</summary>
    public Comparison(Sweep before, Sweep after, LeastChange leastChange,
        (string Fact, JToken? One, JToken? Other)[] forced)
    {
        (this.before, this.after, this.leastChange, this.forced) = (before, after, leastChange, forced);
        varying = Cell.Varying(before.Cells.Concat(after.Cells));
        var (old, now) = (before.Cells.ToDictionary(cell => cell.Identity),
            after.Cells.ToDictionary(cell => cell.Identity));
        cells = Ordered(old.Keys.Union(now.Keys).Select(identity => new ComparedCell(
            old.GetValueOrDefault(identity), now.GetValueOrDefault(identity))), cell => cell.Cell, varying);
        ratios = [.. cells.Select(cell => cell.Ratio).OfType<Ratio>()];
        called = [.. ratios.Zip(Rule.Called(ratios, leastChange.Value))
            .Where(ratio => ratio.Second).Select(ratio => ratio.First)];
    }

    public int Comparable => ratios.Length;
    public int Worse => cells.Count(cell => IsCalled(cell) && !cell.IsBetter);

    /// <summary>Cells in the order of the report's tables.</summary>
    public static T[] Ordered<T>(IEnumerable<T> rows, Func<T, Cell> cellOf, HashSet<string> varying) =>
    [.. rows.OrderBy(row => Array.IndexOf(Contract.Deliveries, cellOf(row).Delivery))
        .ThenBy(row => Text.NumbersPadded(cellOf(row).InWords(varying)), StringComparer.Ordinal)
        .ThenBy(row => cellOf(row).Clients).ThenBy(row => cellOf(row).Parallel)
        .ThenBy(row => cellOf(row).Name, StringComparer.Ordinal)];

    /// <summary>The columns that say which cell a row is of.</summary>
    public static string Names(Cell cell, HashSet<string> varying) => string.Join(" | ",
        Text.Markdown(cell.Name), cell.Delivery, $"{cell.Clients:N0}", $"{cell.Parallel:N0}",
        Text.Markdown(cell.InWords(varying)));

    public string ToMarkdown()
    {
        var page = new Page();
        Summary(page);
        page.Line("\n## Cells\n");
        if (cells.Length == 0) page.Line("Neither side has any.");
        else page.Table(columns, cells.Select(Row), figures: true);
        Compared(page);
        Unreadable(page);
        HowToRead(page);
        return page.ToString();
    }

    void Summary(Page page)
    {
        var better = called.Count - Worse;
        page.Line("# Comparison of two sweeps\n");
        page.Line($"**{better:N0} better, {Worse:N0} worse, {Comparable - called.Count:N0} within noise, "
            + $"{cells.Length - Comparable:N0} not comparable**, of {Text.Count(cells.Length, "cell")}.");
        page.Line($"A change is called when it exceeds {Text.Markdown(leastChange.ToString())} and its "
            + "interval excludes 1" + (Rule.IsCorrected(ratios) ? $", and by Benjamini-Hochberg at 5 % over "
            + $"the p of {Comparable:N0} cells." : "."));
        if (Rule.IsCorrected(ratios) && Rule.LeastTogether(ratios) is > 1 and var together)
            page.Line($"**With so few launches no change is called unless {together:N0} or more cells "
                + $"change**; {Rule.LaunchesForOneOf(Comparable):N0} launches a side can call one alone.");
        if (forced.Length > 0)
            page.Line($"\n**The machines differ in {Text.Markdown(string.Join(", ",
                forced.Select(fact => fact.Fact)))}; the comparison was forced.**");
    }

    string[] Row(ComparedCell cell) =>
    [
        Names(cell.Cell, varying), cell.FigureName,
        Text.Number(cell.MedianBefore), Text.Number(cell.MedianAfter),
        Text.Number(cell.Ratio?.Value),
        cell.Ratio?.Interval is var (low, high) ? $"{Text.Number(low)}–{Text.Number(high)}" : Text.Missing,
        Text.Number(cell.Ratio?.P),
        Text.Number(cell.RatioOf(launch => launch.ClientCpuUs)),
        Text.Number(cell.RatioOf(launch => launch.ServerCpuUs)),
        cell.Reason is { } reason ? $"not comparable: {Text.Markdown(reason)}"
            : !IsCalled(cell) ? "within noise" : cell.IsBetter ? "better" : "worse",
    ];

    bool IsCalled(ComparedCell cell) => cell.Ratio != null && called.Contains(cell.Ratio);

    void Compared(Page page)
    {
        page.Line("\n## What is compared\n");
        page.Table(["what", "BASE", "NEW"],
        [
            .. new[] { "run_id", "date_utc", "suite_commit", "suite_dirty" }.Select(fact =>
                Facts(fact == "run_id" ? "sweep" : fact, sweep => sweep.Machines.Select(
                    machine => Text.Value(machine[fact])))),
            Facts("machine", sweep => sweep.Machines.Select(Machine)),
            .. forced.Select(fact => new[]
            {
                $"**{Text.Markdown(fact.Fact)}**", Text.Markdown(Text.Value(fact.One)),
                Text.Markdown(Text.Value(fact.Other)),
            }),
            .. before.Ready.Concat(after.Ready).Select(side => (string)side["library"]!).Distinct()
                .Order(StringComparer.Ordinal)
                .Select(library => Facts(library, sweep => sweep.Ready
                    .Where(side => (string)side["library"]! == library).Select(Version))),
        ]);
        page.Line("\nIn bold: it differs.");
    }

    string[] Facts(string name, Func<Sweep, IEnumerable<string>> values)
    {
        string Of(Sweep sweep)
        {
            var distinct = values(sweep).Select(Text.Markdown).Distinct().Order(StringComparer.Ordinal);
            return string.Join("; ", distinct) is { Length: > 0 } all ? all : Text.Missing;
        }
        var (old, now, shown) = (Of(before), Of(after), Text.Markdown(name));
        return [old == now ? shown : $"**{shown}**", old, now];
    }

    static string Machine(JObject machine) => $"{Fingerprint.RoleOf(machine)}: " + string.Join(", ",
        new[] { "cpu_model", "cpu_count", "memory_bytes", "hypervisor", "os", "kernel", "dotnet_version" }
            .Select(fact => $"{fact} {Text.Value(machine[fact])}"));

    static string Version(JObject side) => $"{side["library_version"]} "
        + $"({Text.Plain((string)side["library_sha256"]!, HashDigits).TrimEnd('…')}), "
        + Side.RuntimeOf(side);

    void Unreadable(Page page)
    {
        foreach (var (side, sweep) in new[] { ("BASE", before), ("NEW", after) })
            if (sweep.Unreadable.Count > 0)
                page.Line($"\n{Text.Count(sweep.Unreadable.Count, "line")} of {side} could not be read.");
    }

    static void HowToRead(Page page) => page.Line("""

        ## How to read this

        - **The unit is the launch.** BASE and NEW are medians of launches, the ratio is NEW over BASE, its
          interval is of 10,000 resamples of both sides' launches. p is of the two-sided Mann-Whitney test.
        - In a closed loop messages/s are judged, at a given rate the p99 of the launches' round trips.
        - CPU client and CPU server are the ratios of CPU time a message, for information.
        - *within noise* says that no change was shown, not that there is none.
        - *not comparable* is no pass: a cell that failed or is missing may be the regression.
        """.ReplaceLineEndings("\n"));
}
