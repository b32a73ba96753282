using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime;

/// <summary>The window in which is measured. Each thread counts in two tallies of its own, one for what was due or
/// happened in the window and one for all else (warming up, settling, draining), so that nothing is shared while a
/// message is counted. A drain follows every window; then the tallies are merged and cleared.</summary>
static class Window
{
    /// <summary>What one thread counts. Who locks it while counting several things has all or none of them in a sum.
    /// </summary>
    public sealed class Tallies
    {
        public readonly Tally Inside = new();
        public readonly Tally Outside = new();

        /// <summary>The tally for what was due, or happened, at a time in ticks of the Stopwatch.</summary>
        public Tally At(long at)
        {
            return at >= Volatile.Read(ref beginsAt) && at < Volatile.Read(ref endsAt) ? Inside : Outside;
        }
    }

    // A window opens and closes this much later than asked, so that all threads know of it before it does: each then
    // decides by its own reading of the clock, and the window's length is exact. Where the thread that sets an edge is
    // held up, a message may be counted as sent on one side of it and as ended on the other.
    static readonly long noticeTicks = Stopwatch.Frequency / 50_000;
    static readonly double nsPerTick = 1e9 / Stopwatch.Frequency;

    static readonly List<Tallies> threads = [];
    [ThreadStatic] static Tallies? own;
    static long beginsAt = long.MaxValue;
    static long endsAt = long.MaxValue;
    static volatile bool isOpen;
    static Usage atBegin;
    static Usage atEnd;
    static Usage atClear = Usage.Read();

    /// <summary>How many calls failed since the last Clear, by the library's word for each failure.</summary>
    public static readonly ConcurrentDictionary<string, long> Failures = [];

    /// <summary>What the calling thread counts.</summary>
    public static Tallies Own => own ?? AddOwn();

    /// <summary>The calling thread's tally for what happens now, for callers that need not read the clock.</summary>
    public static Tally Now => isOpen ? Own.Inside : Own.Outside;

    /// <summary>Whether there is a window: from its beginning until what was counted is cleared.</summary>
    public static bool Exists => beginsAt != long.MaxValue;

    /// <summary>Its length, so far.</summary>
    public static long ElapsedNs => Ns(Math.Min(endsAt, Stopwatch.GetTimestamp()) - beginsAt);

    /// <summary>Ticks of the Stopwatch in nanoseconds.</summary>
    public static long Ns(long ticks) => (long)(ticks * nsPerTick);

    /// <summary>Opens it, tells so, and returns when it is open. What telling allocates is not the window's.</summary>
    public static void Begin(Action tell)
    {
        if (Exists)
        {
            throw new Failure("A window that was not drained cannot begin again.");
        }
        WaitForEdge(ref beginsAt, opens: true);
        atBegin = Usage.Read();
        tell();
        atBegin = atBegin with { AllocatedBytes = GC.GetTotalAllocatedBytes() };
    }

    /// <summary>Closes it; returns when it is closed.</summary>
    public static void End()
    {
        if (!isOpen)
        {
            throw new Failure("No window is open that could end.");
        }
        long allocated = GC.GetTotalAllocatedBytes();
        WaitForEdge(ref endsAt, opens: false);
        atEnd = Usage.Read() with { AllocatedBytes = allocated };
    }

    /// <summary>Closes it if it is open.</summary>
    public static void EndIfOpen()
    {
        if (isOpen)
        {
            End();
        }
    }

    /// <summary>What this process used in the window, and since the last Clear outside it.</summary>
    public static (Usage Inside, Usage Outside) Used()
    {
        Usage now = Usage.Read();
        Usage inside = (isOpen ? now : atEnd).Since(atBegin);
        return (inside, now.Since(atClear).Since(inside));
    }

    /// <summary>What all threads have counted since the last Clear.</summary>
    public static Tallies Sum()
    {
        var sum = new Tallies();
        lock (threads)
        {
            foreach (Tallies thread in threads)
            {
                lock (thread)
                {
                    sum.Inside.Merge(thread.Inside);
                    sum.Outside.Merge(thread.Outside);
                }
            }
        }
        return sum;
    }

    /// <summary>What all threads have counted of one kind, in the window and outside it.</summary>
    public static long SumOf(Count count)
    {
        Tallies sum = Sum();
        return sum.Inside[count] + sum.Outside[count];
    }

    /// <summary>Forgets the window and the tallies, when nothing is in flight.</summary>
    public static void Clear()
    {
        Volatile.Write(ref beginsAt, long.MaxValue);
        Volatile.Write(ref endsAt, long.MaxValue);
        lock (threads)
        {
            foreach (Tallies thread in threads)
            {
                lock (thread)
                {
                    thread.Inside.Clear();
                    thread.Outside.Clear();
                }
            }
        }
        Failures.Clear();
        atBegin = default;
        atEnd = default;
        // Writing the record of the last window must not count as a cost of the next one.
        atClear = Usage.Read();
    }

    static void WaitForEdge(ref long edge, bool opens)
    {
        long at = Stopwatch.GetTimestamp() + noticeTicks;
        Volatile.Write(ref edge, at);
        while (Stopwatch.GetTimestamp() < at)
        {
            Thread.SpinWait(1);
        }
        isOpen = opens;
    }

    static Tallies AddOwn()
    {
        own = new Tallies();
        lock (threads)
        {
            threads.Add(own);
        }
        return own;
    }
}

/// <summary>What this process has used since it started, or between two readings.</summary>
readonly record struct Usage(long ElapsedNs, long CpuUserNs, long CpuSystemNs, long GcPauseNs, long AllocatedBytes,
    long CompiledMethods, long RssBytes)
{
    /// <summary>Reads what the process has used until now.</summary>
    public static Usage Read()
    {
        Environment.ProcessCpuUsage cpu = Environment.CpuUsage;
        return new Usage(Window.Ns(Stopwatch.GetTimestamp()), (long)cpu.UserTime.TotalNanoseconds,
            (long)cpu.PrivilegedTime.TotalNanoseconds, (long)GC.GetTotalPauseDuration().TotalNanoseconds,
            GC.GetTotalAllocatedBytes(), JitInfo.GetCompiledMethodCount(), Environment.WorkingSet);
    }

    /// <summary>What came since an earlier reading.</summary>
    public Usage Since(Usage earlier) => new(ElapsedNs - earlier.ElapsedNs, CpuUserNs - earlier.CpuUserNs,
        CpuSystemNs - earlier.CpuSystemNs, GcPauseNs - earlier.GcPauseNs, AllocatedBytes - earlier.AllocatedBytes,
        CompiledMethods - earlier.CompiledMethods, RssBytes);
}
