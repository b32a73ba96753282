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

    /// <summary>its length, by the clock of the side</summary>
    [Merges(Merge.Sum)]
    public required long ElapsedNs { get; init; }

    /// <summary>messages: of clients those due in it and sent, of a server the answers that it handed to the
    /// library</summary>
    [Merges(Merge.Sum)]
    public required long Sent { get; init; }

    /// <summary>of a client: those of `sent` that were answered; of a server: all that came</summary>
    [Merges(Merge.Sum)]
    public required long Received { get; init; }

    /// <summary>messages of a stream: of a client those handed to the library, of a server those received whole and for
    /// the first time</summary>
    [Merges(Merge.Sum)]
    public required long Streamed { get; init; }

    /// <summary>at a server: messages of a stream, or inputs of a game, that were changed</summary>
    [Merges(Merge.Sum)]
    public required long StreamCorrupt { get; init; }

    /// <summary>likewise: those among the last 64 of their client that had come before</summary>
    [Merges(Merge.Sum)]
    public required long StreamRepeated { get; init; }

    /// <summary>likewise: those behind a later one; they are also in `streamed` or, of inputs, in `received`</summary>
    [Merges(Merge.Sum)]
    public required long StreamDisordered { get; init; }

    /// <summary>ticks that a game's server made</summary>
    [Merges(Merge.Sum)]
    public required long Ticks { get; init; }

    /// <summary>of these, those begun over a tenth of their period late</summary>
    [Merges(Merge.Sum)]
    public required long TicksLate { get; init; }

    /// <summary>ticks not made, as the next one was due; those of a server that stood still before its slice are in
    /// `other`</summary>
    [Merges(Merge.Sum)]
    public required long TicksMissed { get; init; }

    /// <summary>CPU time of this process</summary>
    [Merges(Merge.Sum)]
    public required long CpuUserNs { get; init; }

    /// <summary>CPU time of this process</summary>
    [Merges(Merge.Sum)]
    public required long CpuSystemNs { get; init; }

    /// <summary>for how long collections stopped it</summary>
    [Merges(Merge.Sum)]
    public required long GcPauseNs { get; init; }

    /// <summary>managed memory that it allocated</summary>
    [Merges(Merge.Sum)]
    public required long AllocatedBytes { get; init; }

    /// <summary>resident memory at its end</summary>
    [Merges(Merge.Last)]
    public required long RssBytes { get; init; }

    /// <summary>methods that .NET's compiler compiled, each tier for itself</summary>
    [Merges(Merge.Sum)]
    public required long CompiledMethods { get; init; }

    /// <summary>see [outcomes](#outcomes); null of a server</summary>
    public required OutcomesPart? Outcomes { get; init; }

    /// <summary>see [outside](#outside); null but of a window</summary>
    [ByRunner]
    public required OutsidePart? Outside { get; init; }

    /// <summary>True of a server's.</summary>
    internal bool IsOfServer => Side == "server";

    /// <summary>True of a phase whose histograms are kept: of all others no figure is made.</summary>
    internal static bool KeepsTimes(string phase) => phase is not ("connected" or "warmup" or "other" or "end");
}

/// <summary>Part of a client's `slice`: what became of the messages due in it, and what came in it.</summary>
sealed record OutcomesPart
{
    /// <summary>given up without an answer in [time](#the-message)</summary>
    [Merges(Merge.Sum)]
    public required long Lost { get; init; }

    /// <summary>came back changed</summary>
    [Merges(Merge.Sum)]
    public required long Corrupt { get; init; }

    /// <summary>calls that failed, as the library says</summary>
    [Merges(Merge.Sum)]
    public required long Failed { get; init; }

    /// <summary>failed calls of this slice and those before it, by the library's word for the failure</summary>
    [Merges(Merge.Sum)]
    public required Dictionary<string, long> Failures { get; init; }

    /// <summary>in flight when this was written; below 0 where messages at a window's edge were counted as sent on one
    /// side of it and as ended on the other; the sum over all phases is never below 0</summary>
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

    /// <summary>at a rate: due, but [held back](#the-message)</summary>
    [Merges(Merge.Sum)]
    public required long NotSent { get; init; }

