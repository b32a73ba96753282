/// <summary>What keeps a cell of a closed loop from going faster, as far as its launches tell. Shares
/// are medians of the launches.</summary>
static class Bottleneck
{
    /// <summary>A side is full from this share of its CPUs on.</summary>
    public const double Full = 0.90;

    /// <summary>A side has room up to this share of its CPUs.</summary>
    public const double HasRoom = 0.80;

    /// <summary>Of the machine's CPUs, stolen time included.</summary>
    public const double MachineFull = 0.95;

    /// <summary>Of the messages sent, lost.</summary>
    public const double LossFrom = 0.01;

    /// <summary>A round trip is near a multiple of the tick within this share of it.</summary>
    public const double NearTick = 0.10;

    /// <summary>The client has no CPU left: the figure is a lower bound of what the server does.</summary>
    public const string Client = "client_bound";

    /// <summary>Both sides share a machine that has no CPU left.</summary>
    public const string Machine = "machine_bound";

    /// <summary>Nothing of it holds.</summary>
    public const string None = "–";

    // Both sides may wait for the same tick, or each for its own.
    static readonly double[] ticks = [0.5, 1, 1.5, 2, 3, 4];

    /// <summary>The verdict; a dash where nothing of it holds, n/a where that cannot be known.</summary>
    public static string Of(Cell cell)
    {
        var client = cell.Median(launch => launch.ClientBusy);
        var server = cell.Median(launch => launch.ServerBusy);
        if (client >= Full && server <= HasRoom)
            return Client;
        if (server >= Full && client <= HasRoom)
            return "server_bound";
        if (cell.Median(launch => launch.MachineBusy) >= MachineFull)
            return Machine;
        if (cell.LostPercent() >= 100 * LossFrom)
            return "loss_bound";
        if (client < HasRoom && server < HasRoom && IsNearTick(cell))
            return "tick_bound";
        return client == null || server == null ? Text.Missing : None;
    }

    static bool IsNearTick(Cell cell) =>
        cell.Median(launch => launch.MeanRoundTripS) is { } mean
        && cell.Launches.SelectMany(launch => launch.TicksS)
            .Distinct()
            .Any(tick => ticks.Any(times => Math.Abs(mean - times * tick) <= NearTick * times * tick));
}
