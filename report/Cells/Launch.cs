using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>One launch that measured: the clients of each of its machines and, where its records are there,
/// its server. Figures are over all machines, of the window, and null where a fact is missing.</summary>
sealed partial record Launch(JObject Record, Side[] Clients, Side? Server, Cpus Cpus, bool RunIdRepeats)
{
    JToken Settings => Record["settings"]!;

    /// <summary>Those in which it had its turns; null where it was measured apart.</summary>
    public Rounds? Rounds { get; init; } = Rounds.Of(Record);

    long ClientMachines => Math.Max(1, (long)Settings["client_machines"]!); // whatever a record says

    /// <summary>True where both sides share a machine. Over loopback both directions of all traffic are counted
    /// once then, in either side's slice.</summary>
    public bool OneMachine => Cpus.AreShared(ClientMachines);

    public bool Reliable => (string?)Settings["delivery"] != "unreliable";

    /// <summary>Messages/s over all clients that were asked for; 0 in a closed loop.</summary>
    public long Rate => (long)Settings["rate"]!;

    /// <summary>The part of the capacity in % that it was planned at; null where its id names none.</summary>
    public int? PercentOfCapacity =>
        PercentPattern().Match((string)Record["run_id"]!) is { Success: true } percent
            ? int.Parse(percent.Groups[1].Value)
            : null;

    /// <summary>Messages in flight, over all clients.</summary>
    public double Slots => (double)Settings["clients"]! * (double)Settings["parallel"]!;

    /// <summary>Messages answered a second, or of a stream received: median of the rounds, or measured apart in the
    /// window.</summary>
    public double? Throughput =>
        Rounds != null ? Statistic.Of(Rounds.Rates.Cast<double?>())?.Median : SumOfReceivers(side => side.Throughput);

    /// <summary>In the window, however it was measured.</summary>
    public double? WindowThroughput => SumOfReceivers(side => side.WindowThroughput);

    /// <summary>Mean of the messages that were in flight in the window. In records of before version 8 by Little's
    /// law, or, measured separately, as the warm-up ended, because round trips longer than the window are cut short by
    /// the drain. Those that waited for the client to send them were not.</summary>
    public double? InFlight => Sum(client => client.InFlight) ?? InFlightBefore8;

    double? InFlightBefore8
    {
        get
        {
            if (WindowThroughput * MeanRoundTripS is not { } little)
                return null;
            var leftByWarmUp = Rounds == null ? Clients.Sum(client => client.LeftByWarmUp) : 0;
            return Math.Max(little, leftByWarmUp);
        }
    }

    /// <summary>How long a round trip takes by them, in s, where that is longer than the window; else null.</summary>
    public double? RoundTripBeyondWindowS =>
        InFlight / WindowThroughput is { } roundTripS && roundTripS > Clients.Max(client => client.ElapsedS)
            ? roundTripS
            : null;

    /// <summary>True where nothing is answered, and what the server received is what counts.</summary>
    public bool IsStream => Arrivals.IsStream(Settings);

    /// <summary>The times of a kind, rtt_ns or send_lag_ns.</summary>
    public Histogram Times(string kind) => new(Clients.Select(client => client.Window), kind);

    public double? MeanRoundTripS => Ratio(OfOutcomes("rtt_sum_ns") / 1e9, Clients.Sum(client => client.RoundTrips));

    /// <summary>Messages due in the window; of a stream those of all phases, as what is on the way when a window ends
    /// is not lost.</summary>
    public double Sent =>
        IsStream ? Clients.Sum(client => client.InAll("streamed")) : Clients.Sum(client => client.Of("sent"));

    /// <summary>Of these, without a sound answer.</summary>
    public double Lost
    {
        get
        {
            if (!IsStream)
                return Clients.Sum(client => client.Lost);
            return Server == null ? 0 : Sent - Server.InAll("streamed");
        }
    }

    /// <summary>Messages due in the window that were never sent.</summary>
    public double NotSent => OfOutcomes("not_sent");

    // CPU time is that a message, of all rounds or, measured apart, of the window.

    /// <summary>The clients' user and system time a message, in µs.</summary>
    public double? ClientCpuUs => ClientUserUs + ClientSystemUs;

    /// <summary>The clients' user time a message, in µs.</summary>
    public double? ClientUserUs => ClientCpu("cpu_user_ns");

    /// <summary>The clients' system time a message, in µs.</summary>
    public double? ClientSystemUs => ClientCpu("cpu_system_ns");

    /// <summary>User and system time of both sides a message, in µs.</summary>
    public double? BothCpuUs => ClientCpuUs + ServerCpuUs;

    /// <summary>The server's user and system time a message that it received, in µs.</summary>
    public double? ServerCpuUs => ServerUserUs + ServerSystemUs;

