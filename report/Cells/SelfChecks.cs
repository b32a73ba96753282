/// <summary>What must hold of a launch before its figures are worth anything.</summary>
static class SelfChecks
{
    const int LeastForLittle = 1_000; // round trips
    const double LittleWithin = 0.01;
    const double LongestGapSeconds = 1; // of a window in which machine or clock stood still
    const double LeastAchieved = 0.99;

    const decimal LagQuantile = 0.99m;

    /// <summary>The checks that a launch fails, each as a reason.</summary>
    public static IEnumerable<Reason> Invalid(Launch launch)
    {
        if (launch.RunIdRepeats)
            yield return "its run id was used more than once";
        foreach (var side in launch.Clients.Append(launch.Server).OfType<Side>())
        {
            foreach (var slice in side.Slices)
            {
                foreach (var fault in Accounting.Faults(slice))
                    yield return Named(launch, side, $"{slice.Phase}: {fault.TrimEnd('.')}");
            }
        }
        foreach (var side in OfMachines(launch))
        {
            foreach (var gap in Gaps(side))
                yield return Named(launch, side, gap);
        }
        if (launch.Clients.Select(OwnFlags).Distinct().Count() > 1)
            yield return "its client machines had different settings";
        double InAll(Func<SliceRecord, long> count) => launch.Clients.Sum(client => client.InAll(count));
        foreach (var client in launch.Clients.Where(client => client.InAll(slice => slice.Outcomes!.Unanswered) < 0))
            yield return Named(launch, client, "more messages ended than were sent");
        var lost = launch.Clients.Sum(client => client.LostInAll);
        var wrong = lost + InAll(slice => slice.Outcomes!.Duplicates + slice.Outcomes.Foreign);
        if (launch.Reliable && wrong > 0)
        {
            const string What = "reliable delivery lost, repeated or changed";
            yield return new($"{What} {Text.Count((long)wrong, "message")}", $"{What} messages", wrong);
        }
        if (launch.Server != null && !launch.RunIdRepeats)
        {
            foreach (var fault in launch.Counting.Faults(launch, launch.Server))
                yield return fault;
        }
        foreach (var fault in launch.Link?.Faults ?? [])
            yield return fault;
        if (launch.Rate > 0)
            yield break;
        if (OffLittle(launch, [.. launch.Clients.Select(client => client.Window)]) is { } inWindow)
            yield return $"Little's law: {inWindow}";
        if (
            launch.Rounds != null
            && OffLittle(launch, [.. launch.Clients.Select(client => client.Rates)]) is { } inRounds
        )
        {
            yield return $"Little's law in the rounds: {inRounds}";
        }
    }

    // What a client machine was told, but for what says which machine it is.
    static string OwnFlags(Side client) =>
        string.Join(
            '\n',
            client
                .Ready.Flags.Properties()
                .Where(flag => !Cell.OfRecord.Contains(flag.Name))
                .OrderBy(flag => flag.Name, StringComparer.Ordinal)
                .Select(flag => $"{flag.Name}={Text.Value(flag.Value)}")
        );

    // Null where messages were in flight for no longer than slots had the time. Each slot may have one whose answer
    // came behind the end of its window: all of them together take no longer than as many of the longest.
    static string? OffLittle(Launch launch, SliceRecord[] clients)
    {
        var ended = clients.Sum(slice => (double)slice.Received);
        if (ended < LeastForLittle || clients.Any(slice => slice.ElapsedNs <= 0))
            return null;
        var little = clients.Sum(slice => (double)slice.Outcomes!.RttSumNs / slice.ElapsedNs) / launch.Slots;
        var atEnds = (long)launch.Slots * (launch.Rounds?.Rates.Count() ?? 1);
        var behindNs = new Histogram(clients.SelectMany(slice => slice.Outcomes!.RttNs)).SumOfLargestNs(atEnds);
        if (little <= 1 + LittleWithin + behindNs / launch.Slots / clients.Average(slice => slice.ElapsedNs))
            return null;
        return $"the sum of round trips / (slots x elapsed) is {Text.Number(little)}";
    }

