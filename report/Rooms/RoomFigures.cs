/// <summary>What a launch in rooms says of deliveries, ticks and players. Figures are of the window, over all machines,
/// and null where a fact is missing.</summary>
sealed class RoomFigures(Launch launch)
{
    readonly ServiceFigures service = new(
        launch.Record.Settings,
        [.. launch.Clients.Append(launch.Server).OfType<Side>().Select(side => side.Window)]);

    /// <summary>What an SLO is held against.</summary>
    public ServiceFigures Service => service;

    LaunchSettings Settings => launch.Record.Settings;

    bool IsGame => Settings.Work == Works.Game;

    /// <summary>Of a broadcast from when a message was due until a receiver had it, of a game from when an input was
    /// due until the first snapshot that tells of it; in µs, null where too few lie beyond.</summary>
    public double? DelayUs(decimal quantile) => service.Delays.Quantile(quantile) / 1e3;

    /// <summary>Of a game: how much the time between two snapshots differed from the plan, likewise.</summary>
    public double? JitterUs(decimal quantile) => Merged(outcomes => outcomes.DeliveryNs).Quantile(quantile) / 1e3;

    /// <summary>From when a client was to join again until it had. So few do that the last of them is told.</summary>
    public double? JoinUs(decimal quantile)
    {
        long[] times = [.. (launch.Record.Trouble?.JoinNs ?? []).Order()];
        return times.Length == 0 ? null : times[(int)Math.Ceiling(quantile * times.Length) - 1] / 1e3;
    }

    /// <summary>Of the deliveries due, those that did not come.</summary>
    public double? MissingPercent => OfDue(outcomes => outcomes.DeliveriesDue - outcomes.Deliveries);

    /// <summary>Of a game's ticks due, those that the server made late or not at all.</summary>
    public double? LateTicksPercent => service.LateTicksPercent;

    /// <summary>Deliveries to all clients together; of a closed loop whose slices were interleaved as many as its
    /// messages brought.</summary>
    public double? DeliveriesPerS
    {
        get
        {
            if (launch.Rate > 0 || launch.Rounds == null)
                return service.DeliveriesASecond;
            double ended = launch.Clients.Sum(client => client.RoundTrips);
            return launch.Throughput * Launch.Ratio(Deliveries, ended);
        }
    }

    /// <summary>Cores that the server used: its CPU time over the time.</summary>
    public double? ServerCores =>
        launch.Server is { } server ? Launch.Ratio(server.UserS + server.SystemS, server.ElapsedS) : null;

    /// <summary>The server's CPU time for each player and second, in µs.</summary>
    public double? ServerCpuUsAPlayer => 1e6 * ServerCores / Settings.Clients;

    /// <summary>How many players one core of the server would carry at that cost: computed, not measured.</summary>
    public double? PlayersACore => Launch.Ratio(Settings.Clients, ServerCores);

    /// <summary>The server's CPU time for each delivery, in µs.</summary>
    public double? ServerCpuUsADelivery =>
        launch.Server is { } server ? Launch.Ratio(1e6 * (server.UserS + server.SystemS), Deliveries) : null;

    /// <summary>Payload that a player sends, in kbit/s.</summary>
    public double? UpKbitAPlayer => KbitAPlayer(launch.Sent, Settings.PayloadBytes);

    /// <summary>Payload that a player receives, in kbit/s.</summary>
    public double? DownKbitAPlayer =>
        KbitAPlayer(Deliveries, IsGame ? Settings.SnapshotBytes : Settings.PayloadBytes);

    /// <summary>On the interface or the link, both directions together.</summary>
    public double? PacketsPerS => launch.WirePackets * launch.WindowThroughput;

    /// <summary>Managed memory that the server allocated.</summary>
    public double? ServerAllocatedPerS => launch.Server is { } server
        ? Launch.Ratio(server.Window.AllocatedBytes, server.ElapsedS)
        : null;

    /// <summary>The server's resident memory over the players.</summary>
    public double? ServerRssAPlayer => launch.ServerRssBytes / Settings.Clients;

    /// <summary>Clients that left and joined again.</summary>
    public double? LeavesPerS => Launch.Ratio(launch.Record.Trouble?.Leaves, ElapsedS);

    /// <summary>Whether the connections of stalled clients ended: 1 or 0.</summary>
    public double ConnectionsLost => launch.Record.Trouble?.StalledEnded == null ? 0 : 1;

    double Deliveries => launch.OfOutcomes(outcomes => outcomes.Deliveries);

    double ElapsedS => launch.Clients.Max(client => client.ElapsedS);

    double? OfDue(Func<OutcomesPart, long> count) =>
        Launch.Ratio(
            100 * Math.Max(0, launch.OfOutcomes(count)),
            launch.OfOutcomes(outcomes => outcomes.DeliveriesDue));

    double? KbitAPlayer(double messages, int bytes) =>
        Launch.Ratio(8 * messages * bytes / 1e3, ElapsedS * Settings.SoundClients);

    Histogram Merged(Func<OutcomesPart, IReadOnlyList<Bucket>> buckets) =>
        new(launch.Clients.SelectMany(client => buckets(client.Outcomes)));
}
