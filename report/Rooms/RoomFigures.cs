/// <summary>What a launch in rooms says of deliveries, ticks and players. Figures are of the window, over all machines,
/// and null where a fact is missing.</summary>
sealed class RoomFigures(Launch launch)
{
    readonly ServiceFigures service = new(
        launch.Record.Settings,
        [.. launch.Clients.Append(launch.Server).OfType<Side>().Select(side => side.Window)]);

    /// <summary>What an SLO is held against.</summary>
    public ServiceFigures Service => service;

    /// <summary>The launch.</summary>
    public Launch Launch => launch;

    /// <summary>Its settings.</summary>
    public LaunchSettings Settings => launch.Record.Settings;

    bool IsGame => Settings.Work == Works.Game;

    /// <summary>Of a game: how much the time between two snapshots differed from the plan; in µs, null where too few
    /// lie beyond.</summary>
    public double? JitterUs(decimal quantile) => Merged(outcomes => outcomes.DeliveryNs).Quantile(quantile) / 1e3;

    /// <summary>From when a client was to join again until it had. So few do that the last of them is told.</summary>
    public double? JoinUs(decimal quantile)
    {
        long[] times = [.. (launch.Record.Trouble?.JoinNs ?? []).Order()];
        return times.Length == 0 ? null : times[(int)Math.Ceiling(quantile * times.Length) - 1] / 1e3;
    }

    /// <summary>Of the deliveries due, those that did not come.</summary>
    public double? MissingPercent => OfDue(outcomes => outcomes.DeliveriesDue - outcomes.Deliveries);

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

    /// <summary>The server's CPU time for each delivery, in µs.</summary>
    public double? ServerCpuUsADelivery =>
        launch.Server is { } server ? Launch.Ratio(1e6 * (server.UserS + server.SystemS), Deliveries) : null;

    /// <summary>Payload that a player sends, in kbit/s.</summary>
    public double? UpKbitAPlayer => KbitAPlayer(launch.Sent, Settings.PayloadBytes);

    /// <summary>Payload that a player receives, in kbit/s.</summary>
    public double? DownKbitAPlayer =>
        KbitAPlayer(Deliveries, IsGame ? Settings.SnapshotBytes : Settings.PayloadBytes);

    /// <summary>Managed memory that the server allocated.</summary>
    public double? ServerAllocatedPerS => launch.Server is { } server
        ? Launch.Ratio(server.Window.AllocatedBytes, server.ElapsedS)
        : null;

    /// <summary>Clients that left and joined again.</summary>
    public double? LeavesPerS => Launch.Ratio(launch.Record.Trouble?.Leaves, ElapsedS);

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
