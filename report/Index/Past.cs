/// <summary>What a sweep says of a library under one load, to be held against other sweeps of the machine. Work: all
/// settings that the figures depend on. InFlight: messages in flight. Ratio: to the baseline of that name, of what
/// was interleaved beside one. CpuUs: of both sides, a message.</summary>
sealed record Past(
    string Machine,
    string Delivery,
    string Work,
    string Load,
    double InFlight,
    string Name,
    string Version,
    string? Plain,
    Reading? Ratio,
    Reading? Rate,
    Reading? CpuUs
)
{
    // Where the work starts, and for how long it was looked at. The row's name says the profile.
    static readonly string[] passing =
    [
        "seed",
        "warmup_seconds",
        "seconds",
        "rounds",
        "slice_ms",
        "settle_ms",
        "profile",
    ];

    /// <summary>That of every valid cell of a closed loop; empty where nothing says on which machine.</summary>
    public static Past[] Of(Sweep sweep)
    {
        if (sweep.Machines.Length == 0)
            return [];
        var machine = MachineOf(sweep);
        var fit = sweep.Cells.Where(cell => cell.IsDrawn && cell.ClosedLoop && cell.Throughput?.Median > 0);
        return [.. fit.Select(cell => Of(machine, cell))];
    }

    static Past Of(string machine, Cell cell) =>
        new(
            machine,
            cell.Kind,
            cell.WorkWithout(passing) + (cell.Interleaved ? "\ninterleaved" : ""),
            Charts.Load(cell) + SizeOf(cell),
            cell.Clients * cell.Parallel,
            cell.Name,
            VersionOf(cell),
            cell.Baseline?.Name,
            RateFigure.Ratio.Of(cell),
            RateFigure.Absolute.Of(cell),
            Reading.Of(cell, Statistic.Of(cell.Launches.Select(launch => launch.BothCpuUs)))
        );

    static string SizeOf(Cell cell)
    {
        var bytes = cell.Settings.PayloadBytes;
        return cell.Work.SaysSize(bytes) ? $", {cell.Work.SizeInWords(bytes)}" : "";
    }

    // Of the machine, what stays while kernel and .NET are brought up to date.
    static string MachineOf(Sweep sweep) =>
        string.Join(
            "; ",
            sweep
                .Machines.Select(machine =>
                    Fingerprint.Prefix(machine)
                    + $"{Fingerprint.CpusOf(machine)}, hypervisor {Text.Value(machine.Hypervisor)}"
                )
                .Distinct()
                .Order(StringComparer.Ordinal)
        );

    /// <summary>Of its library, in words; of several all.</summary>
    public static string VersionOf(Cell cell) =>
        string.Join(
            " / ",
            cell.Launches.SelectMany(launch => launch.Clients)
                .Select(client => client.Ready.LibraryVersion)
                .Distinct()
                .Order(StringComparer.Ordinal)
        );
}
