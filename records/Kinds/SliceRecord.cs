/// <summary>What a side did and spent in one phase.</summary>
sealed record SliceRecord : LibraryRecord
{
    /// <summary>`server` or `client`</summary>
    [OneOf("server", "client")]
    public required string Side { get; init; }

    /// <summary>as in ready</summary>
    [ByRunner]
    [Merges(Merge.Last)]
    public required long? ClientMachine { get; init; }

    /// <summary>`connected`, `warmup`, `rounds`, `window`, `other` or `end`</summary>
    [ByRunner]
    [OneOf("connected", "warmup", "rounds", "window", "other", "end")]
    public required string Phase { get; init; }

    /// <summary>its number among those of its side, from 0</summary>
    [Merges(Merge.Last)]
    public required long Slice { get; init; }

    /// <summary>by the clock of the side</summary>
    [Merges(Merge.Sum)]
    public required long ElapsedNs { get; init; }

    /// <summary>messages: of clients due in it and sent, of a server answers handed to the library</summary>
    [Merges(Merge.Sum)]
    public required long Sent { get; init; }

    /// <summary>of a client: of these, answered; of a server: all that came</summary>
    [Merges(Merge.Sum)]
    public required long Received { get; init; }

    /// <summary>messages of a stream: of a client handed to the library, of a server received whole and for the first
    /// time</summary>
    [Merges(Merge.Sum)]
    public required long Streamed { get; init; }

    /// <summary>of a stream's messages, or a game's inputs, at a server: changed</summary>
    [Merges(Merge.Sum)]
    public required long StreamCorrupt { get; init; }

    /// <summary>the same: among the last 64 of its client, and there before</summary>
    [Merges(Merge.Sum)]
    public required long StreamRepeated { get; init; }

    /// <summary>the same: behind a later one; these are in `streamed` or, of inputs, in `received`</summary>
    [Merges(Merge.Sum)]
    public required long StreamDisordered { get; init; }

    /// <summary>of a game's server: ticks that it made</summary>
    [Merges(Merge.Sum)]
    public required long Ticks { get; init; }

    /// <summary>of these, begun over a tenth of their period after their turn</summary>
    [Merges(Merge.Sum)]
    public required long TicksLate { get; init; }

    /// <summary>ticks that it did not make, as the next one was due; of one that stood still before its slice these are
    /// in `other`</summary>
    [Merges(Merge.Sum)]
    public required long TicksMissed { get; init; }

    /// <summary>of this process</summary>
    [Merges(Merge.Sum)]
    public required long CpuUserNs { get; init; }

    /// <summary>of this process</summary>
    [Merges(Merge.Sum)]
    public required long CpuSystemNs { get; init; }

    /// <summary>for how long collections stopped it</summary>
    [Merges(Merge.Sum)]
    public required long GcPauseNs { get; init; }

    /// <summary>managed memory</summary>
    [Merges(Merge.Sum)]
    public required long AllocatedBytes { get; init; }

    /// <summary>resident memory when it ended</summary>
    [Merges(Merge.Last)]
    public required long RssBytes { get; init; }

    /// <summary>by .NET's compiler, each tier for itself</summary>
    [Merges(Merge.Sum)]
    public required long CompiledMethods { get; init; }

    /// <summary>see outcomes; null of a server</summary>
    public required OutcomesPart? Outcomes { get; init; }

    /// <summary>see outside; null but of a window</summary>
    [ByRunner]
    public required OutsidePart? Outside { get; init; }

    /// <summary>True of a server's.</summary>
    internal bool IsOfServer => Side == "server";
}

/// <summary>Part of a client's `slice`: what became of the messages due in it, and what came in it.</summary>
sealed record OutcomesPart
{
    /// <summary>given up: without an answer for 1 s, over a link for 4 round trips and 0.2 s, of calls for 10
    /// s</summary>
    [Merges(Merge.Sum)]
    public required long Lost { get; init; }

    /// <summary>came back changed</summary>
    [Merges(Merge.Sum)]
    public required long Corrupt { get; init; }

    /// <summary>calls: the library says so</summary>
    [Merges(Merge.Sum)]
    public required long Failed { get; init; }

    /// <summary>how many calls ended in each failure of the slice and those before it, by the library's word for it
    /// </summary>
    [Merges(Merge.Sum)]
    public required Dictionary<string, long> Failures { get; init; }

    /// <summary>in flight when this was written</summary>
    [Merges(Merge.Sum)]
    public required long Unanswered { get; init; }

    /// <summary>answers that came in it, whenever they were due</summary>
    [Merges(Merge.Sum)]
    public required long Completed { get; init; }

    /// <summary>answers to messages given up before</summary>
    [Merges(Merge.Sum)]
    public required long LateArrivals { get; init; }

    /// <summary>answers to messages answered before, or given up before another one of their slot was</summary>
    [Merges(Merge.Sum)]
    public required long Duplicates { get; init; }

    /// <summary>arrivals that are no message of this connection</summary>
    [Merges(Merge.Sum)]
    public required long Foreign { get; init; }

