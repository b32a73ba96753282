using Newtonsoft.Json.Linq;

/// <summary>One launch that measured: the record of each of its client machines and, where there is
/// one, its server's. Figures are over all machines, and null where a fact is missing.</summary>
sealed record Launch(JObject[] Clients, JObject? Server, bool RunIdRepeats)
{
    const int LeastForLittle = 1_000;
    const double LittleWithin = 0.05;
    const double LongestGapSeconds = 1; // of a window in which clients, machine or clock stood still

    static readonly string[] phases = ["warmup", "window"];
    static readonly string[] losses = ["lost", "corrupt", "unanswered"];

    JToken Settings => Clients[0]["settings"]!;
    bool Reliable => (string?)Settings["delivery"] != "unreliable";
    bool ClosedLoop => (long)Settings["rate"]! == 0;
    double Sent => Of("sent_warmup") + Of("sent_window");
    double Lost => phases.Sum(LostIn);

    /// <summary>Messages answered in the window, a second.</summary>
    public double? Throughput => Sum(Rate);
    /// <summary>Quantile of the round trips in ns; null where too few lie beyond.</summary>
    public double? RoundTripNs(decimal quantile) => new Histogram(Clients, "rtt_ns").Quantile(quantile);
    /// <summary>User and system time a message, in µs; the server's over what it received.</summary>
    public double? ClientCpuUs => Ratio(Sum(CpuUs), Of("completed_window"));
    public double? ServerCpuUs => Ratio(CpuUs(Server), (double?)Server?["received_window"]);
    /// <summary>Managed bytes a message.</summary>
    public double? ClientAllocatedBytes =>
        Ratio(Sum(client => Cost(client, "allocated_bytes")), Of("completed_window"));
    public double? ServerAllocatedBytes =>
        Ratio(Cost(Server, "allocated_bytes"), (double?)Server?["received_window"]);
    public double? ClientPeakBytes => Sum(client => Cost(client, "rss_peak_bytes"));
    public double? ServerPeakBytes => Cost(Server, "rss_peak_bytes");
    /// <summary>Messages due in the window; of these without a sound answer; never sent.</summary>
    public double SentInWindow => Of("sent_window");
    public double LostInWindow => LostIn("window");
    public double NotSent => Of("not_sent");
    public bool NotWarm => Clients.Any(client => (bool)client["not_warm"]!);
    /// <summary>True where a window ended before its time; one until stopped (-1) has none.</summary>
    public bool StoppedEarly =>
        Clients.Any(client => (double)client["elapsed_s"]! < 0.99 * (double)Settings["seconds"]!);
    public IEnumerable<string> Versions =>
        Clients.Select(client => $"{client["library_version"]} {client["library_sha256"]}");

    /// <summary>The share that a client record is of, from 0.</summary>
    public static long MachineOf(JObject client) => (long)client["settings"]!["client_machine"]!;

    /// <summary>The reason why the records of a run's clients are not all there; null where they
    /// are.</summary>
    public static string? Missing(JObject[] clients)
    {
        if (clients.Length == 0) return "It left no client record.";
        var (machines, there) = ((long)clients[0]["settings"]!["client_machines"]!,
            clients.Select(MachineOf).ToHashSet());
        var share = 0L;
        while (there.Contains(share)) share++;
        return share >= machines ? null
            : $"The record of client machine {share + 1} of {machines} is missing.";
    }

    /// <summary>True where a run has more client records than machines: its run id was used again.</summary>
    public static bool Repeats(JObject[] clients) =>
        clients.Length > (long)clients[0]["settings"]!["client_machines"]!;

    /// <summary>What one client machine alone measured in this launch.</summary>
    public Launch OfMachine(long machine) =>
        new([.. Clients.Where(client => MachineOf(client) == machine)], null, RunIdRepeats);

    /// <summary>The self-checks that this launch fails, each as a reason.</summary>
    public IEnumerable<string> Invalid()
    {
        if (RunIdRepeats) yield return "its run id was used more than once";
        foreach (var record in Clients.Append(Server).OfType<JObject>())
            foreach (var fault in Accounting.Faults(record))
                yield return Named(record, fault.TrimEnd('.'));
        foreach (var client in Clients)
            foreach (var gap in Gaps(client)) yield return Named(client, gap);
        if (Clients.Select(client => Cell.Key("", (JObject)client["settings"]!)).Distinct().Count() > 1)
            yield return "its client machines had different settings";
        var wrong = Lost + Of("duplicates") + Of("foreign");
        if (Reliable && wrong > 0)
            yield return "reliable delivery lost, repeated or changed " +
                Text.Count((long)wrong, "message");
        if (Server != null && !RunIdRepeats)
        {
            var missing = Sent - (double)Server["received"]!;
            if (Reliable ? missing != 0 : missing < 0 || missing > Lost)
                yield return $"clients sent {Text.Number(Sent)} messages, the server received " +
                    Text.Number((double)Server["received"]!);
        }
        // With losses, lanes idle until their timeout, so the law says nothing here.
        if (ClosedLoop && Of("rtt_count") >= LeastForLittle && Lost == 0 && Throughput != null)
        {
            var lanes = (double)Settings["clients"]! * (double)Settings["parallel"]!;
            // Machine by machine, as their windows may differ in length.
            var little = Clients.Sum(client => 1e-9 * Rate(client) * Ratio(
                (double)client["rtt_sum_ns"]!, (double)client["rtt_count"]!)) / lanes;
            if (Math.Abs(little!.Value - 1) > LittleWithin)
                yield return "Little's law: mean round trip x throughput / lanes is " +
                    Text.Number(little);
        }
    }

    /// <summary>What a reader may want to know, though it changes no figure.</summary>
    public IEnumerable<string> Notes() => Clients
        .Where(client => Math.Abs(ClockJump(client)) > LongestGapSeconds && !MayHaveSlept(client))
        .Select(client => Named(client,
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

    string Named(JObject record, string what) => Clients.Length == 1 || record == Server
        ? what : $"client machine {MachineOf(record) + 1}: {what}";

    double Of(string field) => Clients.Sum(client => (double)client[field]!);

    // Null where it is missing of one machine, which LINQ's Sum would take for 0.
    double? Sum(Func<JObject, double?> figure) =>
        Clients.Aggregate((double?)0, (sum, client) => sum + figure(client));

    double LostIn(string phase) => losses.Sum(loss => Of($"{loss}_{phase}"));
    static double? Rate(JObject client) =>
        Ratio((double)client["completed_window"]!, (double)client["elapsed_s"]!);
    static double? CpuUs(JObject? side) =>
        1e6 * (Cost(side, "cpu_user_s") + Cost(side, "cpu_system_s"));

    // Null where the server is missing or was not marked.
    static double? Cost(JObject? side, string field) => (double?)(side?["cost"] as JObject)?[field];

    static double? Ratio(double? part, double? whole) =>
        whole > 0 && part / whole is { } ratio && double.IsFinite(ratio) ? ratio : null;
}
