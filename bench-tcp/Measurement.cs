using System.Collections.Concurrent;
using System.Diagnostics;

/// <summary>The clients' side of a run: starts their threads, leads them through warm-up, window
/// and drain, and writes what came of it.</summary>
static class Measurement
{
    const int RoundTripsToWarm = 50_000, SteadyIntervals = 3, JoinSeconds = 10, HelloSeconds = 10;
    const double SteadyWithin = 0.05, LongestWarmup = 10.0 / 3;

    const double PushedSeconds = 2;

    /// <summary>Set when the parent lets the window open.</summary>
    public static readonly ManualResetEventSlim MayOpen = new();
    /// <summary>Lines such as "c 100" that the verb manual passes on.</summary>
    public static readonly BlockingCollection<string> Typed = [];
    static long lookedAt, longestGap;

    /// <summary>Warm-up that has not grown steady ends here, flagged not_warm.</summary>
    public static double LongestWarmupSeconds(Settings settings) =>
        settings.WarmupSeconds * LongestWarmup;

    /// <summary>Measures against a running server; returns the exit code.</summary>
    public static int Run(Settings settings, bool untilStdinCloses, string? rawTimes)
    {
        using var onStop = Program.OnStop(untilStdinCloses, Load.Stop);
        using var raw = rawTimes == null ? null : Stats.Open(rawTimes, FileMode.Create);
        Load.KeepsRawTimes = raw != null;
        Kernel.FindInterface(settings, isServer: false);
        var loads = Split(settings);
        var clock = Stopwatch.StartNew();
        var threads = loads.Select(load => StartThread(settings, load)).ToArray();
        WaitUntilConnected(settings, loads);
        var connectS = clock.Elapsed.TotalSeconds;

        Load.Start();
        clock.Restart();
        var warm = WarmUp(settings, loads);
        // The other machines' clients may not be warm yet: the load goes on.
        WriteInterval(settings, loads, "warm");
        while (untilStdinCloses && !MayOpen.Wait(Stats.IntervalMs) && Load.WindowEnd == long.MaxValue)
            WriteInterval(settings, loads, "warm");
        var warmupS = clock.Elapsed.TotalSeconds;
        if (!Load.OpenWindow(settings.Seconds)) throw StoppedEarly();
        SleepUntil(Load.WindowStart);
        var before = Stats.Take(precise: true);
        WriteInterval(settings, loads, "window");
        var (sleepAtStart, wallAtStart) = (SleepS(), WallS());
        (lookedAt, longestGap) = (Stopwatch.GetTimestamp(), 0);
        while (SleepUntil(Math.Min(Load.WindowEnd, Stopwatch.GetTimestamp() + IntervalTicks)))
            WriteInterval(settings, loads, "window");
        // The uptime is told in hundredths of a second.
        var sleptS = SleepS() - sleepAtStart is { } slept ? Math.Max(0, slept) : (double?)null;
        var jumpS = WallS() - wallAtStart - (sleptS ?? 0);
        var after = Stats.Take(precise: true);
        WriteInterval(settings, loads, "drain");

        var joined = threads.All(thread => thread.Join(TimeSpan.FromSeconds(JoinSeconds)));
        if (!joined) Load.Fail($"The clients did not end within {JoinSeconds} s.");
        foreach (var ns in loads.SelectMany(load => load.RawTimesNs)) raw?.WriteLine(ns);
        if (Load.WindowStart < Load.WindowEnd)
            WriteClient(settings, loads, connectS, warmupS, warm, before, after, sleptS, jumpS);
        else throw StoppedEarly();
        if (Load.Failure is { } sentence) throw new Failure(sentence);
        return Program.Measured;
    }

    static Failure StoppedEarly() =>
        Load.Failure is { } sentence ? new(sentence)
            : new("The run was stopped before its window began.", Program.Interrupted);

    static long IntervalTicks => Stats.IntervalMs * Stopwatch.Frequency / 1000;

    /// <summary>Sends what the parent's stdin asks for and says on stderr what came back.</summary>
    public static int Manual(Settings settings)
    {
        using var onStop = Program.OnStop(true, () =>
        {
            Load.Stop();
            Typed.CompleteAdding();
        });
        Load.IsManual = true;
        var loads = Split(settings);
        var threads = loads.Select(load => StartThread(settings, load)).ToArray();
        WaitUntilConnected(settings, loads);
        Load.Start();
        Load.OpenWindow(-1);
        Console.Error.WriteLine($"{settings.Clients} clients connected: {Library.Name} {settings.Delivery}");
        WriteInterval(settings, loads, "window");
        foreach (var line in Typed.GetConsumingEnumerable())
        {
            var each = int.Parse(line[2..]);
            var all = (long)settings.Clients * each;
            Console.Error.WriteLine(line[0] == 'c' ? SendFromClients(loads, all, each) : SendFromServer(loads, all));
            if (Load.Failure is { } sentence) throw new Failure(sentence);
            WriteInterval(settings, loads, "window");
        }
        return Program.Measured;
    }