    /// <summary>The server's user time a message that it received, in µs.</summary>
    public double? ServerUserUs => ServerCpu("cpu_user_ns");

    /// <summary>The server's system time a message that it received, in µs.</summary>
    public double? ServerSystemUs => ServerCpu("cpu_system_ns");

    /// <summary>Managed bytes a message.</summary>
    public double? ClientAllocatedBytes => AMessage(client => client.Of("allocated_bytes"));

    public double? ServerAllocatedBytes => AMessageOfServer(server => server.Of("allocated_bytes"));

    /// <summary>Context switches a message.</summary>
    public double? ClientSwitches => AMessage(client => client.OfOutside("context_switches"));

    public double? ServerSwitches => AMessageOfServer(server => server.OfOutside("context_switches"));

    /// <summary>On the interface or the link a message that was answered, both directions together.</summary>
    public double? WireBytes => Ratio(Link?.Sum("bytes") ?? OfMachines("interface_sent_bytes"), Completed);

    public double? WirePackets => Ratio(Link?.Sum("packets") ?? OfMachines("interface_sent_packets"), Completed);

    /// <summary>TCP segments that either side's kernel sent again, a message that was answered.</summary>
    public double? TcpRetransmits =>
        Ratio(
            Clients[0].OfOutside("tcp_retransmitted_segments") + Server?.OfOutside("tcp_retransmitted_segments"),
            Completed
        );

    /// <summary>The link between its sides; null: they met as they are.</summary>
    public MeasuredLink? Link => MeasuredLink.Of(Record);

    /// <summary>Of the messages sent in the window, in %, those whose answer came within one round trip of the link +
    /// 50 ms.</summary>
    public double? OnTimePercent =>
        Link is not { } link || Sent == 0
            ? null
            : 100 * Times("rtt_ns").CountUpTo((long)(1e6 * (link.Asked.RttMs + MeasuredLink.OnTimeMs))) / Sent;

    /// <summary>Share of the window for which the collector stopped a side; of several client machines
    /// the most.</summary>
    public double? ClientGcPause => Clients.Max(client => client.GcPause);

    public double? ServerGcPause => Server?.GcPause;

    /// <summary>Most that was seen to wait in the server's sockets.</summary>
    public double? ReceiveQueueBytes => Server?.OfOutside("receive_queue_peak_bytes");

    /// <summary>The clients' resident memory at the window's end.</summary>
    public double? ClientRssBytes => Sum(client => client.RssBytes);

    /// <summary>The server's resident memory at the window's end.</summary>
    public double? ServerRssBytes => Server?.RssBytes;

    /// <summary>The clients' resident memory when all were connected and nothing was sent.</summary>
    public double? ClientConnectedBytes => Sum(client => client.ConnectedRssBytes);

    /// <summary>The server's resident memory when all were connected and nothing was sent.</summary>
    public double? ServerConnectedBytes => Server?.ConnectedRssBytes;

    /// <summary>The most resident memory that the clients had.</summary>
    public double? ClientPeakBytes => Sum(client => client.OfOutside("rss_peak_bytes"));

    /// <summary>The most resident memory that the server had.</summary>
    public double? ServerPeakBytes => Server?.OfOutside("rss_peak_bytes");

    /// <summary>How busy a side was, see Side; of several client machines the busiest.</summary>
    public double? ClientBusy => Clients.Max(client => client.Busy);

    public double? ServerBusy => Server?.Busy;

    /// <summary>Share of the CPUs of a machine that both sides share, whoever used it, with what was stolen.</summary>
    public double? MachineBusy =>
        !OneMachine
            ? null
            : Ratio(
                Clients[0].OfOutside("machine_cpu_s") + Clients[0].OfOutside("machine_steal_s"),
                Cpus.Of(Clients[0], true) * Clients[0].OfOutside("elapsed_s")
            );

    /// <summary>Share of a side's passes that were idle, of the side with most.</summary>
    public double IdlePasses => Clients.Append(Server).OfType<Side>().Max(side => side.IdlePasses);

    /// <summary>Periods with which the library or either side acts, in s.</summary>
    public IEnumerable<double> TicksS =>
        Clients
            .Select(client => (double?)client.Ready["tick_s"])
            .Append((double)Settings["tick_hz"]! is > 0 and var hz ? 1 / hz : null)
            .OfType<double>()
            .Where(tick => tick > 0);

    /// <summary>The machines that it ran on.</summary>
    public MachineLoad[] Machines =>
        OneMachine
            ? [new(Cpus.Of(Clients[0], true), Clients[0], Server)]
            : [.. Clients.Append(Server).OfType<Side>().Select(side => new MachineLoad(Cpus.Of(side, false), side))];

    /// <summary>What was stolen of a machine's CPU time, of several machines the most: see MachineLoad.</summary>
    public double? Steal => Machines.Max(machine => machine.Steal);

