using Newtonsoft.Json.Linq;

/// <summary>The charts and the tables of one delivery mode: of the cells that share all settings but
/// clients, messages in flight, profile and rate.</summary>
sealed class Section
{
    static readonly string[] names = ["library", "clients", "in flight"];

    static readonly Column[] costs =
    [
        Column.Sum(
            "CPU µs/msg client (user + system)", Metrics.ClientCpu, Metrics.ClientUserCpu, Metrics.ClientSystemCpu),
        Column.Sum(
            "CPU µs/msg server (user + system)", Metrics.ServerCpu, Metrics.ServerUserCpu, Metrics.ServerSystemCpu),
        Column.For(Metrics.MessagesACore),
        Column.Both("busy % client / server", Metrics.ClientBusy, Metrics.ServerBusy),
        Column.Both("alloc B/msg client / server", Metrics.ClientAllocated, Metrics.ServerAllocated),
        Column.Both("GC pause % client / server", Metrics.ClientGcPause, Metrics.ServerGcPause),
        Column.For(Metrics.WireBytes),
        Column.For(Metrics.WirePackets),
        Column.For(Metrics.MessagesAPacket),
        Column.For(Metrics.WireBytesAPacket),
        Column.For(Metrics.PacketRate),
        Column.For(Metrics.ReceiveQueue),
        Column.Both("context switches/msg client / server", Metrics.ClientSwitches, Metrics.ServerSwitches),
        Column.Both("RSS steady MiB client / server", Metrics.ClientRss, Metrics.ServerRss),
        Column.Both("RSS peak MiB client / server", Metrics.ClientPeak, Metrics.ServerPeak),
    ];

    static readonly Column[] interleaved =
    [
        Column.For(Metrics.CpuToBaseline),
        new("interval", figures => Ratios.Interval(figures.Cell, figures.Cell.CpuToBaseline)),
    ];

    static readonly Column cpuToUnencrypted =
        new("CPU x unencrypted", figures => OfPair(figures.Cell.CpuToUnencrypted));

    static readonly Column rateToUnencrypted =
        Column.OfDrawn("x unencrypted", figures => OfPair(figures.Cell.ToUnencrypted));

    static readonly Column[] connections =
    [
        Column.For(Metrics.Connections),
        Column.For(Metrics.Disconnect),
        Column.For(Metrics.ClientConnection),
        Column.For(Metrics.ServerConnection),
    ];

    static readonly Column[] ofShares =
    [
        Column.For(Metrics.Throughput),
        Column.For(Metrics.P50),
        Column.For(Metrics.P99),
        Column.For(Metrics.ClientCpu),
        Column.For(Metrics.Lost),
    ];

    const string Aside = "throughput-absolute"; // the chart that is linked to, not shown

    readonly Sweep sweep;
    readonly Work work;
    readonly WorkLayout layout;
    readonly string title;
    readonly Cell[] cells;
    readonly Cell[] closed;
    readonly Cell[] atRate;
    readonly bool someInterleaved;
    readonly bool someSeparately;
    readonly bool besideUnencrypted; // of the closed loop
    readonly (string Says, string File)[] charts;

    /// <summary>Takes the section's charts on; settings: what the cells share, in words.</summary>
    public Section(Sweep sweep, string kind, string settings, Cell[] cells, ChartList list)
    {
        this.sweep = sweep;
        this.cells = cells;
        work = cells[0].Work;
        layout = WorkLayout.Of(work);
        title = Cell.Titled(kind, settings);
        closed = [.. cells.Where(cell => cell.ClosedLoop)];
        atRate = [.. cells.Where(cell => !cell.ClosedLoop)];
        someInterleaved = closed.Any(cell => cell.Interleaved);
        someSeparately = closed.Any(cell => cell is { Measured: true, Interleaved: false });
        besideUnencrypted = closed.Any(cell => cell.ToUnencrypted != null);
        Subject Of(IEnumerable<Cell> cells) => new(work, kind, settings, [.. cells], sweep.Looks);
        var busiest = Of(closed.Where(cell => cell.IsDrawn));
        var rated = Of(atRate.Where(cell => cell.IsDrawn));
        var carried = Of(atRate.Where(cell => cell.CarriedItsLoad));
        var figure = RateFigure.Best(busiest);
        var times = figure == RateFigure.Ratio ? ", times the baseline's" : "";
        var throughput = ThroughputChart.Of(busiest, figure);
        var against = ThroughputChart.IsAgainstClients(throughput) ? " against clients" : "";
        (string Kind, string Says, Panel[] Panels)[] all =
        [
            ("server-cpu", "The server's CPU time per message at a given rate", BarsChart.ServerCpu(carried)),
            ("throughput", $"Throughput{against}{times}", throughput),
            (
                Aside,
                $"Throughput{against} in messages/s",
                figure == RateFigure.Absolute ? [] : ThroughputChart.Of(busiest, RateFigure.Absolute)
            ),
            ("parallel", $"Throughput by messages in flight{times}", ParallelChart.Of(busiest, figure)),
            ("round-trips", "Round trips at saturation", RoundTripsChart.Of(busiest)),
            ("percentiles", "Round trips by percentile", PercentilesChart.Of(busiest)),
            ("rate-latency", "Round trips against the offered rate", RateLatencyChart.Of(rated, atRate, sweep.Slo)),
            ("round-trips-at-rate", "Round trips at a given rate", RoundTripsChart.Of(rated)),
            ("cpu", "CPU time per message", BarsChart.Cpu(busiest)),
            ("wire", "Bytes on the wire per message", layout.Wire(busiest)),
            ("memory", "Memory against clients", MemoryChart.Of(busiest)),
        ];
        charts =
        [
            .. all.Where(chart => chart.Panels.Length > 0)
                .Select(chart =>
                    (
                        InWords(chart.Says),
                        list.Add($"{chart.Kind}-{kind}", $"{InWords(chart.Says)}, {title}", chart.Panels)
                    )
                ),
        ];
    }

