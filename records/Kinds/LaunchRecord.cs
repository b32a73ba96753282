/// <summary>The runner writes it last, when a window was measured.</summary>
sealed record LaunchRecord : LibraryRecord
{
    /// <summary>every effective flag: see [settings](#settings)</summary>
    public required LaunchSettings Settings { get; init; }

    /// <summary>length of the warm-up, in the library's own running time</summary>
    public required double WarmupS { get; init; }

    /// <summary>length of its whole block, from the first start to the last end</summary>
    public required double WallS { get; init; }

    /// <summary>the same in all libraries that had their slices in the same rounds; null: measured separately</summary>
    public required string? Block { get; init; }

    /// <summary>why it was measured separately though rounds were asked for</summary>
    public required string? SeparatelyBecause { get; init; }

    /// <summary>see [rounds](#rounds); null: measured separately</summary>
    public required RoundsPart? Rounds { get; init; }

    /// <summary>the warm-up ended unsteady or short of its round trips</summary>
    public required bool NotWarm { get; init; }

    /// <summary>see [link](#link); null: server and clients met as they are</summary>
    public required LinkPart? Link { get; init; }

    /// <summary>see [trouble](#trouble); null: no clients stalled or left</summary>
    public required TroublePart? Trouble { get; init; }
}

/// <summary>Part of `launch`: what became of clients that stalled or that left and joined again. They are in no other
/// figure.</summary>
sealed record TroublePart
{
    /// <summary>how often a client left in the window</summary>
    public required long Leaves { get; init; }

    /// <summary>how long each took from the command to join until its first message was answered</summary>
    public required long[] JoinNs { get; init; }

    /// <summary>why the process of the stalled clients ended; null: their connections held</summary>
    public required string? StalledEnded { get; init; }
}

/// <summary>Part of `launch`: lists with one entry per round, in their order. Clients' figures are of all
/// machines.</summary>
sealed record RoundsPart
{
    /// <summary>when it began, since the block did</summary>
    public required long[] StartedMs { get; init; }

    /// <summary>time from going on to standing still again</summary>
    public required long[] SpentMs { get; init; }

    /// <summary>which slice of the round it was, from 0</summary>
    public required long[] Place { get; init; }

    /// <summary>of the slice</summary>
    public required long[] ElapsedNs { get; init; }

    /// <summary>of the slice</summary>
    public required long[] Completed { get; init; }

    /// <summary>given up in the slice or at the rest after it; may be below 0, as `unanswered`</summary>
    public required long[] Lost { get; init; }

    /// <summary>user and system time, of the slice</summary>
    public required long[] ClientCpuNs { get; init; }

    /// <summary>user and system time, of the slice</summary>
    public required long[] ServerCpuNs { get; init; }

    /// <summary>how long a cache line took from one CPU to the other and back just after it, 0 where they were not
    /// free; null unless all ran on just two CPUs of one machine. Between distant CPUs a message costs more, of one
    /// library 7 %, of another 50 %</summary>
    public required long[]? CpuToCpuNs { get; init; }
}

/// <summary>Part of `launch`: what the link between its sides was. Lists of probes, by plain UDP at 1,000 datagrams/s
/// for half a second, have one entry from before the launch and one from after it. The other lists have one of the
/// window to the server and one to the clients.</summary>
sealed record LinkPart
{
    /// <summary>`tun`: two TUN devices and a process between them; `netem`: the kernel's</summary>
    [OneOf("tun", "netem")]
    public required string Emulator { get; init; }

    /// <summary>longest IP packet</summary>
    public required long MtuBytes { get; init; }

    /// <summary>bytes that may wait for the rate; null: a link without a rate</summary>
    public required long? QueueBytes { get; init; }

    /// <summary>the CPU that the emulator's process has to itself; null: it shares CPUs, or it is netem</summary>
    public required long? Cpu { get; init; }

    /// <summary>CPU time of the emulator's process in the window, for netem without the kernel's</summary>
    public required double CpuS { get; init; }

    /// <summary>datagrams of the probes</summary>
    public required long[] ProbeSent { get; init; }

    /// <summary>of these, not answered</summary>
    public required long[] ProbeLost { get; init; }

    /// <summary>round trips of the probes</summary>
    public required long[] ProbeRttP50Us { get; init; }

    /// <summary>round trips of the probes</summary>
    public required long[] ProbeRttP99Us { get; init; }

    /// <summary>kbit/s that arrived of 1.3 times the link's rate; empty without one or if too high to probe</summary>
    public required long[] ProbeRateKbit { get; init; }

    /// <summary>what came to it: IP packets, and their bytes</summary>
    public required long[] Packets { get; init; }

    /// <summary>what came to it: IP packets, and their bytes</summary>
    public required long[] Bytes { get; init; }

    /// <summary>of these packets, lost by chance, and dropped for want of room in its queue</summary>
    public required long[] Lost { get; init; }

    /// <summary>of these packets, lost by chance, and dropped for want of room in its queue</summary>
    public required long[] Dropped { get; init; }

    /// <summary>how late it let packets go; empty: the kernel does not say</summary>
    public required long[] LateP99Us { get; init; }
}
