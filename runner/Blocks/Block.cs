using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>Measures several libraries under one load, interleaved: all live at once, and whoever is not measured
/// stands still. Cpus: the two on which that takes place, if they are just two.</summary>
sealed class Block(string id, Participant[] participants, LaunchSettings settings, (int First, int Second)? cpus)
{
    // Nobody stands still for much longer: the shortest time after which a library gives a peer up is 5 s.
    const double MostStillSeconds = 2;
    // Of the pieces of the long window.
    const double MostPieceSeconds = 1;
    // Of a slice: beside it all others stand still, and it takes a while to settle and to drain.
    const double MostLeastSeconds = 1.5;
    const double LeastOverheadSeconds = 0.2;
    const int KeepAliveMilliseconds = 20;
    const double KeepAliveLookSeconds = 0.1;

    /// <summary>The most seconds to which a slice is made longer where its slots would make too few round trips.
    /// </summary>
    public const double MostSliceSeconds = 0.5;

    /// <summary>Round trips that a slot is to make in a slice.</summary>
    public const int RoundTripsASlice = 16;

    readonly Random order = new(settings.OrderSeed);
    readonly Dictionary<Participant, Warmth> warmths = [];
    readonly Dictionary<Participant, RoundRecord> rounds = [];
    readonly Dictionary<Participant, LaunchRecord> launches = [];
    readonly Stopwatch wall = Stopwatch.StartNew();
    readonly List<Participant> alive = [];
    volatile bool isStopAsked;
    // What the last slice took beside its window, on a busy machine more: to settle, to drain and to tell its figures.
    double overheadSeconds;

    // Says, as a sentence, that they cannot be interleaved.
    sealed class NotInterleaved(string sentence) : Exception(sentence);

    /// <summary>Asks it to stop: what was measured is written.</summary>
    public void Stop()
    {
        isStopAsked = true;
        foreach (Participant participant in participants)
        {
            participant.Stop();
        }
    }

    /// <summary>Leads them to their end; returns why they cannot be interleaved, null where they were.</summary>
    public string? Lead()
    {
        try
        {
            Connect();
            WarmUp();
            Measure();
        }
        catch (NotInterleaved because)
        {
            foreach (Participant participant in participants)
            {
                participant.Dispose();
            }
            return because.Message;
        }
        foreach (Participant participant in alive)
        {
            participant.GoOn();
        }
        double wallSeconds = wall.Elapsed.TotalSeconds;
        foreach (Participant participant in alive.ToArray())
        {
            RunPart(participant, () => Finish(participant, wallSeconds));
        }
        return null;
    }

    /// <summary>How its rate compares to that of the first, in words; empty where that cannot be said.</summary>
    public string RatioToFirst(Participant participant)
    {
        Participant first = participants[0];
        // To another row of its own library a ratio says nothing without that row's name.
        if (participant.Library == first.Library
            || !launches.TryGetValue(participant, out LaunchRecord? own)
            || !launches.TryGetValue(first, out LaunchRecord? other)
            || RoundRatios.Rates([own], [other]) is not { } ratio)
        {
            return "";
        }
        return $"  {ratio.Value:0.00} ± {ratio.HalfWidth * 100:0.0} % x {first.Library}";
    }

    void Finish(Participant participant, double wallSeconds)
    {
        if (!participant.Records.Has("window"))
        {
            throw new Failure("The run was stopped before its window began.", Exit.Interrupted);
        }
        participant.Finish(() =>
        {
            JObject launch = participant.LaunchRecord(
                warmths[participant], wallSeconds, id, rounds: rounds[participant]);
            launches[participant] = RecordFile.As<LaunchRecord>(launch);
            return launch;
        });
    }

