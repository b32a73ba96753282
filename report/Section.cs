/// <summary>One table of the report with its charts: the cells of one delivery mode that share all
/// settings but clients and messages in flight.</summary>
sealed class Section
{
    static readonly string[] columns =
    [
        "library", "clients", "parallel", "msgs/s median", "range", "spread (CV)",
        "p50 µs", "p99 µs", "p99.9 µs", "CPU µs/msg client", "CPU µs/msg server",
        "alloc B/msg client", "alloc B/msg server", "RSS peak client/server MiB", "lost %", "notes",
    ];

    static readonly string[] columnsOfShares =
    [
        "library", "clients", "parallel", "client machine", "clients of it", "msgs/s median",
        "p50 µs", "p99 µs", "CPU µs/msg", "lost %",
    ];

    readonly Sweep sweep;
    readonly string settings;
    readonly Cell[] cells;
    readonly string? throughput, roundTrips;

    /// <summary>Takes the section's charts on; settings: what the cells share, in words.</summary>
    public Section(Sweep sweep, string delivery, string settings, Cell[] cells, ChartFiles files)
    {
        (this.sweep, this.settings, this.cells, Delivery) = (sweep, settings, cells, delivery);
        var measured = cells.Where(cell => cell.Measured).ToArray();
        throughput = files.Add($"throughput-{delivery}",
            Charts.Throughput(delivery, settings, measured, sweep.Libraries));
        roundTrips = files.Add($"round-trips-{delivery}",
            Charts.RoundTrips(delivery, settings, measured, sweep.Libraries));
    }

    public string Delivery { get; }
    public bool HasCharts => throughput != null || roundTrips != null;

    /// <summary>Writes the section; extension is that of the chart files.</summary>
    public void Write(Page page, string extension)
    {
        page.Line($"\n### {Text.Markdown(settings)}\n");
        var best = cells.Where(cell => !Cell.IsFloor(cell.Library) && cell.Invalid.Length == 0)
            .MaxBy(cell => cell.Throughput?.Median);
        if (best?.Throughput != null) page.Line(Best(best) + "\n");
        if (throughput != null)
            page.Line($"![Throughput, {Delivery}, by clients]({throughput}{extension})\n");
        if (roundTrips != null)
            page.Line($"![Round trips, {Delivery}]({roundTrips}{extension})\n");
        page.Table(columns, cells.Select(Row), figures: true);
        var shares = cells.SelectMany(Shares).ToArray();
        if (shares.Length > 0)
        {
            page.Line("\nBy client machine:\n");
            page.Table(columnsOfShares, shares, figures: true);
        }
        foreach (var note in Notes()) page.Line($"\n{note}");
    }

    string Best(Cell best)
    {
        var floor = cells.FirstOrDefault(cell => Cell.IsFloor(cell.Library)
            && (cell.Clients, cell.Parallel) == (best.Clients, best.Parallel))?.Throughput?.Median;
        var rate = best.Throughput!.Median;
        return $"Highest median: {Text.Markdown(best.Library)} with {Text.Number(rate)} messages/s " +
            $"at {Text.Count(best.Clients, "client")} x {best.Parallel:N0} in flight" +
            (floor > 0 ? $", {Text.Number(rate / floor)} times the floor there." : ".");
    }

    string[] Row(Cell cell)
    {
        string Median(Func<Launch, double?> figure) => Text.Number(cell.Median(figure));
        string MiB(Func<Launch, double?> bytes) => Text.Number(cell.Median(bytes) / (1 << 20));
        return
        [
            .. Names(cell),
            cell.Measured ? Text.Number(cell.Throughput?.Median) : "failed",
            cell.Throughput?.ToString() ?? Text.Missing,
            cell.Throughput?.Cv is { } cv ? $"{100 * cv:F1} %" : Text.Missing,
            RoundTrip(cell, 0.5m), RoundTrip(cell, 0.99m), RoundTrip(cell, 0.999m),
            Median(launch => launch.ClientCpuUs), Median(launch => launch.ServerCpuUs),
            Median(launch => launch.ClientAllocatedBytes),
            Median(launch => launch.ServerAllocatedBytes),
            $"{MiB(launch => launch.ClientPeakBytes)} / {MiB(launch => launch.ServerPeakBytes)}",
            Text.Number(cell.LostPercent()),
            string.Join("; ", cell.Notes(sweep.Repeats).Select(Text.Markdown)),
        ];
    }

    static IEnumerable<string[]> Shares(Cell cell)
    {
        foreach (var (machine, clients, share) in cell.Shares())
            yield return
            [
                .. Names(cell), $"{machine:N0}", $"{clients:N0}",
                Text.Number(share.Throughput?.Median),
                RoundTrip(share, 0.5m), RoundTrip(share, 0.99m),
                Text.Number(share.Median(launch => launch.ClientCpuUs)),
                Text.Number(share.LostPercent()),
            ];
    }

    static string[] Names(Cell cell) =>
    [
        Text.Markdown(cell.Library) + (Cell.IsFloor(cell.Library) ? " (floor)" : ""),
        $"{cell.Clients:N0}", $"{cell.Parallel:N0}",
    ];

    static string RoundTrip(Cell cell, decimal quantile) =>
        Text.Number(cell.RoundTripNs(quantile) / 1e3);

    // What the libraries themselves say of their figures.
    IEnumerable<string> Notes() => sweep.Sides
        .Select(side => (Library: (string)side["library"]!, Note: (string?)side["note"]))
        .Where(side => side.Note != null && cells.Any(cell => cell.Library == side.Library))
        .Distinct().OrderBy(side => side.Library, StringComparer.Ordinal)
        .Select(side => $"{Text.Markdown(side.Library)}: {Text.Markdown(side.Note!)}");
}