    /// <summary>What others used of a machine's CPU time, of several machines the most: see MachineLoad.</summary>
    public double? OtherLoad(double uncharged) => Machines.Max(machine => machine.OtherLoad(uncharged));

    /// <summary>The time in which a task waited for a CPU, of several machines the most: see MachineLoad.</summary>
    public double? Pressure => Machines.Max(machine => machine.Pressure);

    /// <summary>Messages of the window that were given up, as far as the kernel dropped as many datagrams. Nothing is
    /// lost where delivery is reliable.</summary>
    public double? LostByKernel
    {
        get
        {
            if (Reliable || IsStream)
                return null;
            return OfMachines("udp_in_errors") + OfMachines("udp_sndbuf_errors") is { } dropped
                ? Math.Min(dropped, OfOutcomes("lost"))
                : null;
        }
    }

    /// <summary>The rest of those that were given up.</summary>
    public double? LostByLibrary => OfOutcomes("lost") - LostByKernel;

    /// <summary>Of a stream: the messages' bytes that the server received, in Mbit/s; null of what is
    /// answered.</summary>
    public double? GoodputMbit => IsStream ? Throughput * (double)Settings["payload_bytes"]! * 8 / 1e6 : null;

    /// <summary>Clients connected a second.</summary>
    public double? ConnectionsPerS => Sum(client => Ratio(ClientsOf(client.Share), client.ConnectS));

    /// <summary>How long the first message or call and its answer took; null in older records.</summary>
    public double? HelloS => (double?)Clients[0].Ready["hello_ns"] / 1e9;

    /// <summary>How long closing all connections took, in s.</summary>
    public double? DisconnectS =>
        Clients.Any(client => client.DisconnectS == null) ? null : Clients.Max(client => client.DisconnectS);

    public bool NotWarm => (bool)Record["not_warm"]!;

    /// <summary>True where a window ended before its time.</summary>
    public bool StoppedEarly =>
        !Clients.All(client => WindowTime.IsWhole(client.ElapsedS, (double)Settings["seconds"]!));

    public IEnumerable<string> Versions =>
        Clients.Select(client => $"{client.Ready["library_version"]} {client.Ready["library_sha256"]}");

    /// <summary>How many of all clients a machine has; share: its place from 0.</summary>
    public long ClientsOf(long share)
    {
        var clients = (long)Settings["clients"]!;
        return clients * (share + 1) / ClientMachines - clients * share / ClientMachines;
    }

    /// <summary>What one client machine alone measured in this launch.</summary>
    public Launch OfMachine(long share) =>
        this with
        {
            Clients = [.. Clients.Where(client => client.Share == share)],
            Server = null,
            Rounds = null,
        };

    /// <summary>What became of the messages due in the window, over all machines.</summary>
    public double OfOutcomes(string field) => Clients.Sum(client => client.OfOutcomes(field));

    /// <summary>Null where there is no whole to hold the part against.</summary>
    public static double? Ratio(double? part, double? whole) =>
        whole > 0 && part / whole is { } ratio && double.IsFinite(ratio) ? ratio : null;

    double? Completed => IsStream ? Server?.Of("streamed") : OfOutcomes("completed");
    string ReceivedField => IsStream ? "streamed" : "received";

    // Of whom messages come to in the end.
    double? SumOfReceivers(Func<Side, double?> figure)
    {
        if (!IsStream)
            return Sum(figure);
        return Server == null ? null : figure(Server);
    }

    // Null where it is missing of one machine, which LINQ's Sum would take for 0.
    double? Sum(Func<Side, double?> figure) => Clients.Aggregate((double?)0, (sum, client) => sum + figure(client));

    // A counter of the whole machine, which on one machine both sides read.
    double? OfMachines(string field) =>
        OneMachine ? Clients[0].OfOutside(field) : Sum(client => client.OfOutside(field)) + Server?.OfOutside(field);

    double? ClientCpu(string field)
    {
        var messages = IsStream
            ? Server?.OfRates("streamed")
            : Clients.Sum(client => (double)client.Rates["outcomes"]!["completed"]!);
        return Ratio(Clients.Sum(client => client.OfRates(field)) / 1e3, messages);
    }

    double? ServerCpu(string field) =>
        Server == null ? null : Ratio(Server.OfRates(field) / 1e3, Server.OfRates(ReceivedField));

    double? AMessage(Func<Side, double?> figure) => Ratio(Sum(figure), Completed);

    double? AMessageOfServer(Func<Side, double?> figure) =>
        Server == null ? null : Ratio(figure(Server), Server.Of(ReceivedField));

    [GeneratedRegex(@"-at-([0-9]{1,3})pct\z")]
    private static partial Regex PercentPattern();
}
