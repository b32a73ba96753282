using System.Text.RegularExpressions;

/// <summary>One launch that measured: the clients of each of its machines and, where its records are there,
/// its server. Figures are over all machines, of the window, and null where a fact is missing.</summary>
sealed partial record Launch(LaunchRecord Record, Side[] Clients, Side? Server, Cpus Cpus, bool RunIdRepeats)
{
    LaunchSettings Settings => Record.Settings;

    /// <summary>Those in which it had its turns; null where it was measured separately.</summary>
    public Rounds? Rounds { get; init; } = Rounds.Of(Record);

    long ClientMachines => Math.Max(1, Settings.ClientMachines); // whatever a record says

    /// <summary>True where both sides share a machine. Over loopback both directions of all traffic are counted
    /// once then, in either side's slice.</summary>
    public bool OneMachine => Cpus.AreShared(ClientMachines);

    public bool Reliable => Settings.Delivery != "unreliable";

    /// <summary>Messages/s over all clients that were asked for; 0 in a closed loop.</summary>
    public long Rate => Settings.Rate;

    /// <summary>The part of the capacity in % that it was planned at; null where its id names none.</summary>
    public int? PercentOfCapacity =>
        PercentPattern().Match(Record.RunId) is { Success: true } percent
            ? int.Parse(percent.Groups[1].Value)
            : null;

    /// <summary>Messages in flight, over all clients.</summary>
    public double Slots => Settings.Slots;

    /// <summary>Messages answered per second, or of a stream received: median of the rounds, or measured separately in
    /// the window.</summary>
    public double? Throughput =>
        Rounds != null ? Statistic.Of(Rounds.Rates.Cast<double?>())?.Median : AsAllowed(side => side.Throughput);

    /// <summary>In the window, however it was measured.</summary>
    public double? WindowThroughput => AsAllowed(side => side.WindowThroughput);

    /// <summary>Mean of the messages that were in flight in the window. Those that waited for the client to send them
    /// were not.</summary>
    public double? InFlight => Sum(client => client.InFlight);

    /// <summary>How long a round trip takes by them, in s, where that is longer than the window; else null.</summary>
    public double? RoundTripBeyondWindowS =>
        InFlight / WindowThroughput is { } roundTripS && roundTripS > Clients.Max(client => client.ElapsedS)
            ? roundTripS
            : null;

    /// <summary>How its messages are counted.</summary>
    public Counting Counting { get; } = Counting.Of(Works.Of(Record.Settings.Work));

    /// <summary>How long the round trips of the messages due in the window took.</summary>
    public Histogram RoundTrips => new(Clients.SelectMany(client => client.Outcomes.RttNs));

    /// <summary>How late these messages were sent, at a given rate.</summary>
    public Histogram SendLag => new(Clients.SelectMany(client => client.Outcomes.SendLagNs));

    public double? MeanRoundTripS =>
        Ratio(OfOutcomes(outcomes => outcomes.RttSumNs) / 1e9, Clients.Sum(client => client.RoundTrips));

    /// <summary>Messages due in the window; of a stream those of all phases, as what is on the way when a window ends
    /// is not lost.</summary>
    public double Sent => Counting.Sent(this);

    /// <summary>Of these, without a sound answer.</summary>
    public double Lost => Counting.Lost(this);

    /// <summary>Messages due in the window that were never sent.</summary>
    public double NotSent => OfOutcomes(outcomes => outcomes.NotSent);

    // CPU time is that a message, of all rounds or, measured separately, of the window.

    /// <summary>The clients' user and system time per message, in µs.</summary>
    public double? ClientCpuUs => ClientUserUs + ClientSystemUs;

    /// <summary>The clients' user time per message, in µs.</summary>
    public double? ClientUserUs => ClientCpu(slice => slice.CpuUserNs);

    /// <summary>The clients' system time per message, in µs.</summary>
    public double? ClientSystemUs => ClientCpu(slice => slice.CpuSystemNs);

