using System.Runtime.CompilerServices;

/// <summary>Every effective setting of a launch, each declared by its property: a flag of `runner run`, and a field of
/// the part `settings` of the records `launch` and `error`.</summary>
sealed record LaunchSettings
{
    const int MostMs = 10_000;

    /// <summary>name of the run</summary>
    [Setting("Name of the run in every record. [default: date and time]", Default = "", Pattern = Patterns.Name)]
    public required string RunId { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = Works.Echo)]
    [OneOf(Works.Echo, Works.Stream, "sum", "get-user", "say-hello")]
    [Setting("What is done. [default: the bench's first]", Default = "", IsOfBench = true, InSweep = InSweep.List,
        SweepDefault = Works.Echo, SweepHelp = "echo; stream, one way; calls: sum, get-user, say-hello",
        IsLater = true)]
    public required string Work { get; init; }

    /// <summary>as the flag</summary>
    [OneOf("reliable-ordered", "reliable-unordered", "unreliable")]
    [Setting("Delivery mode. [default: the library's first]", Default = "", IsOfBench = true, InSweep = InSweep.List,
        SweepHelp = "reliable-ordered, reliable-unordered, unreliable", IsOfEachPreset = true, IsOfMember = true)]
    public required string Delivery { get; init; }

    /// <summary>over all client machines; of n the i-th has the clients from clients x i / n on</summary>
    [Setting("Clients, each with a connection and socket of its own.", Default = 1, Least = 1, Most = 100_000,
        IsOfBench = true, InSweep = InSweep.List, IsOfEachPreset = true)]
    public required int Clients { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Messages in flight per client.", Default = 1, Least = 1, Most = 10_000, IsOfBench = true,
        InSweep = InSweep.List, IsOfEachPreset = true)]
    public required int Parallel { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Bytes a message, header included.", Default = 32, Least = 24, Most = 262_144, IsOfBench = true,
        InSweep = InSweep.List)]
    public required int PayloadBytes { get; init; }

    /// <summary>as the flag</summary>
    [OneOf("random", "zeros", "ones")]
    [Setting("Content of the messages.", Default = "random", IsOfBench = true, InSweep = InSweep.List,
        SweepHelp = "content of the messages: random, zeros, ones", IdWord = "-", IsLater = true)]
    public required string Payload { get; init; }

    /// <summary>0: closed loop</summary>
    [Setting("Messages/s over all clients; 0: closed loop.", Default = 0, Least = 0, Most = MostRate,
        IsOfBench = true, InSweep = InSweep.List, SweepHelp = "messages/s over all clients, as in 3000; or 30/client; "
            + "or 50%, of what the closed loop makes; 0: the closed loop")]
    public required int Rate { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Polls/s of each side; 0: as messages arrive.", Default = 0, Least = 0, Most = 10_000, IsOfBench = true,
        InSweep = InSweep.List, IdWord = "-tick", IsLater = true)]
    public required int TickHz { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Threads that the clients are spread over.", Default = 1, Least = 1, Most = 1_024, IsOfBench = true,
        InSweep = InSweep.List, IdWord = "-threads", IsLater = true)]
    public required int ClientThreads { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Address that the server listens on and clients reach.", Default = "127.0.0.1",
        Pattern = Patterns.Address, IsOfBench = true)]
    public required string Address { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Port; 0: a free one.", Default = 0, Least = 0, Most = 65_535, IsOfBench = true)]
    public required int Port { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Seed of the random payload.", Default = 1, Least = 0, Most = int.MaxValue, IsOfBench = true)]
    public required int Seed { get; init; }

    /// <summary>as the flag</summary>
    [OneOf(UsualProfile, "tuned")]
    [Setting("The library as it comes, or with its knobs for this load.", Default = UsualProfile, IsOfBench = true,
        InSweep = InSweep.List, SweepHelp = "default: as the library comes; tuned: with its knobs",
        IsOfMember = true)]
    public required string Profile { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = UsualVariant)]
    [Setting("Which of the library's ways. [default: the library's first]", Default = "", Pattern = Patterns.Variant,
        IsOfBench = true, InSweep = InSweep.List, SweepDefault = SweepSettings.FirstVariant,
        SweepHelp = "of a library's ways these; or all; or first", IsOfMember = true, IsLater = true)]
    public required string Variant { get; init; }

    /// <summary>as the flag</summary>
    [Since(5, Before = NoSecurity)]
    [OneOf(NoSecurity, "tls")]
    [Setting("Whether connections are encrypted.", Default = NoSecurity, IsOfBench = true, InSweep = InSweep.List,
        SweepHelp = "none, tls", IsOfMember = true, IsLater = true)]
    public required string Security { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Machines that share the clients: as many as --client-hosts.", Default = 1, Least = 1, Most = 64,
        IsOfBench = true)]
    public required int ClientMachines { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Least warm-up; it lasts until the rate is steady.", Default = 3.0, Least = 0, Most = 3_600,
        InSweep = InSweep.One, SweepHelp = "least warm-up", IsOfEachPreset = true)]
    public required double WarmupSeconds { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Measured window; -1: until stopped.", Default = 5.0, Least = 0.1, Most = 86_400, Besides = UntilStopped,
        InSweep = InSweep.One, SweepHelp = "a long window besides; -1: until Ctrl-C", IsOfEachPreset = true)]
    public required double Seconds { get; init; }

    /// <summary>as the flag</summary>
    [Setting("CPUs of the server, as in 0,2-3.", Default = "all", Pattern = Patterns.Cpus)]
    public required string ServerCpus { get; init; }

    /// <summary>as the flag</summary>
    [Setting("CPUs of the clients.", Default = "all", Pattern = Patterns.Cpus)]
    public required string ClientCpus { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Rounds in which the libraries' slices are interleaved; 0: one after another, a window each.",
        Default = 0, Least = 0, Most = 10_000, InSweep = InSweep.One, SweepDefault = "25",
        SweepHelp = "in each of which every library has a slice", IsOfTurns = true)]
    public required int Rounds { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Least length of a slice.", Default = 80, Least = 1, Most = 1_000, InSweep = InSweep.One,
        IsOfTurns = true)]
    public required int SliceMs { get; init; }

    /// <summary>as the flag</summary>
    [Setting("For the load to settle before a slice.", Default = 30, Least = 1, Most = 1_000, InSweep = InSweep.One,
        IsOfTurns = true)]
    public required int SettleMs { get; init; }

    /// <summary>as the flag</summary>
    [Setting("Seed of the order within the rounds.", Default = 1, Least = 0, Most = int.MaxValue)]
    public required int OrderSeed { get; init; }

    /// <summary>the CPUs were kept awake</summary>
    [Setting("Keeps the CPUs from sleeping by a spinner of the idle scheduling class on each.", Default = false,
        InSweep = InSweep.One, SweepHelp = "idle CPUs are kept from sleeping")]
    public required bool Awake { get; init; }

    /// <summary>both sides wrote a .nettrace, which slows them</summary>
    [Setting("A .nettrace of each side beside --out.", Default = false, InSweep = InSweep.One,
        SweepHelp = "a .nettrace of each side beside the results")]
    public required bool Trace { get; init; }

    /// <summary>of the link; null: none</summary>
    [Since(7, IsNullBefore = true)]
    [Setting("Round trip of an emulated link between server and clients. [default: none]", Least = 0, Most = MostMs,
        IsOfLink = true, InSweep = InSweep.List, SweepDefault = LinkSettings.None,
        SweepHelp = "an emulated link between server and clients: its round trip; none: no link", IdWord = "-rtt",
        IsLater = true)]
    public required double? RttMs { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    [Setting("By which its round trips vary.", Default = 0.0, Least = 0, Most = MostMs, IsOfLink = true,
        InSweep = InSweep.List, IdWord = "-jitter", IsLater = true)]
    public required double JitterMs { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    [Setting("Of the packets of each direction of it that are lost.", Default = 0.0, Least = 0, Most = 90,
        IsOfLink = true, InSweep = InSweep.List, IdWord = "-loss", IsLater = true)]
    public required double LossPercent { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 1L)]
    [Setting("Mean length of the bursts in which it loses them.", Default = 1, Least = 1, Most = 1_000,
        IsOfLink = true, InSweep = InSweep.List, IdWord = "x", IsLater = true)]
    public required int LossBurstPackets { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = 0.0)]
    [Setting("Mbit/s of each direction of it; 0: as fast as this machine is.", Default = 0.0, Least = 0,
        Most = 100_000, IsOfLink = true, InSweep = InSweep.List, IdWord = "-mbit", IsLater = true)]
    public required double RateMbit { get; init; }

    /// <summary>of the link, as the flag</summary>
    [Since(7, Before = LinkSettings.Bdp)]
    [Setting("What may wait for the rate: 64kB; or bdp, 0.5bdp: of bandwidth x round trip.",
        Default = LinkSettings.Bdp, Pattern = LinkSettings.QueuePattern, IsOfLink = true, InSweep = InSweep.List,
        IdWord = "-queue", IsLater = true)]
    public required string Queue { get; init; }

    /// <summary>The profile of a library as it comes.</summary>
    public const string UsualProfile = "default";

    /// <summary>The name of the way of a library that has but one.</summary>
    public const string UsualVariant = "default";

    /// <summary>Connections that are not encrypted.</summary>
    public const string NoSecurity = "none";

    /// <summary>messages/s that a bench takes.</summary>
    public const int MostRate = 10_000_000;

    /// <summary>The `seconds` of a window that somebody ends.</summary>
    public const double UntilStopped = -1;

    /// <summary>Those of a launch for which nothing is said.</summary>
    internal static LaunchSettings Default { get; } = Made(setting => setting.Default);

    /// <summary>Those with such a value of each.</summary>
    internal static LaunchSettings Made(Func<Setting, object?> valueOf)
    {
        // What is required is set here, by name.
        var made = (LaunchSettings)RuntimeHelpers.GetUninitializedObject(typeof(LaunchSettings));
        foreach (Setting setting in Setting.OfLaunch)
        {
            setting.Set(made, valueOf(setting));
        }
        return made;
    }

    /// <summary>True where nothing is answered.</summary>
    internal bool IsStream => Work == Works.Stream;

    /// <summary>In-flight slots of a closed loop, over all clients.</summary>
    internal long Slots => (long)Clients * Parallel;

    /// <summary>The link between the sides; null: none.</summary>
    internal LinkSettings? Link => RttMs is { } rttMs
        ? new LinkSettings(rttMs, JitterMs, LossPercent, LossBurstPackets, RateMbit, Queue)
        : null;
}
