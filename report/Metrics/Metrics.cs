/// <summary>Every metric. Exports and the page have those of a list, tables those that they name.</summary>
static class Metrics
{
    const double KiB = 1024;
    const double MiB = 1 << 20;

    /// <summary>Of the closed loop, or achieved at a rate.</summary>
    public static readonly Metric Throughput =
        new("throughput_per_s", "msgs/s median", cell => Figure.Of(cell.Cell.Throughput));

    /// <summary>Payload at the receiver.</summary>
    public static readonly Metric Goodput =
        new("goodput_mbit_per_s", "Mbit/s", cell => Figure.Of(cell.Cell.Goodput))
        {
            IsOf = cell => !cell.Counting.HasRoundTrips,
        };

    /// <summary>The same, of each launch.</summary>
    public static readonly Metric LaunchThroughput =
        Metric.OfLaunches("throughput_per_s", "msgs/s", launch => launch.Throughput);

    /// <summary>Of the same rounds.</summary>
    public static readonly Metric ToBaseline =
        new("ratio_to_baseline", "x baseline", cell => Figure.Of(cell.Cell, cell.Cell.ToBaseline));

    /// <summary>Times the rate of the baseline that waits otherwise.</summary>
    public static readonly Metric ToBaselineThatWaitsOtherwise = new(
        "ratio_to_baseline_that_waits_otherwise",
        "x baseline that waits otherwise",
        cell => Figure.Of(cell.Cell, cell.Cell.ToBaselineThatWaitsOtherwise));

    /// <summary>CPU per message, likewise.</summary>
    public static readonly Metric CpuToBaseline =
        new("cpu_ratio_to_baseline", "CPU x baseline", cell => Figure.Of(cell.Cell, cell.Cell.CpuToBaseline));

    /// <summary>Of all launches' round trips together.</summary>
    public static readonly Metric P50 = Merged("p50", "p50 µs", 0.5m);

    /// <summary>Of all launches' round trips together.</summary>
    public static readonly Metric P90 = Merged("p90", "p90 µs", 0.9m);

    /// <summary>Of all launches' round trips together.</summary>
    public static readonly Metric P99 = Merged("p99", "p99 µs", 0.99m);

    /// <summary>Of all launches' round trips together.</summary>
    public static readonly Metric P999 = Merged("p99_9", "p99.9 µs", 0.999m);

    /// <summary>Of each launch's round trips.</summary>
    public static readonly Metric LaunchP99 = OfLaunches("p99", "p99 µs", 0.99m);

    /// <summary>Of the messages of all launches together.</summary>
    public static readonly Metric Lost =
        Metric.OfCell("lost_merged_percent", "lost %", cell => cell.Cell.LostPercent());

    /// <summary>Of these what the kernel dropped, and what was lost elsewhere.</summary>
    public static readonly Column LostBy = Column.Both(
        "lost % kernel / library",
        MergedLost("kernel", launch => launch.LostByKernel),
        MergedLost("library", launch => launch.LostByLibrary));

    public static readonly Metric ClientCpu =
        Metric.OfLaunches("cpu_client_us_per_message", "CPU µs/msg", launch => launch.ClientCpuUs);

    public static readonly Metric ClientUserCpu =
        Metric.OfLaunches("cpu_client_user_us_per_message", "CPU µs/msg, user", launch => launch.ClientUserUs);

    public static readonly Metric ClientSystemCpu =
        Metric.OfLaunches("cpu_client_system_us_per_message", "CPU µs/msg, system", launch => launch.ClientSystemUs);

    public static readonly Metric ServerCpu =
        Metric.OfLaunches("cpu_server_us_per_message", "CPU µs/msg server", launch => launch.ServerCpuUs);

    public static readonly Metric ServerUserCpu =
        Metric.OfLaunches("cpu_server_user_us_per_message", "CPU µs/msg server, user", launch => launch.ServerUserUs);

    public static readonly Metric ServerSystemCpu = Metric.OfLaunches(
        "cpu_server_system_us_per_message", "CPU µs/msg server, system", launch => launch.ServerSystemUs);

    /// <summary>Of both sides; exports have each side's.</summary>
    public static readonly Metric BothCpu =
        Metric.OfLaunches("cpu_us_per_message", "CPU µs/msg", launch => launch.BothCpuUs);

    public static readonly Metric ClientBusy =
        Metric.OfLaunches("busy_client_percent", "busy % client", launch => 100 * launch.ClientBusy);

    public static readonly Metric ServerBusy =
        Metric.OfLaunches("busy_server_percent", "busy % server", launch => 100 * launch.ServerBusy);

    public static readonly Metric ClientAllocated = Metric.OfLaunches(
        "allocated_client_bytes_per_message", "alloc B/msg client", launch => launch.ClientAllocatedBytes);

