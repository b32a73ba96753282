/// <summary>One machine in the window of a launch, as the sides that ran there tell. Shares are of the CPU
/// time of all its CPUs; null where a fact is missing.</summary>
sealed class MachineLoad(long? cpus, params Side?[] sides)
{
    // Some kernels charge the sides with what the network stack does for them, some do not: then
    // 0.37 to 0.40 of the sides' system time over loopback, by the ticks of softirq in /proc/stat.
    const double MostUncharged = 0.5;

    const int LeastForUncharged = 5;

    OutsidePart? Outside => sides[0]?.Outside;
    double? CpuSeconds => cpus * Outside?.ElapsedS;
    double? OwnSystem => Sum(side => side.SystemS);

    // What was in use and is charged to neither side.
    double? Rest => Outside?.MachineCpuS - OwnSystem - Sum(side => side.UserS);

    public double? Steal => Launch.Ratio(Outside?.MachineStealS, CpuSeconds);

    /// <summary>Time in which some task waited for a CPU, over the window. It rises with the launch's own
    /// load.</summary>
    public double? Pressure => Launch.Ratio(Outside?.CpuPressureS, Outside?.ElapsedS);

    /// <summary>All that neither side can have caused; uncharged: see UnchargedIn.</summary>
    public double? OtherLoad(double uncharged) =>
        Launch.Ratio(Rest - uncharged * OwnSystem, CpuSeconds) is { } share ? Math.Max(0, share) : null;

    /// <summary>What the kernel does for both sides without charging it to them, over their system time:
    /// the least of any launch, as no other load can be in it; of few the most that it may be.</summary>
    public static double UnchargedIn(IEnumerable<Launch> launches)
    {
        double[] shares =
        [
            .. launches
                .Where(launch => !launch.RunIdRepeats)
                .SelectMany(launch => launch.Machines)
                .Select(machine => Launch.Ratio(machine.Rest, machine.OwnSystem))
                .OfType<double>(),
        ];
        return shares.Length < LeastForUncharged ? MostUncharged : Math.Clamp(shares.Min(), 0, MostUncharged);
    }

    // Null where a side is missing, whose part is not known then.
    double? Sum(Func<Side, double> figure) =>
        sides.Aggregate((double?)0, (sum, side) => sum + (side == null ? null : figure(side)));
}
