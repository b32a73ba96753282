using System.Diagnostics;
using System.Runtime;

/// <summary>What this process has used since it started, or between two readings, and what its threads have done.
/// </summary>
readonly record struct Counters(
    long At,
    Totals Totals,
    long CpuUserNs,
    long CpuSystemNs,
    long Gc0Count,
    long Gc1Count,
    long Gc2Count,
    long GcPauseNs,
    long AllocatedBytes,
    long RssBytes,
    long CompiledMethods)
{
    /// <summary>Those of now. At is in ticks of the Stopwatch; AllocatedBytes is managed memory.</summary>
    public static Counters Read()
    {
        Environment.ProcessCpuUsage cpu = Environment.CpuUsage;
        return new Counters(
            At: Stopwatch.GetTimestamp(),
            Totals: Totals.Sum(),
            CpuUserNs: (long)cpu.UserTime.TotalNanoseconds,
            CpuSystemNs: (long)cpu.PrivilegedTime.TotalNanoseconds,
            Gc0Count: GC.CollectionCount(0),
            Gc1Count: GC.CollectionCount(1),
            Gc2Count: GC.CollectionCount(2),
            GcPauseNs: (long)GC.GetTotalPauseDuration().TotalNanoseconds,
            AllocatedBytes: GC.GetTotalAllocatedBytes(),
            RssBytes: Environment.WorkingSet,
            CompiledMethods: JitInfo.GetCompiledMethodCount());
    }

    /// <summary>What came since an earlier reading; the resident memory is that of this one.</summary>
    public Counters Since(Counters earlier) => new(
        At - earlier.At,
        Totals.Since(earlier.Totals),
        CpuUserNs - earlier.CpuUserNs,
        CpuSystemNs - earlier.CpuSystemNs,
        Gc0Count - earlier.Gc0Count,
        Gc1Count - earlier.Gc1Count,
        Gc2Count - earlier.Gc2Count,
        GcPauseNs - earlier.GcPauseNs,
        AllocatedBytes - earlier.AllocatedBytes,
        RssBytes,
        CompiledMethods - earlier.CompiledMethods);
}