    /// <summary>User and system time of both sides per message, in µs.</summary>
    public double? BothCpuUs => ClientCpuUs + ServerCpuUs;

    /// <summary>The server's user and system time per message that it received, in µs.</summary>
    public double? ServerCpuUs => ServerUserUs + ServerSystemUs;

    /// <summary>The server's user time per message that it received, in µs.</summary>
    public double? ServerUserUs => ServerCpu(slice => slice.CpuUserNs);

    /// <summary>The server's system time per message that it received, in µs.</summary>
    public double? ServerSystemUs => ServerCpu(slice => slice.CpuSystemNs);

    /// <summary>Managed bytes per message.</summary>
    public double? ClientAllocatedBytes => AMessage(client => client.Window.AllocatedBytes);

    public double? ServerAllocatedBytes => AMessageOfServer(server => server.Window.AllocatedBytes);

    /// <summary>Managed bytes per message of both sides.</summary>
    public double? BothAllocatedBytes => ClientAllocatedBytes + ServerAllocatedBytes;

    /// <summary>Context switches per message.</summary>
    public double? ClientSwitches => AMessage(client => client.Outside?.ContextSwitches);

    public double? ServerSwitches => AMessageOfServer(server => server.Outside?.ContextSwitches);

    /// <summary>On the interface or the link a message that was answered, both directions together.</summary>
    public double? WireBytes => Ratio(Link?.Bytes ?? OfMachines(outside => outside.InterfaceSentBytes), Completed);

    public double? WirePackets =>
        Ratio(Link?.Packets ?? OfMachines(outside => outside.InterfaceSentPackets), Completed);

    /// <summary>TCP segments that either side's kernel sent again, a message that was answered.</summary>
    public double? TcpRetransmits =>
        Ratio(
            Clients[0].Outside?.TcpRetransmittedSegments + Server?.Outside?.TcpRetransmittedSegments,
            Completed
        );

    /// <summary>The link between its sides; null: they met as they are.</summary>
    public MeasuredLink? Link => MeasuredLink.Of(Record);

    /// <summary>Of the messages sent in the window, in %, those whose answer came within one round trip of the link +
    /// 50 ms.</summary>
    public double? OnTimePercent =>
        Link is not { } link || Sent == 0
            ? null
            : 100 * RoundTrips.CountUpTo((long)(1e6 * (link.Asked.RttMs + MeasuredLink.OnTimeMs))) / Sent;

    /// <summary>The clients' resident memory at the window's end.</summary>
    public double? ClientRssBytes => Sum(client => client.RssBytes);

    /// <summary>The server's resident memory at the window's end.</summary>
    public double? ServerRssBytes => Server?.RssBytes;

    /// <summary>The clients' resident memory when all were connected and nothing was sent.</summary>
    public double? ClientConnectedBytes => Sum(client => client.ConnectedRssBytes);

    /// <summary>The most resident memory that the clients had.</summary>
    public double? ClientPeakBytes => Sum(client => client.Outside?.RssPeakBytes);

    /// <summary>How busy a side was, see Side; of several client machines the busiest.</summary>
    public double? ClientBusy => Clients.Max(client => client.Busy);

    public double? ServerBusy => Server?.Busy;

    /// <summary>Share of the CPUs of a machine that both sides share, whoever used it, with what was stolen.</summary>
    public double? MachineBusy =>
        !OneMachine
            ? null
            : Ratio(
                Clients[0].Outside?.MachineCpuS + Clients[0].Outside?.MachineStealS,
                Cpus.Of(Clients[0], true) * Clients[0].Outside?.ElapsedS
            );

