/// <summary>Where the time goes: of each traced cell and side the methods with most CPU time of their own and with most
/// allocated bytes, and between versions of a library how these differ.</summary>
sealed class TraceSection
{
    /// <summary>Its heading.</summary>
    public const string Title = "Where the time goes";

    const int Most = 20;
    const int MostCalls = 3;
    // Which follows the name of a library, before a version of it.

    readonly HashSet<string> varying;
    readonly Page page;
    readonly List<string> faults = [];
    readonly TracedSide[] sides;

    TraceSection(Sweep sweep, Cell[] cells, Page page)
    {
        this.page = page;
        varying = Cell.Varying(sweep.Cells);
        sides =
        [
            .. cells.OrderBy(cell => cell.KindOrder)
                .SelectMany(cell => TracedSide.Of(cell, sweep.Folder, faults)),
        ];
    }

    /// <summary>Writes it where a cell was traced.</summary>
    public static void Write(Sweep sweep, Page page)
    {
        Cell[] cells = [.. sweep.Cells.Where(cell => cell is { Traced: true, Measured: true })];
        if (cells.Length > 0)
        {
            new TraceSection(sweep, cells, page).Write();
        }
    }

    void Write()
    {
        page.Line($"\n## {Title}");
        var read = sides.Where(side => side.Launches > 0).ToArray();
        if (read.Length == 0 && faults.TrueForAll(fault => fault.EndsWith("is missing.")))
        {
            page.Line("\nThe sweep was traced, but none of its traces lies beside raw.jsonl.");
            return;
        }
        page.Line(
            "\nBy samples of each traced launch's window. A method's CPU time is that of its own code, without what it "
                + "calls; it is an estimate, and tracing itself slows what it looks at. The *harness* is the bench, "
                + "which makes and checks the messages. docs/where-the-time-goes.md says how it is estimated."
        );
        foreach (var fault in faults)
        {
            page.Line($"\n{Text.Markdown(fault)}");
        }
        if (read.Length == 0)
        {
            return;
        }
        Shares(read);
        foreach (var (older, newer) in Versions(read))
        {
            Difference(older, newer);
        }
        foreach (var cell in read.GroupBy(side => side.Cell))
        {
            page.Line($"\n### {Text.Markdown($"{cell.Key.Name}, {LoadOf(cell.Key)}")}");
            foreach (var side in cell)
            {
                OfSide(side);
            }
        }
    }

    void Shares(TracedSide[] read)
    {
        page.Line("");
        page.Table(
            [
                "library",
                "load",
                "side",
                "CPU µs/msg",
                "kernel %",
                "GC pause %",
                "pool threads %",
                "pool itself %",
                "harness %",
                "launches",
            ],
            read.Select(side => new[]
            {
                Text.Markdown(side.Cell.Name),
                Text.Markdown(LoadOf(side.Cell)),
                side.Name,
                Text.Number(side.CpuUs),
                Text.Number(100 * side.Kernel),
                Text.Number(100 * side.GcPause),
                Text.Number(100 * side.OfPool),
                Text.Number(100 * side.InPool),
                Text.Number(100 * side.Harness),
                $"{side.Launches:N0}",
            }),
            column => column > 2
        );
    }

    void OfSide(TracedSide side)
    {
        page.Line($"\n#### CPU time of {side.InWords}\n");
        Methods(side.Cpu, side.CpuUs, "CPU %", "CPU µs/msg");
        if (side.Cpu.Of(TracedSide.Rest).Amount > 0 && side.MayWait(MostCalls).ToArray() is { Length: > 0 } calls)
        {
            page.Line(
                $"\nMost of the calls that may wait were in {Text.LongMarkdown(Text.And(calls.Select(NameOf)))}."
            );
        }
        if (side.Allocated.Total == 0)
        {
            return;
        }
        page.Line($"\n#### Allocated bytes of {side.InWords}\n");
        Methods(side.Allocated, side.AllocatedBytes, "bytes %", "B/msg");
    }

    static string NameOf(Method method) => method.Name;

