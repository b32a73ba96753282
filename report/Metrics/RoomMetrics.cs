/// <summary>The metrics of works whose clients live in rooms.</summary>
static class RoomMetrics
{
    const double UsAMs = 1e3;
    const double KB = 1e3;
    const double KiB = 1024;
    const decimal Median = 0.5m;
    const decimal Tail = 0.99m;

    /// <summary>Of a broadcast of each delivery, of a game of each input.</summary>
    public static readonly Metric DelayP50 = Delay("p50", Median);

    /// <summary>The same of the slowest hundredth.</summary>
    public static readonly Metric DelayP99 = Delay("p99", Tail);

    /// <summary>Of the deliveries due.</summary>
    public static readonly Metric Missing =
        Of("deliveries_missing_percent", "missing %", figures => figures.MissingPercent);

    /// <summary>Between snapshots.</summary>
    public static readonly Metric JitterP99 =
        Of("snapshot_jitter_p99_us", "jitter p99 ms", IsGame, figures => figures.JitterUs(Tail), UsAMs) with
        {
            IsLatency = true,
        };

    /// <summary>Of a game's ticks due, those that the server made late or not at all.</summary>
    public static readonly Metric LateTicks =
        Of("ticks_late_percent", "late ticks %", IsGame, figures => figures.Service.LateTicksPercent);

    public static readonly Metric Deliveries =
        Of("deliveries_per_s", "deliveries/s", figures => figures.DeliveriesPerS);

    public static readonly Metric ServerCores =
        Of("server_cores", "server cores used", figures => figures.ServerCores);

    /// <summary>For each player and second.</summary>
    public static readonly Metric ServerCpuAPlayer = Of(
        "cpu_server_us_per_player_s",
        "server CPU ms/s per player",
        figures => 1e6 * figures.ServerCores / figures.Settings.Clients,
        UsAMs);

    /// <summary>How many players one core of the server would carry at that cost: computed, not measured.</summary>
    public static readonly Metric PlayersACore = Of(
        "players_per_server_core",
        "players per core (computed)",
        figures => Launch.Ratio(figures.Settings.Clients, figures.ServerCores));

    public static readonly Metric ServerCpuADelivery =
        Of("cpu_server_us_per_delivery", "server CPU µs/delivery", figures => figures.ServerCpuUsADelivery);

    public static readonly Metric UpAPlayer =
        Of("up_kbit_per_s_per_player", "kbit/s per player up", figures => figures.UpKbitAPlayer);

    public static readonly Metric DownAPlayer =
        Of("down_kbit_per_s_per_player", "kbit/s per player down", figures => figures.DownKbitAPlayer);

    /// <summary>On the interface or the link, both directions together.</summary>
    public static readonly Metric Packets = Of(
        "wire_packets_per_s",
        "packets/s",
        figures => figures.Launch.WirePackets * figures.Launch.WindowThroughput);

    public static readonly Metric ServerAllocated =
        Of("allocated_server_bytes_per_s", "server alloc kB/s", figures => figures.ServerAllocatedPerS, KB);

    /// <summary>The server's resident memory over the players.</summary>
    public static readonly Metric ServerMemoryAPlayer = Of(
        "rss_server_bytes_per_player",
        "server KiB per player",
        figures => figures.Launch.ServerRssBytes / figures.Settings.Clients,
        KiB);

    public static readonly Metric JoinP50 = Join("p50", Median);

    public static readonly Metric JoinP99 = Join("p99", Tail);

    public static readonly Metric Leaves =
        Of("leaves_per_s", "leaves/s", HasChurn, figures => figures.LeavesPerS);

    /// <summary>Whether the connections of stalled clients ended: 1 or 0.</summary>
    public static readonly Metric ConnectionsLost = Of(
        "stalled_connections_lost",
        "stalled clients lost",
        HasStalled,
        figures => figures.Launch.Record.Trouble?.StalledEnded == null ? 0 : 1);

    /// <summary>All that exports and the page have of rooms, in their order; each table lists its own.</summary>
    public static readonly IReadOnlyList<Metric> Exported =
    [
        DelayP50,
        DelayP99,
        Missing,
        JitterP99,
        LateTicks,
        Deliveries,
        ServerCores,
        ServerCpuAPlayer,
        PlayersACore,
        ServerCpuADelivery,
        UpAPlayer,
        DownAPlayer,
        Packets,
        ServerAllocated,
        ServerMemoryAPlayer,
        JoinP50,
        JoinP99,
        Leaves,
        ConnectionsLost,
    ];

    static bool HasRooms(LaunchSettings settings) => Works.Of(settings.Work).HasRooms;

    static bool IsBroadcast(LaunchSettings settings) => Works.Of(settings.Work).DelaysAreOfDeliveries;

    static bool IsGame(LaunchSettings settings) => HasRooms(settings) && !IsBroadcast(settings);

    static bool HasChurn(LaunchSettings settings) => HasRooms(settings) && settings.Churn > 0;

    static bool HasStalled(LaunchSettings settings) => HasRooms(settings) && settings.StalledClients > 0;

    static Metric Of(string name, string title, Func<RoomFigures, double?> of, double unit = 1) =>
        Of(name, title, HasRooms, of, unit);

    // Of a launch that cannot have it there is none, and not 0.
    static Metric Of(
        string name,
        string title,
        Func<LaunchSettings, bool> isOf,
        Func<RoomFigures, double?> of,
        double unit = 1) =>
        Metric.OfLaunches(
            name,
            title,
            launch => isOf(launch.Record.Settings) ? of(new RoomFigures(launch)) : null,
            unit) with
        {
            IsOf = cell => isOf(cell.Settings),
        };

    // Of a broadcast from when a message was due until a receiver had it, of a game from when an input was due until
    // the first snapshot that tells of it; null where too few lie beyond.
    static Metric Delay(string name, decimal quantile) =>
        Of(
            $"delay_{name}_us",
            $"delay {name} ms",
            figures => figures.Service.Delays.Quantile(quantile) / 1e3,
            UsAMs) with
        {
            IsLatency = true,
        };

    static Metric Join(string name, decimal quantile) =>
        Of($"join_{name}_us", $"join {name} ms", HasChurn, figures => figures.JoinUs(quantile), UsAMs);
}
