using Newtonsoft.Json.Linq;

/// <summary>What must hold of a launch before its figures are worth anything.</summary>
static class SelfChecks
{
    const int LeastForLittle = 1_000;
    const double LittleWithin = 0.05;
    const double LongestGapSeconds = 1; // of a window in which clients, machine or clock stood still
    const double LeastAchieved = 0.99, MostLagNs = 1e6; // at a given rate
    const decimal LagQuantile = 0.99m;

    static readonly string[] phases = ["warmup", "window"];

    /// <summary>The checks that a launch fails, each as a reason.</summary>
    public static IEnumerable<string> Invalid(Launch launch)
    {
        if (launch.RunIdRepeats) yield return "its run id was used more than once";
        foreach (var record in launch.Clients.Append(launch.Server).OfType<JObject>())
            foreach (var fault in Accounting.Faults(record))
                yield return Named(launch, record, fault.TrimEnd('.'));
        foreach (var client in launch.Clients)
            foreach (var gap in Gaps(client)) yield return Named(launch, client, gap);
        if (launch.Clients.Select(client => Cell.Key("", (JObject)client["settings"]!)).Distinct().Count() > 1)
            yield return "its client machines had different settings";
        var lost = phases.Sum(launch.LostIn);
        var wrong = lost + launch.Of("duplicates") + launch.Of("foreign");
        if (launch.Reliable && wrong > 0)
            yield return "reliable delivery lost, repeated or changed " + Text.Count((long)wrong, "message");
        if (launch.Server != null && !launch.RunIdRepeats)
        {
            var sent = launch.Of("sent_warmup") + launch.Of("sent_window");
            var missing = sent - (double)launch.Server["received"]!;
            if (launch.Reliable ? missing != 0 : missing < 0 || missing > lost)
                yield return $"clients sent {Text.Number(sent)} messages, the server received " +
                    Text.Number((double)launch.Server["received"]!);
        }
        // With losses, lanes idle until their timeout, so the law says nothing here.
        if (launch.Rate == 0 && launch.Of("rtt_count") >= LeastForLittle && lost == 0
            && launch.Throughput != null)
        {
            // Machine by machine, as their windows may differ in length.
            var little = launch.Clients.Sum(client => 1e-9 * Launch.RateOf(client) * Launch.Ratio(
                (double)client["rtt_sum_ns"]!, (double)client["rtt_count"]!)) / launch.Lanes;
            if (Math.Abs(little!.Value - 1) > LittleWithin)
                yield return "Little's law: mean round trip x throughput / lanes is " +
                    Text.Number(little);
        }
    }

    /// <summary>Why the round trips of a launch at a given rate are none of that rate's: it was not
    /// reached, or messages were sent too late.</summary>
    public static IEnumerable<string> InvalidForLatency(Launch launch)
    {
        if (launch.Rate == 0) yield break;
        // One message at the edge of a short window is no lag.
        var aMessage = 1 / launch.Clients.Max(client => (double)client["elapsed_s"]!);
        if (launch.Throughput + aMessage < LeastAchieved * launch.Rate)
            yield return $"{Text.Number(launch.Throughput)} of {Text.Number(launch.Rate)} messages/s were " +
                $"achieved, under {100 * LeastAchieved:0.#} %";
        var lag = new Histogram(launch.Clients, "send_lag_ns").Quantile(LagQuantile, leastBeyond: 0);
        if (lag > MostLagNs)
            yield return $"messages were sent up to {Text.Duration(lag)} late (p99), over " +
                Text.Duration(MostLagNs);
    }

    /// <summary>What a reader may want to know, though it changes no figure.</summary>
    public static IEnumerable<string> Notes(Launch launch) => launch.Clients
        .Where(client => Math.Abs(ClockJump(client)) > LongestGapSeconds && !MayHaveSlept(client))
        .Select(client => Named(launch, client,
            $"the wall clock was set by {Seconds(ClockJump(client))}, which no figure uses"));

    static IEnumerable<string> Gaps(JObject client)
    {
        if ((double)client["pause_s"]! is > LongestGapSeconds and var pause)
            yield return $"the clients stood still for {Seconds(pause)}";
        if ((double?)client["suspended_s"] is > LongestGapSeconds and var suspended)
            yield return $"the machine slept for {Seconds(suspended)}";
        if (MayHaveSlept(client))
            yield return "the machine slept or its clock was set forward by " +
                Seconds(ClockJump(client));
    }

    // The system does not tell of sleep, and Stopwatch may not run in it.
    static bool MayHaveSlept(JObject client) => ClockJump(client) > LongestGapSeconds
        && client["suspended_s"]!.Type == JTokenType.Null;

    static double ClockJump(JObject client) => (double)client["clock_jump_s"]!;
    static string Seconds(double seconds) => $"{seconds:#,0.#} s";

    static string Named(Launch launch, JObject record, string what) =>
        launch.Clients.Length == 1 || record == launch.Server
            ? what : $"client machine {Launch.MachineOf(record) + 1}: {what}";
}