    // One after the other, so that none is slow to connect for another's sake. Those that are there stand still.
    void Connect()
    {
        if (settings.LeastWindowSeconds > MostLeastSeconds)
        {
            throw new NotInterleaved($"Ten ticks take {settings.LeastWindowSeconds:0.#} s, "
                + "and no library may stand still for so long.");
        }
        int clients = settings.Clients / settings.ClientMachines;
        foreach (Participant participant in participants)
        {
            if (isStopAsked)
            {
                return;
            }
            long heldBytes = alive.Sum(other => other.RssBytes);
            if (Fit.Misfit(clients, participants.Length, alive.Count, heldBytes) is { } reason)
            {
                throw new NotInterleaved(reason);
            }
            RunPart(participant, () => WhileOthersKeepAlive(participant, participant.Connect));
            if (participant.ExitCode == Exit.Done)
            {
                // Alive before it stands still: what the system cannot do then ends the block, see RunPart.
                alive.Add(participant);
                RunPart(participant, participant.StandStill);
            }
        }
    }

    // Interleaved as well, until each is warm.
    void WarmUp()
    {
        foreach (Participant participant in alive)
        {
            warmths[participant] = new Warmth(settings.WarmupSeconds, isPaced: settings.Rate > 0);
        }
        double lookSeconds = Math.Min(Warmth.LookSeconds, 0.9 * MostStillSeconds / Math.Max(1, alive.Count));
        while (alive.Any(participant => !warmths[participant].IsOver))
        {
            foreach (Participant participant in alive.Where(participant => !warmths[participant].IsOver).ToArray())
            {
                RunPart(participant, () => LookAtWarmUp(participant, lookSeconds));
            }
        }
    }

    void LookAtWarmUp(Participant participant, double seconds)
    {
        Slice(participant, "warmup", seconds);
        var (clients, server) = participant.Records.Last("warmup");
        long compiledMethods = clients.CompiledMethods + server.CompiledMethods;
        warmths[participant].Add(clients.ElapsedNs / 1e9, clients.Completed, compiledMethods);
    }

    void Measure()
    {
        foreach (Participant participant in alive)
        {
            rounds[participant] = new RoundRecord(cpus != null);
            participant.KeepsMeasured = true;
        }
        // Pieces of everybody's long window, each at the end of a round, evenly over the rounds.
        double pieceSeconds = Math.Max(MostPieceSeconds, settings.LeastWindowSeconds);
        int pieces = (int)Math.Ceiling(settings.Seconds / pieceSeconds);
        double ofPieceSeconds = Math.Max(settings.Seconds / pieces, settings.LeastWindowSeconds);
        Participant[] windows = [.. Enumerable.Range(0, pieces).SelectMany(_ => Shuffled(alive))];
        int taken = 0;
        for (int round = 0; round < settings.Rounds; round++)
        {
            MeasureRound();
            while (taken * settings.Rounds < windows.Length * (round + 1))
            {
                Participant next = windows[taken];
                taken++;
                if (!isStopAsked && alive.Contains(next))
                {
                    RunPart(next, () => Slice(next, "window", ofPieceSeconds));
                }
            }
        }
    }

    void MeasureRound()
    {
        Participant[] shuffled = Shuffled(alive);
        for (int place = 0; place < shuffled.Length; place++)
        {
            Participant participant = shuffled[place];
            int ownPlace = place;
            if (!isStopAsked)
            {
                RunPart(participant, () => MeasureInRound(participant, ownPlace));
            }
        }
    }

    void MeasureInRound(Participant participant, int place)
    {
        long startedMs = wall.ElapsedMilliseconds;
        var clock = Stopwatch.StartNew();
        Slice(participant, "rounds", SliceSeconds(participant));
        var (clients, server) = participant.Records.Last("rounds");
        long spentMs = clock.ElapsedMilliseconds;
        // At once: a hypervisor may part CPUs that rest.
        long? cpuToCpuNs = cpus is var (first, second) ? CpuDistance.RoundTripNs(first, second) : null;
        // One that was cut short is no round.
        if (!isStopAsked)
        {
            rounds[participant].Add(startedMs, spentMs, place, clients, server.CpuNs, cpuToCpuNs);
        }
    }

