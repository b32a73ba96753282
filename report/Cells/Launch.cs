using Newtonsoft.Json.Linq;

/// <summary>One launch that measured: the record of each of its client machines and, where there is
/// one, its server's. Figures are over all machines, and null where a fact is missing.</summary>
sealed record Launch(JObject[] Clients, JObject? Server, Session Session, bool RunIdRepeats = false)
{
    static readonly string[] losses = ["lost", "corrupt", "unanswered"];

    JToken Settings => Clients[0]["settings"]!;
    // Over loopback both directions of all traffic are counted once, in either side's record.
    bool OneMachine => Session.IsOneMachine(Clients[0]);

    /// <summary>Evidence that something else disturbed it.</summary>
    public Disturbance Disturbance { get; } = Disturbance.Of(Clients, Server, Session);

    public string RunId => (string)Clients[0]["run_id"]!;
    public bool Reliable => (string?)Settings["delivery"] != "unreliable";
    /// <summary>Messages/s over all clients that were asked for; 0 in a closed loop.</summary>
    public long Rate => (long)Settings["rate"]!;
    /// <summary>Messages in flight, over all clients.</summary>
    public double Lanes => (double)Settings["clients"]! * (double)Settings["parallel"]!;

    /// <summary>Messages answered in the window, a second.</summary>
    public double? Throughput => Sum(RateOf);
    /// <summary>Quantile of the round trips in ns; null where too few lie beyond.</summary>
    public double? RoundTripNs(decimal quantile) => new Histogram(Clients, "rtt_ns").Quantile(quantile);
    public double? MeanRoundTripS => Ratio(1e-9 * Of("rtt_sum_ns"), Of("rtt_count"));
    /// <summary>Messages due in the window; of these without a sound answer; never sent.</summary>
    public double SentInWindow => Of("sent_window");
    public double LostInWindow => LostIn("window");
    public double NotSent => Of("not_sent");

    /// <summary>User and system time a message, in µs; the server's over what it received.</summary>
    public double? ClientCpuUs => ClientUserUs + ClientSystemUs;
    public double? ClientUserUs => 1e6 * AMessage("cpu_user_s");
    public double? ClientSystemUs => 1e6 * AMessage("cpu_system_s");
    public double? BothCpuUs => ClientCpuUs + ServerCpuUs;
    public double? ServerCpuUs => ServerUserUs + ServerSystemUs;
    public double? ServerUserUs => 1e6 * AMessageOfServer("cpu_user_s");
    public double? ServerSystemUs => 1e6 * AMessageOfServer("cpu_system_s");
    /// <summary>Managed bytes a message.</summary>
    public double? ClientAllocatedBytes => AMessage("allocated_bytes");
    public double? ServerAllocatedBytes => AMessageOfServer("allocated_bytes");
    /// <summary>Context switches a message.</summary>
    public double? ClientSwitches => AMessage("context_switches");
    public double? ServerSwitches => AMessageOfServer("context_switches");
    /// <summary>On the interface a message that was answered, both directions together.</summary>
    public double? WireBytes => Ratio(OfMachines("interface_sent_bytes"), Of("completed_window"));
    public double? WirePackets => Ratio(OfMachines("interface_sent_packets"), Of("completed_window"));
    /// <summary>Share of the window for which the collector stopped a side; of several client machines
    /// the most.</summary>
    public double? ClientGcPause => Clients.Max(GcPause);
    public double? ServerGcPause => GcPause(Server);
    /// <summary>Most that was seen to wait in the server's sockets.</summary>
    public double? ReceiveQueueBytes => (double?)Server?["receive_queue_peak_bytes"];
    public double? ClientRssBytes => Sum(client => Cost(client, "rss_bytes"));
    public double? ServerRssBytes => Cost(Server, "rss_bytes");
    public double? ClientPeakBytes => Sum(client => Cost(client, "rss_peak_bytes"));
    public double? ServerPeakBytes => Cost(Server, "rss_peak_bytes");

    /// <summary>Share of the CPUs that a side may use which was busy, or of one CPU its busiest thread
    /// where that is more; idle passes taken off. Of several client machines the busiest.</summary>
    public double? ClientBusy => Clients.Max(Busy);
    public double? ServerBusy => Busy(Server);
    /// <summary>The same of a machine that both sides share, whoever used it, with what was stolen.</summary>
    public double? MachineBusy => !OneMachine ? null
        : Ratio(Cost(Clients[0], "machine_cpu_s") + Cost(Clients[0], "machine_steal_s"),
            Session.CpusOf(Clients[0], true) * Cost(Clients[0], "elapsed_s"));
    /// <summary>Share of a side's passes that were idle, of the side with most: it polled for nothing.</summary>
    public double IdlePasses => Clients.Append(Server).OfType<JObject>().Max(IdleShare);
    /// <summary>Periods with which the library or either side acts, in s.</summary>
    public IEnumerable<double> TicksS => Clients.Select(client => (double?)client["tick_s"])
        .Append((double)Settings["tick_hz"]! is > 0 and var hz ? 1 / hz : null)
        .OfType<double>().Where(tick => tick > 0);