    /// <summary>Periods with which the library or either side acts, in s.</summary>
    public IEnumerable<double> TicksS =>
        Clients
            .Select(client => client.Ready.TickS)
            .Append(Settings.Work == Works.Game ? 1.0 / Settings.TickHz : null)
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
            if (Reliable || !Counting.HasRoundTrips)
                return null;
            return OfMachines(outside => outside.UdpInErrors + outside.UdpSndbufErrors) is { } dropped
                ? Math.Min(dropped, GivenUp)
                : null;
        }
    }

    /// <summary>The rest of those that were given up.</summary>
    public double? LostByLibrary => GivenUp - LostByKernel;

    /// <summary>Of a stream: the messages' bytes that the server received, in Mbit/s; null of what is
    /// answered.</summary>
    public double? GoodputMbit => Counting.GoodputMbit(Throughput, Settings.PayloadBytes);

    /// <summary>Clients connected a second.</summary>
    public double? ConnectionsPerS => Sum(client => Ratio(ClientsOf(client.Share), client.ConnectS));

    public bool NotWarm => Record.NotWarm;

    /// <summary>True where a window ended before its time.</summary>
    public bool StoppedEarly =>
        !Clients.All(client => WindowTime.IsWhole(client.ElapsedS, Settings.Seconds));

    public IEnumerable<string> Versions =>
        Clients.Select(client => $"{client.Ready.LibraryVersion} {client.Ready.LibrarySha256}");

    /// <summary>How many of all clients a machine has; share: its place from 0.</summary>
    public long ClientsOf(long share) => Settings.FirstClientOf(share + 1) - Settings.FirstClientOf(share);

    /// <summary>What one client machine alone measured in this launch.</summary>
    public Launch OfMachine(long share) =>
        this with
        {
            Clients = [.. Clients.Where(client => client.Share == share)],
            Server = null,
            Rounds = null,
        };

    /// <summary>What became of the messages due in the window, over all machines.</summary>
    public double OfOutcomes(Func<OutcomesPart, long> count) =>
        Clients.Sum(client => (double)count(client.Outcomes));

    /// <summary>Null where there is no whole to hold the part against.</summary>
    public static double? Ratio(double? part, double? whole) =>
        whole > 0 && part / whole is { } ratio && double.IsFinite(ratio) ? ratio : null;

    double GivenUp => OfOutcomes(outcomes => outcomes.Lost);

    double? AsAllowed(Func<Side, double?> rate) =>
        Arrivals.AsRoundTripsAllow(SumOfReceivers(rate), Record.Settings, Clients.Select(client => client.Window));

    double? Completed => SumOfReceivers(side => Arrivals.To(side.Window));

    // Of whom messages come to in the end.
    double? SumOfReceivers(Func<Side, double?> figure) =>
        Counting.Receivers(this) is { } receivers ? Sum(receivers, figure) : null;

    double? Sum(Func<Side, double?> figure) => Sum(Clients, figure);

    // Null where it is missing of one side, which LINQ's Sum would take for 0.
    static double? Sum(Side[] sides, Func<Side, double?> figure) =>
        sides.Aggregate((double?)0, (sum, side) => sum + figure(side));

    // A counter of the whole machine, which on one machine both sides read.
    double? OfMachines(Func<OutsidePart, double?> counter)
    {
        double? Of(Side? side) => side?.Outside is { } outside ? counter(outside) : null;
        return OneMachine ? Of(Clients[0]) : Sum(Of) + Of(Server);
    }

    double? ClientCpu(Func<SliceRecord, long> cpuNs)
    {
        var messages = SumOfReceivers(side => Arrivals.To(side.Rates));
        return Ratio(Clients.Sum(client => (double)cpuNs(client.Rates)) / 1e3, messages);
    }

    double? ServerCpu(Func<SliceRecord, long> cpuNs) =>
        Server == null ? null : Ratio(cpuNs(Server.Rates) / 1e3, Counting.ReceivedByServer(Server.Rates));

    double? AMessage(Func<Side, double?> figure) => Ratio(Sum(figure), Completed);

    double? AMessageOfServer(Func<Side, double?> figure) =>
        Server == null ? null : Ratio(figure(Server), Counting.ReceivedByServer(Server.Window));

    [GeneratedRegex(@"-at-([0-9]{1,3})pct\z")]
    private static partial Regex PercentPattern();
}