    // A slice is longer where a slot would make fewer than RoundTripsASlice round trips in it: a few say little of a
    // library that ticks.
    double SliceSeconds(Participant participant)
    {
        double wanted = 0;
        if (warmths[participant].Rate is > 0 and var rate)
        {
            bool hasSlots = participant.Settings.Rate == 0 && Works.Of(participant.Settings.Work).HasSlots;
            wanted = RoundTripsASlice * (hasSlots ? settings.Slots : 1.0) / rate;
        }
        double most = Math.Min(MostSliceSeconds, MostStillSeconds / participants.Length);
        double least = Math.Max(settings.SliceMs / 1e3, settings.LeastWindowSeconds);
        return Math.Max(least, Math.Min(wanted, most));
    }

    void Slice(Participant participant, string phase, double seconds)
    {
        Participant[] others = [.. alive.Where(other => other != participant)];
        // Those that would stand still for too long until this slice is over run briefly first.
        double ahead = seconds + Math.Max(LeastOverheadSeconds, overheadSeconds);
        foreach (Participant other in others.Where(other => other.StillSeconds + ahead > MostStillSeconds))
        {
            RunBriefly(other);
        }
        // Ctrl-Z and fg let all go on.
        Array.ForEach(others, other => other.StandStill());
        var clock = Stopwatch.StartNew();
        bool fromOutside = phase == "window";
        participant.GoOn();
        participant.Start();
        // Drawn anew, so that slices do not fall in step with what is periodic.
        participant.Wait(settings.SettleMs / 1e3 * (0.5 + Random.Shared.NextDouble()));
        participant.Begin(fromOutside);
        participant.Wait(seconds);
        participant.End(fromOutside);
        // At a rate that it cannot keep, as while it is cold, a drain takes a while.
        WhileOthersKeepAlive(participant, () => participant.Drain(phase, participant.DrainSeconds));
        participant.StandStill();
        overheadSeconds = clock.Elapsed.TotalSeconds - seconds;
    }

    // However long a part takes, or several parts together, nobody stands still for too long.
    void WhileOthersKeepAlive(Participant participant, Action part)
    {
        using var isOver = new ManualResetEventSlim();
        Participant[] others = [.. alive.Where(other => other != participant)];
        Task keepingAlive = Task.Run(() =>
        {
            while (!isOver.Wait(TimeSpan.FromSeconds(KeepAliveLookSeconds)))
            {
                // Not earlier: beside a drain of the usual length nobody else runs.
                foreach (Participant other in others.Where(other => other.StillSeconds > MostStillSeconds))
                {
                    RunBriefly(other);
                }
            }
        });
        try
        {
            part();
        }
        finally
        {
            isOver.Set();
            // Waits without throwing, so that no fault of the part is lost.
            Task.WaitAny(keepingAlive);
        }
        keepingAlive.GetAwaiter().GetResult();
    }

    // Long enough for what a library does to keep its peers.
    static void RunBriefly(Participant participant)
    {
        participant.GoOn();
        Thread.Sleep(KeepAliveMilliseconds);
        participant.StandStill();
    }

    // What befalls one library ends its part alone; what the system cannot do ends the block.
    void RunPart(Participant participant, Action part)
    {
        try
        {
            part();
        }
        catch (Failure fault) when (fault.ExitCode == Exit.Unsupported && alive.Contains(participant))
        {
            throw new NotInterleaved(fault.Message);
        }
        catch (Failure fault)
        {
            alive.Remove(participant);
            participant.Fail(fault, othersWait: alive.Count > 0);
        }
    }

    Participant[] Shuffled(IEnumerable<Participant> some)
    {
        Participant[] shuffled = [.. some];
        order.Shuffle(shuffled);
        return shuffled;
    }
}
