/// <summary>The longest time for which one garbage collection has stopped this process: while the window was open, and
/// at all other times.</summary>
static class GcPauses
{
    static long longestInsideNs;
    static long longestOutsideNs;

    /// <summary>While the window was open, since the last Clear; 0: there was no collection.</summary>
    public static long LongestInsideNs => Volatile.Read(ref longestInsideNs);

    /// <summary>While no window was open, since the last Clear; 0: there was no collection.</summary>
    public static long LongestOutsideNs => Volatile.Read(ref longestOutsideNs);

    /// <summary>Watches from now on.</summary>
    public static void Watch() => _ = new Witness();

    /// <summary>Forgets them.</summary>
    public static void Clear()
    {
        Volatile.Write(ref longestInsideNs, 0);
        Volatile.Write(ref longestOutsideNs, 0);
    }

    static void Note()
    {
        ReadOnlySpan<TimeSpan> pauses = GC.GetGCMemoryInfo(GCKind.Any).PauseDurations;
        ref long longestNs = ref Window.IsOpen ? ref longestInsideNs : ref longestOutsideNs;
        foreach (TimeSpan pause in pauses)
        {
            long pauseNs = (long)pause.TotalNanoseconds;
            if (pauseNs > Volatile.Read(ref longestNs))
            {
                Volatile.Write(ref longestNs, pauseNs);
            }
        }
    }

    // Nothing refers to it, so the next collection finds it, .NET finalizes it just after, and another takes its place.
    sealed class Witness
    {
        ~Witness()
        {
            Note();
            Watch();
        }
    }
}
