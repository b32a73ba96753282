using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>Measures several libraries under one load in turn: all live at once, and whoever has no slice stands
/// still. Cpus: the two on which that takes place, if they are just two.</summary>
sealed class Block(string id, Member[] members, RunSettings settings, (int First, int Second)? cpus)
{
    /// <summary>Nobody stands still for longer: the shortest time after which a library gives a peer up is 5 s.</summary>
    const double MostStillSeconds = 2;
    const double MostSliceSeconds = 0.5, LongestSlice = 1, RestSeconds = 10;
    const string Between = "drain";
    const double LeastBesideSeconds = 0.2;
    const int RoundTripsASlice = 16, BreathMs = 20;

    readonly Random order = new(settings.OrderSeed);
    readonly Dictionary<Member, Warmth> warmths = [];
    readonly Dictionary<Member, RoundRecord> rounds = [];
    readonly Dictionary<Member, JObject> launches = [];
    readonly Stopwatch wall = Stopwatch.StartNew();
    readonly List<Member> alive = [];
    volatile bool stopAsked;
    // What the last took beside its slice, on a busy machine more: to settle, come to rest and tell its figures.
    double besideSeconds;

    /// <summary>Asks it to stop: what was measured is written.</summary>
    public void Stop()
    {
        stopAsked = true;
        foreach (var member in members) member.Stop();
    }

    /// <summary>Leads them to their end; returns why they cannot be measured in turn, null where they were.</summary>
    public string? Lead()
    {
        try
        {
            Connect();
            WarmUp();
            Measure();
        }
        catch (NotInTurn because)
        {
            foreach (var member in members) member.Dispose();
            return because.Message;
        }
        foreach (var member in alive) member.GoOn();
        var wallS = wall.Elapsed.TotalSeconds;
        foreach (var member in alive.ToArray())
            Try(member, () =>
            {
                if (!member.Said.Has("window"))
                    throw new Failure("The run was stopped before its window began.", Exit.Interrupted);
                var warmth = warmths[member];
                member.End(() => launches[member] = member.Launch(warmth.Seconds, warmth.IsWarm, wallS, id, rounds: rounds[member]));
            });
        return null;
    }

    /// <summary>How its rate compares to that of the first, in words; empty where that cannot be said.</summary>
    public string ToPlain(Member member) => member == members[0] || !launches.TryGetValue(member, out var own)
        || !launches.TryGetValue(members[0], out var first) || Turns.Rates([own], [first]) is not { } ratio ? ""
        : $"  {ratio.Value:0.00} ± {ratio.HalfWidth * 100:0.0} % x {members[0].Library}";

    /// <summary>That they cannot be measured in turn, as a sentence.</summary>
    sealed class NotInTurn(string sentence) : Exception(sentence);

    // One after the other, so that none is slow to connect for another's sake. Those that are there stand still.
    void Connect()
    {
        foreach (var member in members)
        {
            if (stopAsked) return;
            if (Fit.Misfit(settings.Clients / settings.ClientMachines, members.Length, alive.Count, alive.Sum(one => one.RssBytes)) is { } reason)
                throw new NotInTurn(reason);
            Try(member, () => WhileOthersBreathe(member, member.Connect));
            if (member.ExitCode != Exit.Done) continue;
            alive.Add(member);
            Try(member, member.StandStill);
        }
    }

    // In turn as well, until each is warm.
    void WarmUp()
    {
        foreach (var member in alive) warmths[member] = new(settings.WarmupSeconds, settings.Rate > 0);
        var lookSeconds = Math.Min(Warmth.LookSeconds, 0.9 * MostStillSeconds / Math.Max(1, alive.Count));
        while (alive.Any(member => !warmths[member].IsOver))
            foreach (var member in alive.Where(member => !warmths[member].IsOver).ToArray())
                Try(member, () =>
                {
                    Slice(member, "warmup", lookSeconds);
                    var (clients, server) = member.Said.Last("warmup");
                    warmths[member].Add(clients.ElapsedNs / 1e9, clients.Completed, clients.CompiledMethods + server.CompiledMethods);
                });
    }