    public static readonly Metric ServerAllocated = Metric.OfLaunches(
        "allocated_server_bytes_per_message", "alloc B/msg server", launch => launch.ServerAllocatedBytes);

    /// <summary>Of both sides; exports have each side's.</summary>
    public static readonly Metric BothAllocated =
        Metric.OfLaunches("allocated_bytes_per_message", "alloc B/msg", launch => launch.BothAllocatedBytes);

    /// <summary>Share of the window for which the collector stopped it; of several client machines the most.</summary>
    public static readonly Metric ClientGcPause = Metric.OfLaunches(
        "gc_pause_client_percent", "GC pause % client", launch => 100 * launch.Clients.Max(client => client.GcPause));

    public static readonly Metric ServerGcPause =
        Metric.OfLaunches("gc_pause_server_percent", "GC pause % server", launch => 100 * launch.Server?.GcPause);

    /// <summary>Most that was seen to wait in the server's sockets.</summary>
    public static readonly Metric ReceiveQueue = Metric.OfLaunches(
        "receive_queue_peak_bytes",
        "server receive queue KiB",
        launch => launch.Server?.Outside?.ReceiveQueuePeakBytes,
        KiB);

    public static readonly Metric WireBytes =
        Metric.OfLaunches("wire_bytes_per_message", "wire B/msg", launch => launch.WireBytes);

    public static readonly Metric WirePackets =
        Metric.OfLaunches("wire_packets_per_message", "packets/msg", launch => launch.WirePackets);

    /// <summary>A message that is answered crosses twice.</summary>
    public static readonly Metric MessagesAPacket =
        Metric.OfCell("messages_per_packet", "msgs/packet", row => row.Cell.MessagesPerPacket);

    public static readonly Metric WireBytesAPacket =
        Metric.OfLaunches("wire_bytes_per_packet", "wire B/packet", launch => launch.WireBytes / launch.WirePackets);

    public static readonly Metric PacketRate =
        Metric.OfLaunches("packets_per_s", "packets/s", launch => launch.WirePackets * launch.Throughput);

    public static readonly Metric ClientSwitches = Metric.OfLaunches(
        "context_switches_client_per_message", "context switches/msg client", launch => launch.ClientSwitches);

    public static readonly Metric ServerSwitches = Metric.OfLaunches(
        "context_switches_server_per_message", "context switches/msg server", launch => launch.ServerSwitches);

    public static readonly Metric ClientRss =
        Metric.OfLaunches("rss_client_bytes", "RSS steady MiB client", launch => launch.ClientRssBytes, MiB);

    public static readonly Metric ServerRss =
        Metric.OfLaunches("rss_server_bytes", "RSS steady MiB server", launch => launch.ServerRssBytes, MiB);

    public static readonly Metric ClientPeak =
        Metric.OfLaunches("rss_peak_client_bytes", "RSS peak MiB client", launch => launch.ClientPeakBytes, MiB);

    /// <summary>The most resident memory that the server had.</summary>
    public static readonly Metric ServerPeak = Metric.OfLaunches(
        "rss_peak_server_bytes", "RSS peak MiB server", launch => launch.Server?.Outside?.RssPeakBytes, MiB);

    public static readonly Metric Connections =
        Metric.OfLaunches("connections_per_s", "connections/s", launch => launch.ConnectionsPerS);

    /// <summary>How long closing all connections took.</summary>
    public static readonly Metric Disconnect = Metric.OfLaunches(
        "disconnect_s",
        "disconnect ms",
        launch => launch.Clients.Any(client => client.DisconnectS == null)
            ? null
            : launch.Clients.Max(client => client.DisconnectS),
        1e-3);

    public static readonly Metric SendLagP99 =
        Metric.OfTimed("send_lag_p99_us", "send lag p99 µs", timed => timed.SendLagUs(0.99m));

    /// <summary>Of all launches' messages together.</summary>
    public static readonly Metric MergedSendLagP99 =
        Metric.OfCell("send_lag_merged_p99_us", "send lag p99 µs", cell => cell.Cell.SendLag.Quantile(0.99m) / 1e3);

    /// <summary>Memory that each further connection takes, see Slope.</summary>
    public static readonly Metric ClientConnection = Metric.OfCell(
        "memory_client_bytes_per_connection",
        "KiB per connection client",
        cell => Slope.Of(cell.Line, launch => launch.ClientConnectedBytes),
        KiB);

    /// <summary>Memory that each further connection takes, see Slope.</summary>
    public static readonly Metric ServerConnection = Metric.OfCell(
        "memory_server_bytes_per_connection",
        "KiB per connection server",
        cell => Slope.Of(cell.Line, launch => launch.Server?.ConnectedRssBytes),
        KiB);

    /// <summary>How many messages or calls a CPU of the server's could answer a second.</summary>
    public static readonly Metric MessagesACore =
        Metric.OfCell(
            "messages_per_server_core_s",
            "msgs/s per server core",
            cell => 1e6 / cell.Cell.Median(launch => launch.ServerCpuUs));