    /// <summary>Why the round trips of a cell at a given rate are none of that rate's: a launch did not reach it, or
    /// messages were sent too late, over all launches as their round trips are.</summary>
    public static IEnumerable<Reason> InvalidForLatency(Cell cell)
    {
        if (cell.ClosedLoop || !cell.Counting.HasRoundTrips)
            yield break; // whose rate is what arrived, and which has no latency
        foreach (var launch in cell.Launches)
        {
            if (Missed(launch) is { } missed)
                yield return new(missed, "the rate was not reached", -launch.WindowThroughput ?? 0);
        }
        var mostNs = cell.Settings.MostSendLagNs;
        if (cell.SendLag.Quantile(LagQuantile, leastBeyond: 0) is not { } lag || lag <= mostNs)
            yield break;
        var most = Text.Duration(mostNs);
        var late = $"messages were sent up to {Text.Duration(lag)} late (p99), over {most}";
        var inShort = $"messages were sent over {most} late (p99)";
        // Who sends them had to wait for a CPU then: it is the machine that is too slow, not the generator.
        var isFull = cell.Median(launch => launch.MachineBusy) >= Bottleneck.MachineFull;
        var why = isFull ? $"{Bottleneck.Machine}: " : "";
        yield return new(why + late, why + inShort, lag);
    }

    /// <summary>How far a launch stayed below the rate that was asked for; null where it did not.</summary>
    public static string? Missed(Launch launch)
    {
        if (launch.Rate == 0 || !launch.Counting.HasRoundTrips)
            return null;
        // One message at the edge of a short window is no lag.
        var aMessage = 1 / launch.Clients.Max(client => client.ElapsedS);
        // Over a link what was sent counts: it loses some, and the last answers are on their way. In rooms one client
        // that lacks a message leaves it open.
        var settings = launch.Record.Settings;
        var isBySent = launch.Link != null || Works.Of(settings.Work).HasRooms;
        var achieved =
            isBySent ? launch.Sent / launch.Clients.Max(client => client.ElapsedS) : launch.WindowThroughput;
        // Clients that stand apart send nothing.
        var due = (double)launch.Rate * settings.SoundClients / settings.Clients;
        if (achieved + aMessage >= LeastAchieved * due)
            return null;
        return $"{Text.Number(achieved)} of {Text.Number(due)} messages/s were "
            + $"achieved, under {100 * LeastAchieved:0.#} %";
    }

    /// <summary>What a reader may want to know, though it changes no figure.</summary>
    public static IEnumerable<string> Notes(Launch launch)
    {
        foreach (var side in OfMachines(launch))
        {
            var set = ClockJump(side);
            if (Math.Abs(set) > LongestGapSeconds && !MayHaveSlept(side))
                yield return Named(launch, side, $"the wall clock was set by {Seconds(set)}, which no figure uses");
        }
        if (ThrottledPercent(launch) is > 0 and var percent)
            yield return $"a CPU quota held it back in {Text.Number(percent)} % of its periods";
    }

    /// <summary>Of the periods of the CPU quota of its sides' control groups, those in which one was held back, of the
    /// side that had most.</summary>
    public static double? ThrottledPercent(Launch launch) =>
        launch.Clients.Append(launch.Server)
            .Max(side => 100 * Launch.Ratio(side?.Outside?.CpuThrottledPeriods, side?.Outside?.CpuQuotaPeriods));

    static IEnumerable<string> Gaps(Side side)
    {
        if (side.Outside?.SuspendedS is > LongestGapSeconds and var suspended)
            yield return $"the machine slept for {Seconds(suspended)}";
        if (MayHaveSlept(side))
            yield return $"the machine slept or its clock was set forward by {Seconds(ClockJump(side))}";
    }

    // The system does not tell of sleep, and Stopwatch may not run in it.
    static bool MayHaveSlept(Side side) => ClockJump(side) > LongestGapSeconds && side.Outside?.SuspendedS == null;

    // 0 where the runner read nothing.
    static double ClockJump(Side side) => side.Outside?.ClockJumpS ?? 0;

    static string Seconds(double seconds) => $"{seconds:#,0.#} s";

    // One side of each machine that it ran on.
    static IEnumerable<Side> OfMachines(Launch launch) =>
        launch.OneMachine ? launch.Clients : launch.Clients.Append(launch.Server).OfType<Side>();

    static string Named(Launch launch, Side side, string what)
    {
        if (side.IsServer)
            return $"server: {what}";
        return launch.Clients.Length == 1 ? what : $"client machine {side.Share + 1}: {what}";
    }
}