    void Measure()
    {
        foreach (var member in alive)
        {
            rounds[member] = new(cpus != null);
            member.IsOpen = true;
        }
        // Pieces of everybody's window, each at the end of a round, evenly over the rounds.
        var pieces = (int)Math.Ceiling(settings.Seconds / LongestSlice);
        Member[] windows = [.. Enumerable.Range(0, pieces).SelectMany(_ => Shuffled(alive))];
        for (var (round, taken) = (0, 0); round < settings.Rounds; round++)
        {
            foreach (var (member, place) in Shuffled(alive).Select((member, place) => (member, place)))
                if (!stopAsked) Try(member, () => Round(member, place));
            while (taken * settings.Rounds < windows.Length * (round + 1))
            {
                var next = windows[taken++];
                if (!stopAsked && alive.Contains(next)) Try(next, () => Slice(next, "window", settings.Seconds / pieces));
            }
        }
    }

    void Round(Member member, int place)
    {
        var (startedMs, clock) = (wall.ElapsedMilliseconds, Stopwatch.StartNew());
        Slice(member, "rounds", SliceSeconds(member));
        var (clients, server) = member.Said.Last("rounds");
        var spentMs = clock.ElapsedMilliseconds;
        // At once: a hypervisor may part CPUs that rest. One that was cut short is no round.
        var cpuToCpuNs = cpus is var (first, second) ? CpuDistance.RoundTripNs(first, second) : null;
        if (!stopAsked) rounds[member].Add(startedMs, spentMs, place, clients, server.CpuNs, cpuToCpuNs);
    }

    // A few round trips of a lane say little of a library that ticks.
    double SliceSeconds(Member member)
    {
        var aLane = member.Settings is { Rate: 0, IsStream: false } ? settings.Lanes : 1.0;
        var wanted = warmths[member].Rate is > 0 and var rate ? RoundTripsASlice * aLane / rate : 0;
        return Math.Max(settings.SliceMs / 1e3, Math.Min(wanted, Math.Min(MostSliceSeconds, MostStillSeconds / members.Length)));
    }

    void Slice(Member member, string phase, double seconds)
    {
        var others = alive.Where(other => other != member).ToArray();
        // The next turn in a large block comes too late.
        foreach (var other in others.Where(other => other.StillSeconds + seconds + Math.Max(LeastBesideSeconds, besideSeconds) > MostStillSeconds))
            Breathe(other);
        // Ctrl-Z and fg let all go on.
        Array.ForEach(others, other => other.StandStill());
        var clock = Stopwatch.StartNew();
        member.GoOn();
        member.Go();
        member.Wait(settings.SettleMs / 1e3 * (0.5 + Random.Shared.NextDouble()));
        if (phase == "window") member.Open(Between); else member.Mark(Between);
        member.Wait(seconds);
        if (phase == "window") member.Close(); else member.Mark(phase);
        // At a rate that it cannot keep, as while it is cold, that takes a while.
        WhileOthersBreathe(member, () => member.Rest(Between, member.IsNear ? RestSeconds : member.RestSeconds));
        member.StandStill();
        besideSeconds = clock.Elapsed.TotalSeconds - seconds;
    }

    // However long a part takes, nobody stands still for too long.
    void WhileOthersBreathe(Member member, Action part)
    {
        using var over = new ManualResetEventSlim();
        var others = alive.Where(other => other != member).ToArray();
        var breaths = Task.Run(() =>
        {
            while (!over.Wait(TimeSpan.FromSeconds(0.75 * MostStillSeconds))) Array.ForEach(others, Breathe);
        });
        try { part(); }
        finally
        {
            over.Set();
            breaths.Wait();
        }
    }

    // Long enough for what a library does to keep its peers.
    static void Breathe(Member member)
    {
        member.GoOn();
        Thread.Sleep(BreathMs);
        member.StandStill();
    }

    // What befalls one library ends its part alone; what the system cannot do ends the block.
    void Try(Member member, Action part)
    {
        try { part(); }
        catch (Failure fault) when (fault.ExitCode == Exit.Unsupported && alive.Contains(member))
        {
            throw new NotInTurn(fault.Message);
        }
        catch (Failure fault)
        {
            alive.Remove(member);
            member.Fail(fault, othersWait: alive.Count > 0);
        }
    }

    Member[] Shuffled(IEnumerable<Member> some)
    {
        var shuffled = some.ToArray();
        order.Shuffle(shuffled);
        return shuffled;
    }
}