    static string SendFromClients(Load[] loads, long all, int each)
    {
        (long Ended, long Received) Counts() => (
            loads.Sum(load => load.Window.Received + load.Window.Lost + load.Window.Corrupt),
            loads.Sum(load => load.Window.Received));
        Array.ForEach(loads, load => load.Rtt = new());
        var before = Counts();
        Load.Ask(each);
        while (Counts().Ended - before.Ended < all && Load.Failure == null) Thread.Sleep(1);
        var rtt = Merged(loads, load => load.Rtt);
        return $"clients sent {all}, {Counts().Received - before.Received} came back" + (rtt.Count == 0 ? ""
            : $", round trips {rtt.MinNs / 1e3:0} to {rtt.MaxNs / 1e3:0} µs, median {rtt.Quantile(0.5) / 1e3:0} µs");
    }

    static string SendFromServer(Load[] loads, long all)
    {
        long Arrived() => loads.Sum(load => Volatile.Read(ref load.Pushed));
        var before = Arrived();
        var (arrived, clock) = (0L, Stopwatch.StartNew());
        Load.AskServer();
        while (arrived < all && clock.Elapsed.TotalSeconds < PushedSeconds && Load.Failure == null)
        {
            Thread.Sleep(1);
            if (Arrived() - before == arrived) continue;
            arrived = Arrived() - before;
            clock.Restart();
        }
        return $"the server sent {all}, {arrived} arrived";
    }

    static double? SleepS() => Kernel.UptimeS() - Stats.Seconds(Stopwatch.GetTimestamp());

    static double WallS() => (DateTime.UtcNow - DateTime.UnixEpoch).TotalSeconds
        - Stats.Seconds(Stopwatch.GetTimestamp());

    static Load[] Split(Settings settings)
    {
        var first = settings.FirstClientOf(settings.ClientMachine);
        var after = settings.FirstClientOf(settings.ClientMachine + 1);
        int First(int thread) => first + (int)((long)(after - first) * thread / settings.ClientThreads);
        return [.. Enumerable.Range(0, settings.ClientThreads).Select(
            thread => new Load(settings, First(thread), First(thread + 1) - First(thread)))];
    }

    static Thread StartThread(Settings settings, Load load)
    {
        var thread = new Thread(() =>
        {
            try
            {
                new Client(settings, load).Run();
                load.ClosedAt = Stopwatch.GetTimestamp();
            }
            catch (Exception fault)
            {
                Load.Fail(fault.Message);
            }
        })
        { IsBackground = true, Name = $"clients from {load.FirstClient}" };
        thread.Start();
        return thread;
    }

    static void WaitUntilConnected(Settings settings, Load[] loads)
    {
        Stopwatch? hello = null;
        while (!Load.HelloAnswered || !loads.All(load => load.Connected))
        {
            if (Load.WindowEnd < long.MaxValue) throw StoppedEarly();
            if (loads[0].Connected) hello ??= Stopwatch.StartNew();
            if (!Load.HelloAnswered && hello?.Elapsed.TotalSeconds > HelloSeconds)
                throw new Failure($"Nothing on {settings.Address}:{settings.Port} answered as a " +
                    $"server of this bench within {HelloSeconds} s.");
            Thread.Sleep(1);
        }
    }

    // A given rate may be too low for as many: then nearly all of its shortest warm-up.
    static double LeastRoundTrips(Settings settings) => settings.Rate == 0 ? RoundTripsToWarm
        : Math.Min(RoundTripsToWarm, 0.9 * settings.Rate * settings.WarmupSeconds);

    // Steady: three intervals in a row whose rates agree within 5 %.
    static bool WarmUp(Settings settings, Load[] loads)
    {
        var clock = Stopwatch.StartNew();
        var received = new List<long> { 0 };
        while (clock.Elapsed.TotalSeconds < LongestWarmupSeconds(settings))
        {
            if (!SleepUntil(Math.Min(Load.WindowEnd, Stopwatch.GetTimestamp() + IntervalTicks))) break;
            received.Add(WriteInterval(settings, loads, "warmup"));
            var rates = received.Zip(received.Skip(1), (a, b) => (double)(b - a))
                .TakeLast(SteadyIntervals).ToArray();
            if (clock.Elapsed.TotalSeconds >= settings.WarmupSeconds
                && received[^1] >= LeastRoundTrips(settings) && rates.Length == SteadyIntervals
                && rates.Max() - rates.Min() <= SteadyWithin * rates.Max())
                return true;
        }
        return false;
    }

    // In short slices, because a stop or a fault moves the window's end; false once it is over.
    static bool SleepUntil(long ticks)
    {
        const int sliceMs = 20;
        while (Stopwatch.GetTimestamp() is var now && now < Math.Min(ticks, Load.WindowEnd))
        {
            Look(now);
            Thread.Sleep((int)Math.Min(sliceMs, 1 + 1000 * Stats.Seconds(ticks - now)));
        }
        Look(Stopwatch.GetTimestamp());
        return Stopwatch.GetTimestamp() < Load.WindowEnd;
    }