    /// <summary>Messages of the window that were given up, as far as the kernel dropped as many
    /// datagrams; the rest was lost by the library. Nothing is lost where delivery is reliable.</summary>
    public double? LostByKernel => Reliable ? null
        : OfMachines("udp_in_errors") + OfMachines("udp_sndbuf_errors") is { } dropped
            ? Math.Min(dropped, Of("lost_window")) : null;
    public double? LostByLibrary => Of("lost_window") - LostByKernel;

    /// <summary>Clients connected a second, and how long closing all took, in s.</summary>
    public double? ConnectionsPerS => Sum(client =>
        Ratio(ClientsOf((long)Settings["clients"]!, client), (double)client["connect_s"]!));
    public double? DisconnectS => Clients.Any(client => (double?)client["disconnect_s"] == null) ? null
        : Clients.Max(client => (double?)client["disconnect_s"]);

    public bool NotWarm => Clients.Any(client => (bool)client["not_warm"]!);
    /// <summary>True where a window ended before its time; one until stopped (-1) has none.</summary>
    public bool StoppedEarly =>
        Clients.Any(client => (double)client["elapsed_s"]! < 0.99 * (double)Settings["seconds"]!);
    public IEnumerable<string> Versions =>
        Clients.Select(client => $"{client["library_version"]} {client["library_sha256"]}");

    /// <summary>The share that a client record is of, from 0.</summary>
    public static long MachineOf(JObject client) => (long)client["settings"]!["client_machine"]!;

    /// <summary>How many of all clients a client record is of.</summary>
    public static long ClientsOf(long clients, JObject client)
    {
        var (machines, machine) = ((long)client["settings"]!["client_machines"]!, MachineOf(client));
        return clients * (machine + 1) / machines - clients * machine / machines;
    }

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
    public Launch OfMachine(long machine) => this with
    { Clients = [.. Clients.Where(client => MachineOf(client) == machine)], Server = null };

    /// <summary>A count of the client records, over all machines.</summary>
    public double Of(string field) => Clients.Sum(client => (double)client[field]!);

    /// <summary>Messages due in a phase without a sound answer.</summary>
    public double LostIn(string phase) => losses.Sum(loss => Of($"{loss}_{phase}"));

    /// <summary>Messages answered in one client machine's window, a second.</summary>
    public static double? RateOf(JObject client) =>
        Ratio((double)client["completed_window"]!, (double)client["elapsed_s"]!);

    /// <summary>Null where there is no whole to hold the part against.</summary>
    public static double? Ratio(double? part, double? whole) =>
        whole > 0 && part / whole is { } ratio && double.IsFinite(ratio) ? ratio : null;

    // Null where it is missing of one machine, which LINQ's Sum would take for 0.
    double? Sum(Func<JObject, double?> figure) =>
        Clients.Aggregate((double?)0, (sum, client) => sum + figure(client));

    // A counter of the whole machine, which on one machine both sides read.
    double? OfMachines(string field) => OneMachine ? Cost(Clients[0], field)
        : Sum(client => Cost(client, field)) + Cost(Server, field);

    double? AMessage(string field) =>
        Ratio(Sum(client => Cost(client, field)), Of("completed_window"));

    double? AMessageOfServer(string field) =>
        Ratio(Cost(Server, field), (double?)Server?["received_window"]);

    // The whole process, or its busiest thread where that is fuller. A loop that polls is on the CPU
    // without work in its idle passes.
    static double? Busy(JObject? side)
    {
        if (side == null || Cost(side, "elapsed_s") is not { } elapsed) return null;
        var process = Ratio(Cost(side, "cpu_user_s") + Cost(side, "cpu_system_s"),
            elapsed * (double)side["runtime"]!["processor_count"]!);
        var thread = Ratio(Cost(side, "cpu_busiest_thread_s"), elapsed);
        return Math.Max(process ?? 0, thread ?? 0) * (1 - IdleShare(side));
    }

    static double IdleShare(JObject side) =>
        Ratio((double?)side["idle_passes"], (double?)side["passes"]) ?? 0;

    static double? GcPause(JObject? side) => Ratio(Cost(side, "gc_pause_s"), Cost(side, "elapsed_s"));

    // Null where the server is missing or was not marked.
    static double? Cost(JObject? side, string field) => (double?)(side?["cost"] as JObject)?[field];
}
