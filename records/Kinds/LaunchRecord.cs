/// <summary>By the runner, when a window was measured: the last of a run that was.</summary>
sealed record LaunchRecord : LibraryRecord
{
    /// <summary>see settings</summary>
    public required LaunchSettings Settings { get; init; }

    /// <summary>as the warm-up took, of its own running time</summary>
    public required double WarmupS { get; init; }

    /// <summary>of its whole block, from the first start to the last end</summary>
    public required double WallS { get; init; }

    /// <summary>of those that are interleaved: the same in all that had their slices in the same rounds; null: measured
    /// separately</summary>
    public required string? Block { get; init; }

    /// <summary>why it was measured separately though rounds were asked for</summary>
    public required string? SeparatelyBecause { get; init; }

    /// <summary>see rounds; null of those measured separately</summary>
    public required RoundsPart? Rounds { get; init; }

    /// <summary>the warm-up ended unsteady or short of its round trips</summary>
    public required bool NotWarm { get; init; }

    /// <summary>see link; null: server and clients met as they are</summary>
    public required LinkPart? Link { get; init; }

    /// <summary>see trouble; null: no clients stalled or left</summary>
    public required TroublePart? Trouble { get; init; }
}

/// <summary>Part of `launch`: what became of the clients that made trouble, who are in a process of their own and not
/// in any other figure.</summary>
sealed record TroublePart
{
    /// <summary>how often a client left in the window, in order to join again</summary>
    public required long Leaves { get; init; }

    /// <summary>how long it took each from the command to join until its first message was answered</summary>
    public required long[] JoinNs { get; init; }

    /// <summary>why the process of the stalled clients ended; null: their connections held</summary>
    public required string? StalledEnded { get; init; }
}

/// <summary>Part of `launch`: lists with an entry a round, in their order; the clients' figures are of all their
/// machines.</summary>
sealed record RoundsPart
{
    /// <summary>since the block began</summary>
    public required long[] StartedMs { get; init; }

    /// <summary>from going on to standing still again</summary>
    public required long[] SpentMs { get; init; }

    /// <summary>when its slice came within the round, from 0</summary>
    public required long[] Place { get; init; }

    /// <summary>of the slice</summary>
    public required long[] ElapsedNs { get; init; }

    /// <summary>of the slice</summary>
    public required long[] Completed { get; init; }

    /// <summary>given up in the slice or at the rest after it</summary>
    public required long[] Lost { get; init; }

    /// <summary>user and system, of the slice</summary>
    public required long[] ClientCpuNs { get; init; }

    /// <summary>user and system, of the slice</summary>
    public required long[] ServerCpuNs { get; init; }

    /// <summary>how long a line of the cache took from one CPU to the other and back just after it, 0 where they were
    /// not free; null unless all ran on just two CPUs of one machine. A hypervisor moves those, and between distant
    /// ones a message costs more, of one library 7 % and of another 50 %</summary>
    public required long[]? CpuToCpuNs { get; init; }
}

/// <summary>Part of `launch`: what the link between its sides was. Lists of the probes have one entry of before the
/// launch and one of after it, by plain UDP at 1,000 datagrams/s for half a second; the others one of the window to the
/// server and one to the clients.</summary>
sealed record LinkPart
{
    /// <summary>`tun`: two TUN devices and a process between them; `netem`: the kernel's</summary>
    [OneOf("tun", "netem")]
    public required string Emulator { get; init; }

    /// <summary>longest IP packet</summary>
    public required long MtuBytes { get; init; }

    /// <summary>that may wait for the rate; null: a link without a rate</summary>
    public required long? QueueBytes { get; init; }

    /// <summary>the CPU that the emulator's process has to itself; null: it shares those of server and clients, or it
    /// is netem, whose work is the kernel's</summary>
    public required long? Cpu { get; init; }

    /// <summary>of the emulator's process, in the window; netem's work is the kernel's and not in it</summary>
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

    /// <summary>IP packets that came to it</summary>
    public required long[] Packets { get; init; }

    /// <summary>their bytes</summary>
    public required long[] Bytes { get; init; }

    /// <summary>of these packets, lost by chance</summary>
    public required long[] Lost { get; init; }

    /// <summary>of these packets, lost for want of room in its queue</summary>
    public required long[] Dropped { get; init; }

    /// <summary>how late it let packets go; empty: the kernel does not say</summary>
    public required long[] LateP99Us { get; init; }
}