    /// <summary>Of the messages sent over a link, answered within its round trip and 50 ms.</summary>
    public static readonly Metric OnTime = OverLinks("on_time_percent", "in time %", launch => launch.OnTimePercent)
            with
    { IsLatency = true };

    /// <summary>Segments that either side's kernel sent again.</summary>
    public static readonly Metric TcpResent =
        OverLinks("tcp_resent_per_message", "TCP resent/msg", launch => launch.TcpRetransmits);

    /// <summary>Of the packets that came to a link, those that it lost or had no room for.</summary>
    public static readonly Metric LinkLost = OverLinks(
        "link_lost_percent", "link lost %", launch => 100 * launch.Link?.LostPackets / launch.Link?.Packets);

    /// <summary>How late a link's emulator let packets go.</summary>
    public static readonly Metric LinkLateP99 =
        OverLinks("link_late_p99_us", "link late p99 µs", launch => launch.Link?.LateP99Us);

    /// <summary>Of one CPU, what a link's emulator took.</summary>
    public static readonly Metric LinkCpu = OverLinks(
        "link_cpu_percent", "link CPU %", launch => 100 * launch.Link?.CpuS / launch.Clients[0].ElapsedS);

    /// <summary>All that exports and the page have, in their order.</summary>
    public static readonly IReadOnlyList<Metric> Exported =
    [
        Throughput,
        Goodput,
        ToBaseline,
        ToBaselineThatWaitsOtherwise,
        CpuToBaseline,
        Metric.OfLaunches("rtt_mean_us", "mean µs", launch => 1e6 * launch.MeanRoundTripS) with { IsLatency = true },
        OfLaunches("p50", "p50 µs", 0.5m),
        OfLaunches("p90", "p90 µs", 0.9m),
        LaunchP99,
        OfLaunches("p99_9", "p99.9 µs", 0.999m),
        SendLagP99,
        Metric.OfLaunches("lost_percent", "lost %", launch => PercentOfSent(launch, launch.Lost)),
        Metric.OfLaunches("lost_kernel_percent", "lost % kernel", launch => PercentOfSent(launch, launch.LostByKernel)),
        Metric.OfLaunches(
            "lost_library_percent", "lost % library", launch => PercentOfSent(launch, launch.LostByLibrary)),
        Metric.OfLaunches("not_sent_messages", "not sent", launch => launch.NotSent),
        ClientCpu,
        ClientUserCpu,
        ClientSystemCpu,
        ServerCpu,
        ServerUserCpu,
        ServerSystemCpu,
        ClientBusy,
        ServerBusy,
        Metric.OfLaunches("busy_machine_percent", "busy % machine", launch => 100 * launch.MachineBusy),
        ClientAllocated,
        ServerAllocated,
        ClientGcPause,
        ServerGcPause,
        ReceiveQueue,
        WireBytes,
        WirePackets,
        ClientSwitches,
        ServerSwitches,
        ClientRss,
        ServerRss,
        ClientPeak,
        ServerPeak,
        Connections,
        Disconnect,
        Metric.OfLaunches("steal_percent", "steal %", launch => 100 * launch.Steal),
        new(
            "other_load_percent",
            "other load %",
            cell => Figure.Of(Statistic.Of(cell.Launches.Select(timed =>
                100 * timed.Launch.OtherLoad(cell.Uncharged))))),
        Metric.OfLaunches("cpu_pressure_percent", "CPU pressure %", launch => 100 * launch.Pressure),
        P50,
        P90,
        P99,
        P999,
        ClientConnection,
        ServerConnection,
        OnTime,
        TcpResent,
        LinkLost,
        LinkLateP99,
        LinkCpu,
        .. RoomMetrics.Exported,
    ];

    static Metric OverLinks(string name, string title, Func<Launch, double?> of) =>
        Metric.OfLaunches(name, title, of) with { IsOf = cell => cell.Link != null };

    // Of the launches' own percentiles.
    static Metric OfLaunches(string name, string title, decimal quantile) =>
        Metric.OfTimed($"rtt_{name}_us", title, timed => timed.RoundTripUs(quantile)) with { IsLatency = true };

    static Metric Merged(string name, string title, decimal quantile) =>
        Metric.OfCell($"rtt_merged_{name}_us", title, cell => cell.Cell.RoundTripNs(quantile) / 1e3)
            with
        { IsLatency = true };

    static Metric MergedLost(string by, Func<Launch, double?> messages) => Metric.OfCell(
        $"lost_{by}_merged_percent", $"lost % {by}", cell => cell.Cell.PercentOfSent(messages));

    static double? PercentOfSent(Launch launch, double? messages) => Launch.Ratio(100 * messages, launch.Sent);
}
