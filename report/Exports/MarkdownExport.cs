/// <summary>A sweep for pasting into an issue, in the manner of BenchmarkDotNet: what it ran on in a block,
/// then a row per cell, aligned so that it reads as plain text too.</summary>
static class MarkdownExport
{
    static readonly Column[] shared =
    [
        Column.For(Metrics.P50),
        Column.For(Metrics.P99),
        Column.For(Metrics.BothCpu),
        Column.For(Metrics.WireBytes) with { Title = "Wire B/msg" },
        Column.For(Metrics.Lost) with { Title = "Lost %" },
    ];

    static readonly Column[] ofRooms =
    [
        Column.For(RoomMetrics.DelayP99) with { Title = "Delay p99 ms" },
        Column.For(RoomMetrics.LateTicks) with { Title = "Late ticks %" },
        Column.For(RoomMetrics.Missing) with { Title = "Missing %" },
        Column.For(RoomMetrics.ServerCores) with { Title = "Server cores" },
    ];

    /// <summary>The page.</summary>
    public static string Of(Sweep sweep)
    {
        var page = new Page();
        page.Line("```");
        foreach (var line in sweep.Machines.SelectMany(Environment).DefaultIfEmpty("No machine record says on what."))
            page.Line(Text.Plain(line).Replace('`', '\''));
        page.Line("```");
        foreach (var library in sweep.Unavailable)
            page.Line($"\n{Text.Markdown(library.Library)} unavailable: {Text.Markdown(library.Reason)}");
        page.Line("");
        if (sweep.Cells.Length == 0)
            page.Line("Nothing was measured.");
        else
            Table(page, sweep);
        return page.ToString();
    }

    static IEnumerable<string> Environment(MachineRecord machine)
    {
        yield return $"{Fingerprint.Prefix(machine)}Network benchmark, {machine.DateUtc}, "
            + $"preset {machine.PresetInWords}, suite {Text.Value(machine.SuiteCommit)}"
            + (machine.SuiteDirty == true ? " with changes" : "");
        yield return $"{machine.Os}, kernel {machine.Kernel}";
        yield return $"{Text.Value(machine.CpuModel)}, {machine.CpuCount} logical and {Text.Value(machine.Cores)} "
            + $"physical cores, {machine.Architecture}, hypervisor {Text.Value(machine.Hypervisor)}, "
            + $"{Text.Number((double?)machine.MemoryBytes / (1 << 30))} GiB";
        yield return $".NET {machine.DotnetVersion}, {machine.Rid}";
        yield return $"warm-up {machine.Sweep["warmup_seconds"]} s, window {machine.Sweep["seconds"]} s, "
            + Text.Count(machine.Repeats, "launch", "es")
            + " per cell";
    }

    static void Table(Page page, Sweep sweep)
    {
        var varying = Cell.Varying(sweep.Cells);
        // What is the same in all rows would only make them wide.
        var settings = sweep.Cells.Select(cell => cell.InWords(varying)).Distinct().Count() > 1;
        var cells = Comparison.Ordered(sweep.Cells, cell => cell, varying);
        // Percentiles of what rooms do are those of delays.
        Column[] columns = cells.Any(cell => cell.Work.HasRooms) ? [.. shared, .. ofRooms] : shared;
        var plain = cells.Where(cell => cell is { IsBaseline: true, Tuned: false, IsDrawn: true }).ToLookup(Load);
        object Load(Cell cell) => (cell.Kind, cell.Clients, cell.Parallel, cell.InWords(varying));
        // At a given rate all achieve the same: what tells them apart is their cost.
        double? ToBaseline(Cell cell)
        {
            if (!cell.IsDrawn || !cell.ClosedLoop)
                return null;
            if (cell.Interleaved)
                return cell.ToBaseline?.Value;
            return Launch.Ratio(cell.Throughput?.Median, plain[Load(cell)].FirstOrDefault()?.Throughput?.Median);
        }
        string IntervalOf(Cell cell)
        {
            if (!cell.ClosedLoop)
                return Text.Missing;
            return cell.Interleaved
                ? Ratios.Interval(cell, cell.ToBaseline)
                : cell.Throughput?.ToString() ?? Text.Missing;
        }
        string[] Row(CellFigures figures)
        {
            var cell = figures.Cell;
            return
            [
                Text.Markdown(cell.Name),
                cell.Kind,
                .. settings ? [Text.Markdown(cell.InWords(varying))] : Array.Empty<string>(),
                $"{cell.Clients:N0}",
                $"{cell.Parallel:N0}",
                Column.Struck(cell, Text.Number(cell.Throughput?.Median)),
                Text.Number(ToBaseline(cell)),
                IntervalOf(cell),
                .. columns.Select(column => column.Of(figures)),
                Section.Notes(cell, sweep.Repeats),
            ];
        }
        string[] head =
        [
            "Library",
            "Delivery",
            .. settings ? ["Settings"] : Array.Empty<string>(),
            "Clients",
            "In flight",
            "Median msgs/s",
            "x baseline",
            "Interval",
            .. columns.Select(column => column.Title),
            "Notes",
        ];
        Aligned(page, head, [.. CellFigures.Of(sweep, cells).Select(Row)], firstFigure: settings ? 3 : 2);
    }

    // Names and the last column stand to the left, figures to the right.
    static void Aligned(Page page, string[] head, string[][] rows, int firstFigure)
    {
        var last = head.Length - 1;
        var widths = head.Select(title => title.Length).ToArray();
        for (var i = 0; i < last; i++)
            widths[i] = Math.Max(widths[i], rows.Max(row => row[i].Length));
        Line(head);
        page.Line($"|{string.Join("|", widths.Select(Rule))}|");
        foreach (var row in rows)
            Line(row);

        bool IsFigure(int column) => column >= firstFigure && column < last;
        string Padded(string text, int column) =>
            IsFigure(column) ? text.PadLeft(widths[column]) : text.PadRight(widths[column]);
        string Rule(int width, int column) =>
            IsFigure(column) ? new string('-', width + 1) + ":" : new string('-', width + 2);
        void Line(string[] row) => page.Line($"| {string.Join(" | ", row.Select(Padded))} |");
    }
}
