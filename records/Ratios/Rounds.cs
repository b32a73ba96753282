/// <summary>The rounds of a `launch` record of interleaved libraries.</summary>
sealed class Rounds
{
    readonly RoundsPart lists;

    Rounds(string block, RoundsPart lists)
    {
        Block = block;
        this.lists = lists;
    }

    /// <summary>Those of a launch; null where it was measured separately.</summary>
    public static Rounds? Of(LaunchRecord launch) =>
        launch is { Rounds: { } lists, Block: { } block } ? new(block, lists) : null;

    /// <summary>The same in all launches that had their slices in the same rounds.</summary>
    public string Block { get; }

    public int Count => lists.ElapsedNs.Length;

    /// <summary>Messages answered per second; 0: it is no round of a ratio.</summary>
    public double Rate(int round) =>
        Completed(round) > 0 && ElapsedNs(round) > 0 ? 1e9 * Completed(round) / ElapsedNs(round) : 0;

    /// <summary>Messages answered per second in each round that took any time.</summary>
    public IEnumerable<double> Rates => Enumerable.Range(0, Count).Where(round => ElapsedNs(round) > 0).Select(Rate);

    /// <summary>CPU time of both sides in ns per message answered; 0: it is no round of a ratio.</summary>
    public double CpuNs(int round) =>
        Rate(round) == 0
            ? 0
            : Math.Max(0, At(lists.ClientCpuNs, round) + At(lists.ServerCpuNs, round)) / Completed(round);

    /// <summary>How far apart the CPUs were just after each slice where that is known, see RoundsPart.</summary>
    public IEnumerable<double> CpuToCpuNs =>
        (lists.CpuToCpuNs ?? []).Take(Count).Where(ns => ns > 0).Select(ns => (double)ns);

    /// <summary>What the slices took together.</summary>
    public double MeasuredNs => lists.ElapsedNs.Sum(ns => (double)ns);

    /// <summary>What the rounds took together, from going on to standing still again.</summary>
    public double SpentMs => lists.SpentMs.Sum(ms => (double)ms);

    double Completed(int round) => At(lists.Completed, round);

    double ElapsedNs(int round) => At(lists.ElapsedNs, round);

    // Whatever a record says: its lists may differ in length.
    static double At(long[] list, int round) => round < list.Length ? list[round] : 0;
}