    void Methods(MethodSums sums, double? aMessage, string share, string ofMessage) =>
        page.Table(
            ["method", share, ofMessage, "samples", "of"],
            sums.Largest(Most).Select(method =>
            {
                var (amount, samples) = sums.Of(method);
                return new[]
                {
                    Text.Markdown(method.Name),
                    Text.Number(100 * amount / sums.Total),
                    Text.Number(amount / sums.Total * aMessage),
                    samples == 0 ? Text.Missing : $"{samples:N0}",
                    Text.Markdown(method.Owner),
                };
            }),
            figures: true
        );

    // The oldest version of a library with each other one that did the same.
    static IEnumerable<(TracedSide Older, TracedSide Newer)> Versions(TracedSide[] read) =>
        from side in read
        where !LibraryName.IsPair(side.Cell.Library)
        group side by (LibraryName.LibraryOf(side.Cell.Library), side.Name, Work: side.Cell.WorkWithout([])) into same
        let versions = same.OrderBy(side => IsOfFolder(side.Cell))
            .ThenBy(side => VersionOf(side.Cell), NugetVersion.InOrder)
            .ToArray()
        from newer in versions[1..]
        select (versions[0], newer);

    // It is newer than all that has a number.
    static bool IsOfFolder(Cell cell) => LibraryName.BuildOf(cell.Library) is { } build && !NugetVersion.IsOne(build);

    static NugetVersion VersionOf(Cell cell) =>
        NugetVersion.Of(LibraryName.BuildOf(cell.Library) ?? cell.Launches[0].Clients[0].Ready.LibraryVersion)
        ?? NugetVersion.None;

    void Difference(TracedSide older, TracedSide newer)
    {
        var title = $"{newer.Cell.Name} less {older.Cell.Name}: {newer.InWords}, {LoadOf(newer.Cell)}";
        page.Line($"\n### {Text.Markdown(title)}");
        page.Line("\n#### CPU time, the largest difference first\n");
        Differences(older, newer, side => side.Cpu, side => side.CpuUs, "µs/msg");
        if (older.Allocated.Total + newer.Allocated.Total == 0)
        {
            return;
        }
        page.Line("\n#### Allocated bytes, the largest difference first\n");
        Differences(older, newer, side => side.Allocated, side => side.AllocatedBytes, "B/msg");
    }

    void Differences(
        TracedSide older,
        TracedSide newer,
        Func<TracedSide, MethodSums> sumsOf,
        Func<TracedSide, double?> aMessage,
        string unit)
    {
        double Of(TracedSide side, Method method) =>
            Launch.Ratio(sumsOf(side).Of(method).Amount, sumsOf(side).Total) * aMessage(side) ?? 0;
        page.Table(
            ["method", $"{Text.Markdown(older.Cell.Name)} {unit}", $"{Text.Markdown(newer.Cell.Name)} {unit}",
                "difference", "samples", "of"],
            sumsOf(older).Methods.Union(sumsOf(newer).Methods)
                .Select(method => (Method: method, Before: Of(older, method), After: Of(newer, method)))
                .OrderByDescending(change => Math.Abs(change.After - change.Before))
                .ThenBy(change => change.Method.Name, StringComparer.Ordinal)
                .ThenBy(change => change.Method.Owner, StringComparer.Ordinal)
                .Take(Most)
                .Select(change => new[]
                {
                    Text.Markdown(change.Method.Name),
                    Text.Number(change.Before),
                    Text.Number(change.After),
                    Signed(change.After - change.Before),
                    $"{sumsOf(older).Of(change.Method).Samples:N0} / {sumsOf(newer).Of(change.Method).Samples:N0}",
                    Text.Markdown(change.Method.Owner),
                }),
            figures: true
        );
    }

    static string Signed(double difference) =>
        (difference < 0 ? "-" : "+") + Text.Number(Math.Abs(difference));

    string LoadOf(Cell cell)
    {
        var rate = cell.ClosedLoop ? "" : $" at {cell.Rate:N0}/s";
        return $"{Cell.Titled(cell.Kind, cell.SectionInWords(varying))}, {cell.Clients:N0} x {cell.Parallel:N0}{rate}";
    }
}
