/// <summary>A sweep as people with their own tools want it: one row a cell and metric, failed and invalid
/// cells too. CONTRACT.md says what the columns mean.</summary>
sealed class Tidy
{
    const int Digits = 9; // the last bits may differ between processors

    // One launch with its times, which its percentiles share. Uncharged: see MachineLoad.
    sealed record Timed(Launch Launch, Histogram Rtt, Histogram Lag, double Uncharged);

    // Latency: what a cell that is invalid for latency says nothing of.
    sealed record Metric(string Name, Func<Timed, double?> Of, bool Latency = false);

    // The columns that are a setting of every cell.
    static readonly string[] ofCells =
    [
        "library",
        "profile",
        "delivery",
        "clients",
        "parallel",
        "payload_bytes",
        "rate",
    ];

    static readonly Metric[] metrics =
    [
        new("rtt_mean_us", timed => 1e6 * timed.Launch.MeanRoundTripS, Latency: true),
        new("rtt_p50_us", timed => timed.Rtt.Quantile(0.5m) / 1e3, Latency: true),
        new("rtt_p90_us", timed => timed.Rtt.Quantile(0.9m) / 1e3, Latency: true),
        new("rtt_p99_us", timed => timed.Rtt.Quantile(0.99m) / 1e3, Latency: true),
        new("rtt_p99_9_us", timed => timed.Rtt.Quantile(0.999m) / 1e3, Latency: true),
        new("send_lag_p99_us", timed => timed.Lag.Quantile(0.99m) / 1e3),
        new("lost_percent", timed => Percent(timed, launch => launch.Lost)),
        new("lost_kernel_percent", timed => Percent(timed, launch => launch.LostByKernel)),
        new("lost_library_percent", timed => Percent(timed, launch => launch.LostByLibrary)),
        new("not_sent_messages", timed => timed.Launch.NotSent),
        new("cpu_client_us_per_message", timed => timed.Launch.ClientCpuUs),
        new("cpu_client_user_us_per_message", timed => timed.Launch.ClientUserUs),
        new("cpu_client_system_us_per_message", timed => timed.Launch.ClientSystemUs),
        new("cpu_server_us_per_message", timed => timed.Launch.ServerCpuUs),
        new("cpu_server_user_us_per_message", timed => timed.Launch.ServerUserUs),
        new("cpu_server_system_us_per_message", timed => timed.Launch.ServerSystemUs),
        new("busy_client_percent", timed => 100 * timed.Launch.ClientBusy),
        new("busy_server_percent", timed => 100 * timed.Launch.ServerBusy),
        new("busy_machine_percent", timed => 100 * timed.Launch.MachineBusy),
        new("allocated_client_bytes_per_message", timed => timed.Launch.ClientAllocatedBytes),
        new("allocated_server_bytes_per_message", timed => timed.Launch.ServerAllocatedBytes),
        new("gc_pause_client_percent", timed => 100 * timed.Launch.ClientGcPause),
        new("gc_pause_server_percent", timed => 100 * timed.Launch.ServerGcPause),
        new("receive_queue_peak_bytes", timed => timed.Launch.ReceiveQueueBytes),
        new("wire_bytes_per_message", timed => timed.Launch.WireBytes),
        new("wire_packets_per_message", timed => timed.Launch.WirePackets),
        new("context_switches_client_per_message", timed => timed.Launch.ClientSwitches),
        new("context_switches_server_per_message", timed => timed.Launch.ServerSwitches),
        new("rss_client_bytes", timed => timed.Launch.ClientRssBytes),
        new("rss_server_bytes", timed => timed.Launch.ServerRssBytes),
        new("rss_peak_client_bytes", timed => timed.Launch.ClientPeakBytes),
        new("rss_peak_server_bytes", timed => timed.Launch.ServerPeakBytes),
        new("connections_per_s", timed => timed.Launch.ConnectionsPerS),
        new("disconnect_s", timed => timed.Launch.DisconnectS),
        new("steal_percent", timed => 100 * timed.Launch.Steal),
        new("other_load_percent", timed => 100 * timed.Launch.OtherLoad(timed.Uncharged)),
        new("cpu_pressure_percent", timed => 100 * timed.Launch.Pressure),
    ];

    readonly Sweep sweep;
    readonly HashSet<string> varying;
    readonly ILookup<object, Cell> lines;
    readonly string[] settings;

