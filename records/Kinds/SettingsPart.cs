/// <summary>Part of `launch` and `error`: every effective flag of the run.</summary>
sealed record SettingsPart
{
    /// <summary>name of the run</summary>
    public required string RunId { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = "echo")]
    public required string Work { get; init; }

    /// <summary>as the flag</summary>
    [OneOf("reliable-ordered", "reliable-unordered", "unreliable")]
    public required string Delivery { get; init; }

    /// <summary>over all client machines; of n the i-th has the clients from clients x i / n on</summary>
    public required long Clients { get; init; }

    /// <summary>as the flag</summary>
    public required long Parallel { get; init; }

    /// <summary>as the flag</summary>
    public required long PayloadBytes { get; init; }

    /// <summary>as the flag</summary>
    public required string Payload { get; init; }

    /// <summary>0: closed loop</summary>
    public required long Rate { get; init; }

    /// <summary>as the flag</summary>
    public required long TickHz { get; init; }

    /// <summary>as the flag</summary>
    public required long ClientThreads { get; init; }

    /// <summary>as the flag</summary>
    public required string Address { get; init; }

    /// <summary>as the flag</summary>
    public required long Port { get; init; }

    /// <summary>as the flag</summary>
    public required long Seed { get; init; }

    /// <summary>as the flag</summary>
    public required string Profile { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = "default")]
    public required string Variant { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = "none")]
    public required string Security { get; init; }

    /// <summary>as the flag</summary>
    public required long ClientMachines { get; init; }

    /// <summary>as the flag</summary>
    public required double WarmupSeconds { get; init; }

    /// <summary>as the flag</summary>
    public required double Seconds { get; init; }

    /// <summary>as the flag</summary>
    public required string ServerCpus { get; init; }

    /// <summary>as the flag</summary>
    public required string ClientCpus { get; init; }

    /// <summary>as the flag</summary>
    public required long Rounds { get; init; }

    /// <summary>as the flag</summary>
    public required long SliceMs { get; init; }

    /// <summary>as the flag</summary>
    public required long SettleMs { get; init; }

    /// <summary>as the flag</summary>
    public required long OrderSeed { get; init; }

    /// <summary>the CPUs were kept awake</summary>
    public required bool Awake { get; init; }

    /// <summary>both sides wrote a .nettrace, which slows them</summary>
    public required bool Trace { get; init; }

    /// <summary>of the link; null: none</summary>
    [Since(7)]
    public required double? RttMs { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    public required double JitterMs { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    public required double LossPercent { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 1L)]
    public required long LossBurstPackets { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    public required double RateMbit { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = "bdp")]
    public required string Queue { get; init; }
}
