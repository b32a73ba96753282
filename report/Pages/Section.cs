/// <summary>The charts and the tables of one delivery mode: of the cells that share all settings but
/// clients, messages in flight, profile and rate.</summary>
sealed class Section : CellSection
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

    static readonly Column waits = new("waits", figures => figures.Cell.Waits);

    static readonly Column rateToUnencrypted =
        new("x unencrypted", figures => Column.Struck(figures.Cell, OfPair(figures.Cell.ToUnencrypted)));

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
    readonly Cell[] cells;
    readonly Cell[] closed;
    readonly Cell[] atRate;
    readonly bool someInterleaved;
    readonly bool someSeparately;
    readonly bool besideUnencrypted; // of the closed loop

    /// <summary>Takes the section's charts on; settings: what the cells share, in words.</summary>
    public Section(Sweep sweep, string kind, string settings, Cell[] cells, ChartList list)
        : base(Cell.Titled(kind, settings))
    {
        this.sweep = sweep;
        this.cells = cells;
        work = cells[0].Work;
        layout = WorkLayout.Of(work);
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
        AddChart("server-cpu", "The server's CPU time per message at a given rate", BarsChart.ServerCpu(carried));
        AddChart("throughput", $"Throughput{against}{times}", throughput);
        AddChart(
            Aside,
            $"Throughput{against} in messages/s",
            figure == RateFigure.Absolute ? [] : ThroughputChart.Of(busiest, RateFigure.Absolute));
        AddChart("parallel", $"Throughput by messages in flight{times}", ParallelChart.Of(busiest, figure));
        AddChart("round-trips", "Round trips at saturation", RoundTripsChart.Of(busiest));
        AddChart("percentiles", "Round trips by percentile", PercentilesChart.Of(busiest));
        AddChart(
            "rate-latency",
            "Round trips against the offered rate",
            RateLatencyChart.Of(rated, atRate, sweep.Slo));
        AddChart("round-trips-at-rate", "Round trips at a given rate", RoundTripsChart.Of(rated));
        AddChart("cpu", "CPU time per message", BarsChart.Cpu(busiest));
        AddChart("wire", "Bytes on the wire per message", layout.Wire(busiest));
        AddChart("memory", "Memory against clients", MemoryChart.Of(busiest));

        void AddChart(string name, string says, Panel[] panels) => Add(list, $"{name}-{kind}", InWords(says), panels);
    }

    /// <inheritdoc/>
    public override int Rows => cells.Count(cell => cell.IsDrawn);

    /// <inheritdoc/>
    protected override bool IsAside(string file) => file.StartsWith(Aside, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(Title)}");
        if (closed.Length > 0)
            ClosedLoop(page);
        if (atRate.Length > 0)
            AtRate.Write(page, CellFigures.Of(sweep, atRate), sweep.Repeats);
        if (atRate.Length > 0)
            Ladder.Write(page, closed, atRate, sweep.Slo);
    }

    /// <summary>The cells that say which cell a row is of.</summary>
    public static string[] Names(Cell cell) => [Text.Markdown(cell.Title), $"{cell.Clients:N0}", $"{cell.Parallel:N0}"];

    void ClosedLoop(Page page)
    {
        page.Line($"\n#### {layout.RatesHeading}\n");
        var common = CommonNotes.Of(closed, sweep.Repeats, layout.LoadOf);
        Table(page, CellFigures.Of(sweep, closed), Rates(common), "bound by", waits.Title);
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
            waits,
            new("notes", figures => Notes(figures.Cell, sweep.Repeats, common)),
        ];

    Column[] RatiosInterleaved() =>
        [
            Column.For(Metrics.ToBaseline),
            new("interval", figures => Ratios.Interval(figures.Cell, figures.Cell.ToBaseline)),
            .. besideUnencrypted ? [rateToUnencrypted] : Array.Empty<Column>(),
            .. Column.Known([Column.For(Metrics.ToBaselineThatWaitsOtherwise)], CellFigures.Of(sweep, closed)),
            .. layout.OtherRatios,
        ];

    static string RateOrFailed(Cell cell) => cell.Measured ? Column.Struck(cell, Rate(cell)) : "failed";

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
}