    public Tidy(Sweep sweep)
    {
        this.sweep = sweep;
        varying = Cell.Varying(sweep.Cells);
        lines = Slope.Lines(sweep.Cells, varying);
        settings =
        [
            .. Contract
                .FieldsOf("settings")
                .Select(field => field.Name)
                .Where(name => varying.Contains(name) && name is not ("payload_bytes" or "rate")),
        ];
    }

    /// <summary>Names of the columns; settings that no two cells differ in have none.</summary>
    public string[] Columns =>
        [
            .. ofCells,
            .. settings,
            "launches",
            "valid",
            "reason",
            "notes",
            "metric",
            "median",
            "low",
            "high",
            "interval",
            "cv",
        ];

    /// <summary>The rows: string, long, double, bool or null in each column.</summary>
    public IEnumerable<object?[]> Rows() => Comparison.Ordered(sweep.Cells, cell => cell, varying).SelectMany(RowsOf);

    IEnumerable<object?[]> RowsOf(Cell cell)
    {
        object?[] names = [.. ofCells.Concat(settings).Select(name => Setting(cell, name)), (long)cell.Launches.Length];
        var notes = Plain(cell.Notes(sweep.Repeats));
        string? unfit = cell.Measured ? Plain(cell.Invalid) : Plain(cell.Failures) ?? "not measured";
        string? unfitForLatency = unfit ?? Plain(cell.InvalidForLatency);
        foreach (var (metric, latency, figure) in FiguresOf(cell))
        {
            var reason = latency ? unfitForLatency : unfit;
            yield return
            [
                .. names,
                reason == null,
                reason,
                notes,
                metric,
                Rounded(figure?.Median),
                Rounded(figure?.Low),
                Rounded(figure?.High),
                figure?.Kind,
                Rounded(figure?.Cv),
            ];
        }
    }

    /// <summary>All figures of a cell by the names of their metrics, in the order of every cell. Latency:
    /// those that a cell invalid for latency says nothing of.</summary>
    public IEnumerable<(string Metric, bool Latency, Figure? Figure)> FiguresOf(Cell cell)
    {
        yield return ("throughput_per_s", false, Figure.Of(cell.Throughput));
        if (cell.IsStream)
            yield return ("goodput_mbit_per_s", false, Figure.Of(cell.Goodput));
        yield return ("ratio_to_plain", false, Figure.Of(cell, cell.ToPlain));
        yield return ("cpu_ratio_to_plain", false, Figure.Of(cell, cell.CpuToPlain));
        var timed = cell
            .Launches.Select(launch => new Timed(
                launch,
                launch.Times("rtt_ns"),
                launch.Times("send_lag_ns"),
                sweep.Uncharged
            ))
            .ToArray();
        foreach (var metric in metrics)
            yield return (metric.Name, metric.Latency, Figure.Of(Statistic.Of(timed.Select(metric.Of))));
        foreach (var (name, quantile) in new[] { ("p50", 0.5m), ("p90", 0.9m), ("p99", 0.99m), ("p99_9", 0.999m) })
            yield return ($"rtt_merged_{name}_us", true, Figure.Of(Statistic.Of([cell.RoundTripNs(quantile) / 1e3])));
        var line = cell.ClosedLoop ? lines[Slope.Line(cell, varying)] : [];
        yield return (
            "memory_client_bytes_per_connection",
            false,
            Figure.Of(Statistic.Of([Slope.Of(line, launch => launch.ClientConnectedBytes)]))
        );
        yield return (
            "memory_server_bytes_per_connection",
            false,
            Figure.Of(Statistic.Of([Slope.Of(line, launch => launch.ServerConnectedBytes)]))
        );
    }

    static object? Setting(Cell cell, string name)
    {
        if (name == "library")
            return Text.Plain(cell.Library);
        return cell.Setting(name).Value is string text ? Text.Plain(text) : cell.Setting(name).Value;
    }

    static string? Plain(IEnumerable<string> texts) =>
        string.Join("; ", texts.Distinct().Select(text => Text.Plain(text))) is { Length: > 0 } all ? all : null;

    static double? Percent(Timed timed, Func<Launch, double?> messages) =>
        Launch.Ratio(100 * messages(timed.Launch), timed.Launch.Sent);

    static double? Rounded(double? figure) =>
        figure is { } number && double.IsFinite(number) ? double.Parse(number.ToString($"G{Digits}")) : null;
}