    // A process that was stopped, or whose machine slept, does not look for long.
    static void Look(long now)
    {
        longestGap = Math.Max(longestGap, now - lookedAt);
        lookedAt = now;
    }

    static long WriteInterval(Settings settings, Load[] loads, string phase)
    {
        var received = loads.Sum(load => load.Warmup.Received + load.Window.Received);
        Stats.WriteInterval(settings.RunId, "client", phase,
            loads.Sum(load => load.Warmup.Sent + load.Window.Sent), received);
        return received;
    }

    static void WriteClient(Settings settings, Load[] loads, double connectS, double warmupS,
        bool warm, Stats.Snapshot before, Stats.Snapshot after, double? sleptS, double jumpS)
    {
        Array.ForEach(loads, load => load.CountUnanswered());
        var rtt = Merged(loads, load => load.Rtt);
        long Sum(Func<Load, long> count) => loads.Sum(count);
        var wrong = Sum(l => l.Warmup.Corrupt + l.Warmup.Unanswered + l.Window.Corrupt
            + l.Window.Unanswered + l.Duplicates + l.Foreign);
        if (!Console.IsErrorRedirected) // a person looks on
            Console.Error.WriteLine($"{Library.Name} {settings.Delivery}: " +
                $"{Sum(l => l.CompletedInWindow) / Stats.Seconds(Load.WindowEnd - Load.WindowStart):N0} messages/s, " +
                $"p50 {rtt.Quantile(0.5) / 1e3:N0} µs, p99 {rtt.Quantile(0.99) / 1e3:N0} µs, " +
                $"lost {Sum(l => l.Window.Lost):N0}");
        if (settings.Delivery != "unreliable" && wrong > 0)
            Load.Fail($"{settings.Delivery} delivery lost, repeated or changed {wrong} messages.");
        Stats.Write(new
        {
            V = Stats.Version, Record = "client", settings.RunId, Library = Library.Name,
            LibraryVersion = Library.Version, LibrarySha256 = Stats.Hash(), Library.Note,
            Tuning = Stats.Tuning(settings), Settings = settings, TickS = Library.TickS(settings),
            ConnectS = connectS, DisconnectS = DisconnectS(loads), WarmupS = warmupS, NotWarm = !warm,
            ElapsedS = Stats.Seconds(Load.WindowEnd - Load.WindowStart),
            PauseS = Stats.Seconds(longestGap), SuspendedS = sleptS, ClockJumpS = jumpS,
            SentWarmup = Sum(l => l.Warmup.Sent), ReceivedWarmup = Sum(l => l.Warmup.Received),
            ReceivedWarmupLate = Sum(l => l.Warmup.ReceivedLate),
            LostWarmup = Sum(l => l.Warmup.Lost), CorruptWarmup = Sum(l => l.Warmup.Corrupt),
            UnansweredWarmup = Sum(l => l.Warmup.Unanswered),
            SentWindow = Sum(l => l.Window.Sent), ReceivedWindow = Sum(l => l.Window.Received),
            ReceivedDrain = Sum(l => l.Window.ReceivedLate),
            LostWindow = Sum(l => l.Window.Lost), CorruptWindow = Sum(l => l.Window.Corrupt),
            UnansweredWindow = Sum(l => l.Window.Unanswered),
            CompletedWindow = Sum(l => l.CompletedInWindow),
            LateArrivals = Sum(l => l.LateArrivals), Duplicates = Sum(l => l.Duplicates),
            Foreign = Sum(l => l.Foreign), NotSent = Sum(l => l.NotSent),
            RttCount = rtt.Count, RttMinNs = rtt.Count == 0 ? (long?)null : rtt.MinNs,
            RttMaxNs = rtt.Count == 0 ? (long?)null : rtt.MaxNs, RttSumNs = rtt.SumNs,
            RttNs = rtt.Sparse(),
            SendLagNs = settings.Rate == 0 ? null : Merged(loads, load => load.SendLag).Sparse(),
            Passes = Sum(l => l.Passes), IdlePasses = Sum(l => l.IdlePasses),
            Stats.SocketReceiveBufferBytes, Stats.SocketSendBufferBytes,
            Runtime = Stats.Runtime(), Cost = Stats.Cost(before, after),
        });
    }

    static Histogram Merged(Load[] loads, Func<Load, Histogram> of)
    {
        var all = new Histogram();
        Array.ForEach(loads, load => all.Merge(of(load)));
        return all;
    }

    // From the end of the drain until the slowest thread had closed its connections.
    static double? DisconnectS(Load[] loads) => loads.Any(load => load.ClosedAt == 0) ? null
        : Stats.Seconds(loads.Max(load => load.ClosedAt - load.EndedAt));
}
