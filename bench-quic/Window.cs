using System.Diagnostics;

/// <summary>The window in which is measured. Each thread counts in two tallies of its own, one for the messages that
/// were due in the window and one for all others (warming up, settling, draining), so that nothing is shared while a
/// message is counted. A drain follows every window; then the tallies are merged and cleared.</summary>
static class Window
{
    /// <summary>The two tallies of a thread.</summary>
    public sealed class Tallies
    {
        public readonly Tally Inside = new();
        public readonly Tally Outside = new();

        /// <summary>The one for what was due, or happened, inside the window or outside it.</summary>
        public Tally Of(bool isInside) => isInside ? Inside : Outside;
    }

    // A window opens and closes this much later than asked, so that all threads know of it before it does: each then
    // decides by its own reading of the clock, and the window's length is exact.
    static readonly long noticeTicks = Stopwatch.Frequency / 50_000;

    static readonly List<Tallies> threads = [];
    [ThreadStatic] static Tallies? own;
    static long beginsAt = long.MaxValue;
    static long endsAt = long.MaxValue;
    static Counters atBegin;
    static Counters atEnd;
    static Counters atClear;
    static long allocatedAfterBegin;

    /// <summary>The calling thread's tallies.</summary>
    public static Tallies Own => own ?? AddOwn();

    /// <summary>Whether a time, in ticks of the Stopwatch, lies within the window.</summary>
    public static bool Has(long at) => at >= Volatile.Read(ref beginsAt) && at < Volatile.Read(ref endsAt);

    /// <summary>How much of a span of time lies within the window, in ticks.</summary>
    public static long Overlap(long from, long to)
    {
        long begin = Math.Max(from, Volatile.Read(ref beginsAt));
        long end = Math.Min(to, Volatile.Read(ref endsAt));
        return Math.Max(0, end - begin);
    }

    /// <summary>Opens it; returns when it is open.</summary>
    public static void Begin()
    {
        if (beginsAt != long.MaxValue)
        {
            throw new Failure("A window that was not drained cannot begin again.");
        }
        long at = Stopwatch.GetTimestamp() + noticeTicks;
        Volatile.Write(ref beginsAt, at);
        SpinUntil(at);
        atBegin = Counters.Read();
        allocatedAfterBegin = atBegin.AllocatedBytes;
    }

    /// <summary>What is allocated from here on is the window's: to be called when it is said that it is open.</summary>
    public static void CountAllocations() => allocatedAfterBegin = GC.GetTotalAllocatedBytes();

    /// <summary>Closes it; returns when it is closed.</summary>
    public static void End()
    {
        if (beginsAt == long.MaxValue || endsAt != long.MaxValue)
        {
            throw new Failure("No window is open that could end.");
        }
        long allocated = GC.GetTotalAllocatedBytes();
        long at = Stopwatch.GetTimestamp() + noticeTicks;
        Volatile.Write(ref endsAt, at);
        SpinUntil(at);
        atEnd = Counters.Read() with { AllocatedBytes = allocated };
        atBegin = atBegin with { AllocatedBytes = allocatedAfterBegin };
    }

    /// <summary>True from its beginning until what was counted is cleared.</summary>
    public static bool Exists => beginsAt != long.MaxValue;

    /// <summary>True while it is open.</summary>
    public static bool IsOpen => Exists && endsAt == long.MaxValue;

    /// <summary>What this process used in the window, and since the last Clear outside it.</summary>
    public static (Counters Inside, Counters Outside) Used()
    {
        Counters all = Counters.Read().Since(atClear);
        Counters inside = atEnd.Since(atBegin) with { At = endsAt == long.MaxValue ? 0 : endsAt - beginsAt };
        return (inside, all.Since(inside) with { RssBytes = all.RssBytes });
    }

    /// <summary>What all threads have counted since the last Clear, merged.</summary>
    public static Tallies Sum()
    {
        var sum = new Tallies();
        lock (threads)
        {
            foreach (Tallies thread in threads)
            {
                sum.Inside.Merge(thread.Inside);
                sum.Outside.Merge(thread.Outside);
            }
        }
        return sum;
    }

    /// <summary>Forgets the window and all counts, when nothing is in flight.</summary>
    public static void Clear()
    {
        Volatile.Write(ref beginsAt, long.MaxValue);
        Volatile.Write(ref endsAt, long.MaxValue);
        lock (threads)
        {
            foreach (Tallies thread in threads)
            {
                thread.Inside.Clear();
                thread.Outside.Clear();
            }
        }
        atBegin = default;
        atEnd = default;
        GcPauses.Clear();
        // What it cost to write the record of them is nobody's.
        atClear = Counters.Read();
    }

    /// <summary>Ticks of the Stopwatch in ns.</summary>
    public static long Ns(long ticks) => (long)(ticks * (1e9 / Stopwatch.Frequency));

    static Tallies AddOwn()
    {
        own = new Tallies();
        lock (threads)
        {
            threads.Add(own);
        }
        return own;
    }

    static void SpinUntil(long at)
    {
        while (Stopwatch.GetTimestamp() < at)
        {
            Thread.SpinWait(1);
        }
    }
}