    /// <summary>at a rate: due, but the message before it in its slot was still in flight</summary>
    [Merges(Merge.Sum)]
    public required long NotSent { get; init; }

    /// <summary>exact</summary>
    [Merges(Merge.Sum)]
    public required long RttSumNs { get; init; }

    /// <summary>filled buckets [lower bound in ns, count], ascending; width 1 ns below 128 ns, else
    /// 2^(floor(log2(lower)) - 6)</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> RttNs { get; init; }

    /// <summary>at a rate: time of sending less due time, as rtt_ns; empty in a closed loop</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> SendLagNs { get; init; }

    /// <summary>in rooms what should come to clients: of a broadcast of the messages due in it one for each of the
    /// room, the sender too; of a game the snapshots of the ticks that the server made, as the next snapshot
    /// tells</summary>
    [Merges(Merge.Sum)]
    public required long DeliveriesDue { get; init; }

    /// <summary>of these, came</summary>
    [Merges(Merge.Sum)]
    public required long Deliveries { get; init; }

    /// <summary>of a broadcast: from when a message was due until one client had it, as rtt_ns; of a game: how much the
    /// time between two snapshots differed from the plan</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> DeliveryNs { get; init; }

    /// <summary>Messages that got no sound answer.</summary>
    internal long WithoutAnswer => Lost + Corrupt + Failed + Unanswered;
}

/// <summary>A filled bucket of a histogram: its lower bound in ns, and how many times fell into it.</summary>
readonly record struct Bucket(long Lower, long Count);

/// <summary>Part of a window's `slice`: what the runner read on the side's machine just before and just after. The
/// counters of UDP, the interface and the machine are the whole machine's, so on one machine both sides hold about the
/// same; null where the system does not tell.</summary>
sealed record OutsidePart
{
    /// <summary>between the two readings</summary>
    [Merges(Merge.Sum)]
    public required double ElapsedS { get; init; }

    /// <summary>of the side's thread that took most</summary>
    [Merges(Merge.Sum)]
    public required double? CpuBusiestThreadS { get; init; }

    /// <summary>highest of the side since it started</summary>
    [Merges(Merge.Greatest)]
    public required long? RssPeakBytes { get; init; }

    /// <summary>of the side</summary>
    [Merges(Merge.Greatest)]
    public required long? Threads { get; init; }

    /// <summary>of its threads</summary>
    [Merges(Merge.Sum)]
    public required long? ContextSwitches { get; init; }

    /// <summary>most that waited in a server's UDP sockets, by the kernel's count twice per second; null of clients, of
    /// TCP, of ports other than `--port` and above 1,000 clients</summary>
    [Merges(Merge.Greatest)]
    public required long? ReceiveQueuePeakBytes { get; init; }

    /// <summary>datagrams dropped by the kernel</summary>
    [Merges(Merge.Sum)]
    public required long? UdpInErrors { get; init; }

    /// <summary>of these, for want of room in a receive buffer</summary>
    [Merges(Merge.Sum)]
    public required long? UdpRcvbufErrors { get; init; }

    /// <summary>datagrams dropped by the kernel when sending</summary>
    [Merges(Merge.Sum)]
    public required long? UdpSndbufErrors { get; init; }

    /// <summary>that the kernel sent again</summary>
    [Merges(Merge.Sum)]
    public required long? TcpRetransmittedSegments { get; init; }

    /// <summary>that the traffic takes, such as lo</summary>
    [Merges(Merge.Last)]
    public required string? Interface { get; init; }

    /// <summary>on that interface, headers included; over loopback both directions are sent</summary>
    [Merges(Merge.Sum)]
    public required long? InterfaceSentBytes { get; init; }

    /// <summary>on that interface; over loopback both directions are sent</summary>
    [Merges(Merge.Sum)]
    public required long? InterfaceSentPackets { get; init; }

    /// <summary>CPU time of the whole machine in use</summary>
    [Merges(Merge.Sum)]
    public required double? MachineCpuS { get; init; }

    /// <summary>CPU time that the hypervisor gave to others</summary>
    [Merges(Merge.Sum)]
    public required double? MachineStealS { get; init; }

    /// <summary>time in which some task waited for a CPU (PSI)</summary>
    [Merges(Merge.Sum)]
    public required double? CpuPressureS { get; init; }

    /// <summary>periods of the CPU quota of the side's control group; null: it has none</summary>
    [Merges(Merge.Sum)]
    public required long? CpuQuotaPeriods { get; init; }

    /// <summary>of these, those in which the group was held back</summary>
    [Merges(Merge.Sum)]
    public required long? CpuThrottledPeriods { get; init; }

    /// <summary>time for which the machine slept</summary>
    [Merges(Merge.Sum)]
    public required double? SuspendedS { get; init; }

    /// <summary>wall clock less Stopwatch and sleep: how far the wall clock was set</summary>
    [Merges(Merge.Sum)]
    public required double ClockJumpS { get; init; }
}