    /// <summary>Writes the charts under a heading, if there are any.</summary>
    public void WriteCharts(Page page)
    {
        if (charts.Length > 0)
        {
            page.Line($"\n### {Text.Markdown(title)}");
        }
        foreach (var (says, file) in charts)
        {
            var shown = file.StartsWith(Aside) ? "" : "!";
            page.Line($"\n{shown}[{says}, {Text.Markdown(title)}]({file}{ChartFiles.Ending})");
        }
    }

    /// <summary>Writes the tables under a heading.</summary>
    public void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(title)}");
        if (closed.Length > 0)
            ClosedLoop(page);
        if (atRate.Length > 0)
            AtRate.Write(page, CellFigures.Of(sweep, atRate), sweep.Repeats);
        if (atRate.Length > 0)
            Ladder.Write(page, closed, atRate, sweep.Slo);
        var notes = Notes().ToArray();
        foreach (var note in notes)
            page.Line($"\n{note}");
    }

    /// <summary>The cells that say which cell a row is of.</summary>
    public static string[] Names(Cell cell) => [Text.Markdown(cell.Title), $"{cell.Clients:N0}", $"{cell.Parallel:N0}"];

    /// <summary>A figure, struck out if told so; n/a stays.</summary>
    public static string Struck(bool strike, string figure) =>
        strike && figure != Text.Missing ? $"~~{figure}~~" : figure;

    void ClosedLoop(Page page)
    {
        page.Line($"\n#### {layout.RatesHeading}\n");
        var common = CommonNotes.Of(closed, sweep.Repeats, layout.LoadOf);
        Table(page, CellFigures.Of(sweep, closed), Rates(common), "bound by");
        common.Write(page);
        var shares = closed.SelectMany(Shares).ToArray();
        if (shares.Length > 0)
        {
            page.Line("\nBy client machine:\n");
            string[] head = [.. names, "client machine", "clients of it", .. ofShares.Select(column => column.Title)];
            page.Table([.. head.Select(InWords)], shares, figures: true);
        }
        var measured = CellFigures.Of(sweep, closed.Where(cell => cell.Measured));
        if (measured.Length == 0)
            return;
        page.Line("\n#### Cost\n");
        Table(
            page,
            measured,
            [
                .. costs,
                .. someInterleaved ? interleaved : [],
                .. besideUnencrypted ? [cpuToUnencrypted] : Array.Empty<Column>(),
            ]
        );
        page.Line("\n#### Connections\n");
        Table(page, measured, connections);
        Pairs(page);
    }

    void Table(Page page, CellFigures[] rows, Column[] columns, params string[] words)
    {
        page.Table(
            [.. names, .. columns.Select(column => InWords(column.Title))],
            rows.Select(row => (string[])[.. Names(row.Cell), .. columns.Select(column => column.Of(row))]),
            figures: true,
            words
        );
    }

    string InWords(string words) => work.InWords(words);

    // Ratios where there are any, spreads of launches where some were measured separately.
    Column[] Rates(CommonNotes common) =>
        [
            .. someInterleaved ? RatiosInterleaved() : [],
            new(Metrics.Throughput.Title, figures => RateOrFailed(figures.Cell)),
            new("range", figures => figures.Cell.Throughput?.ToString() ?? Text.Missing),
            .. someSeparately ? [new("spread (CV)", figures => SpreadSeparately(figures.Cell))] : Array.Empty<Column>(),
            .. layout.Outcomes,
            new("bound by", figures => figures.Cell.Bound),
            new("notes", figures => Notes(figures.Cell, sweep.Repeats, common)),
        ];

    Column[] RatiosInterleaved() =>
        [
            Column.OfDrawn(Metrics.ToBaseline),
            new("interval", figures => Ratios.Interval(figures.Cell, figures.Cell.ToBaseline)),
            .. besideUnencrypted ? [rateToUnencrypted] : Array.Empty<Column>(),
            .. layout.OtherRatios,
        ];

    static string RateOrFailed(Cell cell) => cell.Measured ? Struck(cell.Invalid.Length > 0, Rate(cell)) : "failed";

    static string SpreadSeparately(Cell cell) =>
        cell is { Interleaved: false, Throughput.Cv: { } cv } ? $"{100 * cv:F1} %" : Text.Missing;

    // Where it jumps between speeds each of them, as none of its messages had one in between.
    static string Rate(Cell cell) =>
        cell.Modes.Length == 0
            ? Text.Number(cell.Throughput?.Median)
            : string.Join(" or ", cell.Modes.Select(mode => Text.Number(1e9 * cell.Parallel / mode.RoundTripNs)));

    void Pairs(Page page)
    {
        var pairs = new Rankings(closed).Pairs;
        if (pairs.Length == 0)
            return;
        page.Line("\n#### Pair by pair\n");
        var loads = pairs.Select(pair => (pair.First.Clients, pair.First.Parallel)).Distinct().ToArray();
        page.Table(
            ["times the rate of", .. loads.Select(load => $"{load.Clients:N0} x {load.Parallel:N0}")],
            pairs
                .GroupBy(pair => pair.Names)
                .OrderBy(pair => pair.Key, StringComparer.Ordinal)
                .Select(pair => (string[])[Text.Markdown(pair.Key), .. loads.Select(load => Under(load, pair))])
        );

        string Under((long, long) load, IEnumerable<Rankings.Pair> ofNames)
        {
            var found = ofNames.FirstOrDefault(pair => (pair.First.Clients, pair.First.Parallel) == load);
            return found == null ? Text.Missing : Ranked(found.Ratio);
        }
    }

    static string Ranked(RoundRatio ratio) =>
        ratio.Ranks ? $"**{Ratios.WithHalfWidth(ratio)}**" : Ratios.WithHalfWidth(ratio);

    /// <summary>Of the messages sent, in %: dropped by the kernel, and lost elsewhere.</summary>
    public static string LostBy(Cell cell) =>
        Pair(
            Text.Number,
            cell.PercentOfSent(launch => launch.LostByKernel),
            cell.PercentOfSent(launch => launch.LostByLibrary)
        );

    /// <summary>What a reader must know of a row.</summary>
    public static string Notes(Cell cell, long? repeats) => InMarkdown(cell.Notes(repeats));

    /// <summary>The same without what stands below the table.</summary>
    public static string Notes(Cell cell, long? repeats, CommonNotes common) =>
        InMarkdown(common.Without(cell.Notes(repeats)));

    static string InMarkdown(IEnumerable<string> notes) => string.Join("; ", notes.Select(Text.Markdown));

    static string OfPair(RoundRatio? ratio) => ratio == null ? Text.Missing : Ratios.WithHalfWidth(ratio);

    static IEnumerable<string[]> Shares(Cell cell)
    {
        foreach (var (machine, clients, share) in cell.Shares())
        {
            var figures = new CellFigures(share, () => 0, []);
            string[] ofMachine = [$"{machine:N0}", $"{clients:N0}"];
            yield return [.. Names(cell), .. ofMachine, .. ofShares.Select(column => column.Of(figures))];
        }
    }

    // One n/a where neither is known.
    static string Pair(Func<double?, string> shown, double? client, double? server) =>
        client == null && server == null ? Text.Missing : $"{shown(client)} / {shown(server)}";

    // What was turned, and what the libraries themselves say of their figures.
    IEnumerable<string> Notes()
    {
        var tuned = cells
            .Where(cell => cell.Tuned)
            .GroupBy(cell => cell.Name)
            .OrderBy(name => name.Key, StringComparer.Ordinal);
        foreach (var name in tuned)
        {
            var ofSides = name.SelectMany(cell => cell.Tuning).Select(side => $"{side.Side} {Text.Value(side.Knobs)}");
            foreach (var knobs in ofSides.Distinct())
                yield return $"{Text.Markdown(name.Key)}: {Text.Markdown(knobs)}";
        }
        var said = sweep
            .Ready.Select(side => (side.Library, side.Note))
            .Where(side => side.Note != null && cells.Any(cell => cell.Library == side.Library))
            .Distinct()
            .OrderBy(side => side.Library, StringComparer.Ordinal);
        foreach (var (library, note) in said)
            yield return $"{Text.Markdown(library)}: {Text.LongMarkdown(note!)}";
    }
}
