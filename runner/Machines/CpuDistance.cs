using System.Diagnostics;

/// <summary>How far apart two CPUs are. A hypervisor moves those of a virtual machine between near and distant places,
/// and what two processes then say to each other costs more or less, of no library's making.</summary>
sealed class CpuDistance
{
    const int Batches = 20;
    const int TripsABatch = 50;
    const int SpinsALook = 1_000;
    const int MostMs = 20;

    // So far from either end of the array its element is alone in a line of the cache.
    const int Alone = 16;

    readonly long[] line = new long[2 * Alone + 1];
    readonly long deadline = Stopwatch.GetTimestamp() + MostMs * Stopwatch.Frequency / 1_000;
    long best = long.MaxValue;
    volatile bool isOver;

    CpuDistance() { }

    /// <summary>The two CPUs on which all that a run does takes place; null where there are more, or this system does
    /// not say.</summary>
    public static (int First, int Second)? Pair(string serverCpus, string clientCpus)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }
        var all = Topology.Allowed();
        int[] Of(string cpus) => cpus == "all" ? all : Pins.List(cpus) ?? [];
        var used = Of(serverCpus).Union(Of(clientCpus)).Order().ToArray();
        return used is [var first, var second] ? (first, second) : null;
    }

    /// <summary>The time in ns in which a line of the cache goes from one to the other and back, of the fastest of some
    /// batches; null where the CPUs were not free.</summary>
    public static long? RoundTripNs(int first, int second)
    {
        var distance = new CpuDistance();
        Thread[] both = [new(() => distance.Ask(first)), new(() => distance.Answer(second))];
        Array.ForEach(both, thread => thread.Start());
        Array.ForEach(both, thread => thread.Join());
        return distance.best == long.MaxValue ? null : distance.best;
    }

    ref long Turn => ref line[Alone];

    void Ask(int cpu)
    {
        if (Pins.StayOn(cpu))
        {
            var turn = 0L;
            for (var batch = 0; batch < Batches && !isOver; batch++)
            {
                turn = AskBatch(turn);
            }
        }
        isOver = true;
    }

    // From a turn on; returns the turn that it came to.
    long AskBatch(long turn)
    {
        var start = Stopwatch.GetTimestamp();
        for (var trip = 0; trip < TripsABatch; trip++)
        {
            Volatile.Write(ref Turn, turn + 1);
            turn += 2;
            if (!Comes(turn))
            {
                break;
            }
        }
        if (!isOver)
        {
            best = Math.Min(best, (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds / TripsABatch);
        }
        return turn;
    }

    void Answer(int cpu)
    {
        if (!Pins.StayOn(cpu))
        {
            isOver = true;
        }
        for (var turn = 1L; Comes(turn); turn += 2)
        {
            Volatile.Write(ref Turn, turn + 1);
        }
    }

    bool Comes(long turn)
    {
        for (var spins = 0; Volatile.Read(ref Turn) != turn; spins++)
        {
            if (spins % SpinsALook == 0 && IsOver())
            {
                return false;
            }
        }
        return true;
    }

    bool IsOver()
    {
        if (Stopwatch.GetTimestamp() > deadline)
        {
            isOver = true;
        }
        return isOver;
    }
}