    /// <summary>exact sum of the round trips</summary>
    [Merges(Merge.Sum)]
    public required long RttSumNs { get; init; }

    /// <summary>round trips, in filled buckets [lower bound in ns, count], ascending; a bucket is 1 ns wide below 128
    /// ns, else 2^(floor(log2(lower)) - 6)</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> RttNs { get; init; }

    /// <summary>at a rate: time of sending less due time, as `rtt_ns`; empty in a closed loop</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> SendLagNs { get; init; }

    /// <summary>in rooms, what should come to clients: of a broadcast each message due in it, once per client of the
    /// room; of a game the snapshots of the ticks that the server made, as the next snapshot tells</summary>
    [Merges(Merge.Sum)]
    public required long DeliveriesDue { get; init; }

    /// <summary>of these, those that came</summary>
    [Merges(Merge.Sum)]
    public required long Deliveries { get; init; }

    /// <summary>as `rtt_ns`; of a broadcast: from when a message was due until a client had it; of a game: how much the
    /// time between two snapshots differed from the plan</summary>
    [Merges(Merge.Sum)]
    public required IReadOnlyList<Bucket> DeliveryNs { get; init; }

    /// <summary>Messages that got no sound answer.</summary>
    internal long WithoutAnswer => Lost + Corrupt + Failed + Unanswered;
}

/// <summary>A filled bucket of a histogram: its lower bound in ns, and how many times fell into it.</summary>
readonly record struct Bucket(long Lower, long Count);

/// <summary>Part of a window's `slice`: what the runner read on the side's machine just before and just after it. The
/// counters of UDP, interface and machine are the whole machine's; on one machine both sides hold about the same. Null:
/// the system does not tell.</summary>
sealed record OutsidePart
{
    /// <summary>time between the two readings</summary>
    [Merges(Merge.Sum)]
    public required double ElapsedS { get; init; }

    /// <summary>CPU time of the side's busiest thread</summary>
    [Merges(Merge.Sum)]
    public required double? CpuBusiestThreadS { get; init; }

    /// <summary>highest resident memory of the side since it started</summary>
    [Merges(Merge.Greatest)]
    public required long? RssPeakBytes { get; init; }

    /// <summary>of the side</summary>
    [Merges(Merge.Greatest)]
    public required long? Threads { get; init; }

    /// <summary>of the side</summary>
    [Merges(Merge.Sum)]
    public required long? ContextSwitches { get; init; }

    /// <summary>most that waited in a server's UDP sockets, read from the kernel twice per second; null of clients, of
    /// TCP, of ports other than `--port` and above 1,000 clients</summary>
    [Merges(Merge.Greatest)]
    public required long? ReceiveQueuePeakBytes { get; init; }

    /// <summary>datagrams that the kernel dropped</summary>
    [Merges(Merge.Sum)]
    public required long? UdpInErrors { get; init; }

    /// <summary>of these, for want of room in a receive buffer</summary>
    [Merges(Merge.Sum)]
    public required long? UdpRcvbufErrors { get; init; }

    /// <summary>datagrams that the kernel dropped when sending</summary>
    [Merges(Merge.Sum)]
    public required long? UdpSndbufErrors { get; init; }

    /// <summary>segments that the kernel sent again</summary>
    [Merges(Merge.Sum)]
    public required long? TcpRetransmittedSegments { get; init; }

    /// <summary>that the traffic takes, such as `lo`</summary>
    [Merges(Merge.Last)]
    public required string? Interface { get; init; }

    /// <summary>sent on that interface, headers included; over loopback in both directions</summary>
    [Merges(Merge.Sum)]
    public required long? InterfaceSentBytes { get; init; }

    /// <summary>sent on that interface, headers included; over loopback in both directions</summary>
    [Merges(Merge.Sum)]
    public required long? InterfaceSentPackets { get; init; }

    /// <summary>CPU time of the whole machine: in use, and given to others by the hypervisor</summary>
    [Merges(Merge.Sum)]
    public required double? MachineCpuS { get; init; }

    /// <summary>CPU time of the whole machine: in use, and given to others by the hypervisor</summary>
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
