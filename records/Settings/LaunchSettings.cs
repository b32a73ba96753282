using System.Runtime.CompilerServices;

/// <summary>Part of `launch` and `error`: every effective flag of the run.</summary>
/// <remarks>Each setting is declared by its property, for records, flags, sweeps and benches alike: see Setting.
/// </remarks>
sealed record LaunchSettings
{
    const int MostMs = 10_000;
    const int UsualInputsASecond = 30;
    const int UsualTickHz = 30;
    const double MostSendLagMs = 1;
    const double MostSendLagShare = 0.05; // of the link's round trip or the game's tick, where that is more
    const int LeastTicks = 10;

    /// <summary>Name of the run: letters, digits, `.`, `_`, `-`, `@`</summary>
    [Setting("Name of the run in every record. [default: date and time]", Default = "", Pattern = Patterns.Name)]
    public required string RunId { get; init; }

    /// <summary>What is done: `echo`; `stream`, one way; `broadcast` and `game`, in rooms; the others are
    /// calls</summary>
    [OneOf(Works.Echo, Works.Stream, Works.Broadcast, Works.Game, "sum", "get-user", Works.SayHello)]
    [Setting("What is done. [default: the bench's first]", Default = "", IsOfBench = true, InSweep = InSweep.List,
        SweepDefault = Works.Echo, SweepHelp = "What is done: echo; stream, one way; in rooms: broadcast, game; "
            + "calls: sum, get-user, say-hello.")]
    public required string Work { get; init; }

    /// <summary>How messages are delivered</summary>
    [OneOf("reliable-ordered", "reliable-unordered", "unreliable")]
    [Setting("Delivery mode. [default: the library's first]", Default = "", IsOfBench = true, InSweep = InSweep.List,
        SweepHelp = "Modes: reliable-ordered, reliable-unordered, unreliable.",
        IsOfEachPreset = true, IsOfMember = true)]
    public required string Delivery { get; init; }

    /// <summary>Clients over all machines, each with a connection and a socket of its own</summary>
    [Setting("Clients, each with a connection and socket of its own.", Default = 1, Least = 1, Most = 100_000,
        IsOfBench = true, InSweep = InSweep.List, IsOfEachPreset = true)]
    public required int Clients { get; init; }

    /// <summary>Messages in flight per client; at a rate as many as are due; of a stream and of a game always
    /// 1</summary>
    [Setting("Messages in flight per client.", Default = 1, Least = 1, Most = 10_000, IsOfBench = true,
        InSweep = InSweep.List, IsOfEachPreset = true)]
    public required int Parallel { get; init; }

    /// <summary>Bytes per message, header included; of datagrams at most 65507; of say-hello those of its field
    /// `data`</summary>
    [Setting("Bytes per message, header included; of say-hello those of its data.", Default = 32, Least = 24,
        Most = 262_144, IsOfBench = true, InSweep = InSweep.List,
        OfWorks = [Works.Echo, Works.Stream, Works.Broadcast, Works.Game, Works.SayHello])]
    public required int PayloadBytes { get; init; }

    /// <summary>Content of the messages: `random` comes from `--seed`, `ones` has all bits set</summary>
    [OneOf("random", "zeros", "ones")]
    [Setting("Content of the messages.", Default = "random", IsOfBench = true,
        OfWorks = [Works.Echo, Works.Stream, Works.Broadcast, Works.Game], InSweep = InSweep.List,
        SweepHelp = "Content of the messages: random, zeros, ones.", IdWord = "-")]
    public required string Payload { get; init; }

    /// <summary>Messages/s over all clients; 0: the closed loop; of a game its inputs, by default 30 per client. A
    /// sweep also takes `30/client`, and `50%` of what the closed loop makes</summary>
    [Setting("Messages/s over all clients; 0: closed loop.", Default = 0, Least = 0, Most = MostRate,
        IsOfBench = true, InSweep = InSweep.List, SweepHelp = "Messages/s over all clients, as in 3000; or 30/client; "
            + "or 50%, of what the closed loop makes; 0: the closed loop.")]
    public required int Rate { get; init; }

    /// <summary>Ticks/s of a game's server</summary>
    [Setting("Ticks/s of a game's server.", Default = UsualTickHz, Least = 1, Most = 10_000, IsOfBench = true,
        OfWorks = [Works.Game], InSweep = InSweep.List, IdWord = "-tick")]
    public required int TickHz { get; init; }

    /// <summary>Clients per room, the last of a machine has what is left; 0: all of a machine are in one</summary>
    [Setting("Clients per room; 0: all of a machine are in one.", Default = 0, Least = 0, Most = 100_000,
        IsOfBench = true, OfWorks = [Works.Broadcast, Works.Game], InSweep = InSweep.List, IdWord = "-room")]
    public required int Room { get; init; }

    /// <summary>Bytes that a game's server sends each player at a tick, head included</summary>
    [Setting("Bytes that a game's server sends each player at a tick.", Default = 1_000, Least = 56, Most = 262_144,
        IsOfBench = true, OfWorks = [Works.Game], InSweep = InSweep.List, IdWord = "-snapshot")]
    public required int SnapshotBytes { get; init; }

    /// <summary>Clients in rooms that read nothing while a window is open: the runner stops their process. They send
    /// nothing, and nobody waits for what they receive</summary>
    [Setting("Clients in rooms that read nothing while a window is open.", Default = 0, Least = 0, Most = 100_000,
        OfWorks = [Works.Broadcast, Works.Game], InSweep = InSweep.List, IdWord = "-stalled")]
    public required int StalledClients { get; init; }

    /// <summary>Clients in rooms that leave and join again once per second while a window is open. A sweep also takes
    /// `2/s`</summary>
    [Setting("Clients in rooms that leave and join again per second, as in 2 or 2/s.", Default = 0, Least = 0,
        Most = 10_000, Unit = "/s", OfWorks = [Works.Broadcast, Works.Game],
        InSweep = InSweep.List, IdWord = "-churn")]
    public required int Churn { get; init; }

    /// <summary>What the server listens on and the clients reach</summary>
    [Setting("Address that the server listens on and clients reach.", Default = "127.0.0.1",
        Pattern = Patterns.Address, IsOfBench = true)]
    public required string Address { get; init; }

    /// <summary>Port of the server; `runner run` takes a free one for 0, its default</summary>
    [Setting("Port; 0: a free one.", Default = 0, BenchDefault = 9_050, Least = 0, BenchLeast = 1, Most = 65_535,
        IsOfBench = true)]
    public required int Port { get; init; }

    /// <summary>Seed of the random payload; of a sweep [of the order](cli.md#the-scripts)</summary>
    [Setting("Seed of the random payload.", Default = 1, Least = 0, Most = int.MaxValue, IsOfBench = true)]
    public required int Seed { get; init; }

    /// <summary>`default`: the library as it comes; `tuned`: with the knobs that it has for this load (exit code 3: it
    /// has none)</summary>
    [OneOf(UsualProfile, "tuned")]
    [Setting("The library as it comes, or with its knobs for this load.", Default = UsualProfile, IsOfBench = true,
        InSweep = InSweep.List, SweepHelp = "As the library comes: default; with its knobs: tuned.",
        IsOfMember = true)]
    public required string Profile { get; init; }

    /// <summary>Which of the library's variants, by the names in its `info`. A sweep also takes `all`, `first` and
    /// `first,spin`: the first, and `spin` of each that has it</summary>
    [Setting("Which of the library's ways. [default: the library's first]", Default = "", Pattern = Patterns.Variant,
        IsOfBench = true, InSweep = InSweep.List, SweepDefault = SweepSettings.FirstVariant,
        SweepHelp = "Of a library's ways these; or all; or first; first,spin: the first, and spin of who has it.",
        Suggests = [SweepSettings.FirstVariant, SweepSettings.AllVariants], IsOfMember = true)]
    public required string Variant { get; init; }

    /// <summary>`tls`: TLS 1.3 with a certificate that the runner makes; clients trust no other</summary>
    [OneOf(NoSecurity, "tls")]
    [Setting("Whether connections are encrypted.", Default = NoSecurity, IsOfBench = true, InSweep = InSweep.List,
        SweepHelp = "Encryption: none, tls.", IsOfMember = true)]
    public required string Security { get; init; }

    /// <summary>Machines that share the clients</summary>
    [Setting("Machines that share the clients: as many as --client-hosts.", Default = 1, Least = 1, Most = 64)]
    public required int ClientMachines { get; init; }

    /// <summary>Least warm-up</summary>
    [Setting("Least warm-up; it lasts until the rate is steady.", Default = 3.0, Least = 0, Most = 3_600,
        InSweep = InSweep.One, SweepHelp = "Least warm-up.", IsOfEachPreset = true)]
    public required double WarmupSeconds { get; init; }

    /// <summary>Length of the long window; -1: until Ctrl-C</summary>
    [Setting("Measured window; -1: until stopped.", Default = 5.0, Least = 0.1, Most = 86_400, Besides = UntilStopped,
        InSweep = InSweep.One, SweepHelp = "Length of the long window, besides the slices; -1: until Ctrl-C.",
        IsOfEachPreset = true)]
    public required double Seconds { get; init; }

    /// <summary>CPUs of the server, as in `0,2-3` (Linux)</summary>
    [Setting("CPUs of the server, as in 0,2-3.", Default = "all", Pattern = Patterns.Cpus)]
    public required string ServerCpus { get; init; }

    /// <summary>CPUs of the clients, likewise</summary>
    [Setting("CPUs of the clients.", Default = "all", Pattern = Patterns.Cpus)]
    public required string ClientCpus { get; init; }

    /// <summary>Resident memory in MB (10^6 bytes) at which the server is ended; 0: a quarter of what is available when
    /// it starts</summary>
    [Setting("Memory at which the server is ended; 0: a quarter of what its machine has available.", Default = 0,
        Least = 0, Most = 1_000_000)]
    public required int ServerMostMb { get; init; }

    /// <summary>In each round of a launch every library has one slice; 0: libraries are measured separately, a window
    /// each</summary>
    [Setting("Rounds in which the libraries' slices are interleaved; 0: one after another, a window each.",
        Default = 0, Least = 0, Most = 10_000, InSweep = InSweep.One, SweepDefault = "25",
        SweepHelp = "Rounds of a launch, in each of which every library has one slice.", IsOfTurns = true)]
    public required int Rounds { get; init; }

    /// <summary>Least length of a slice</summary>
    [Setting("Least length of a slice.", Default = 80, Least = 1, Most = 1_000, InSweep = InSweep.One,
        IsOfTurns = true)]
    public required int SliceMs { get; init; }

    /// <summary>Time for the load to settle before a slice, drawn anew each time: half to one and a half of
    /// it</summary>
    [Setting("For the load to settle before a slice.", Default = 30, Least = 1, Most = 1_000, InSweep = InSweep.One,
        IsOfTurns = true)]
    public required int SettleMs { get; init; }

    /// <summary>Seed of the order within the rounds</summary>
    [Setting("Seed of the order within the rounds.", Default = 1, Least = 0, Most = int.MaxValue)]
    public required int OrderSeed { get; init; }

    /// <summary>A spinner of the idle scheduling class keeps each CPU from sleeping (Linux)</summary>
    [Setting("Keeps the CPUs from sleeping by a spinner of the idle scheduling class on each.", Default = false,
        InSweep = InSweep.One, SweepHelp = "Idle CPUs are kept from sleeping.")]
    public required bool Awake { get; init; }

    /// <summary>A `.nettrace` of each side beside the results (samples of CPU and allocations, GC events), which slows
    /// them</summary>
    [Setting("A .nettrace of each side beside --out.", Default = false, InSweep = InSweep.One,
        SweepHelp = "A .nettrace of each side beside the results.")]
    public required bool Trace { get; init; }

    /// <summary>Round trip of an [emulated link](links.md); without it there is no link</summary>
    [Setting("Round trip of an emulated link between server and clients. [default: none]", Least = 0, Most = MostMs,
        IsOfLink = true, InSweep = InSweep.List, SweepDefault = LinkSettings.None,
        SweepHelp = "Round trip of an emulated link between server and clients; none: no link.",
        Suggests = [LinkSettings.None], IdWord = "-rtt")]
    public required double? RttMs { get; init; }

    /// <summary>The most that jitter adds to a round trip of the link</summary>
    [Setting("Most jitter that is added to a round trip of the link.", Default = 0.0, Least = 0, Most = MostMs,
        IsOfLink = true, InSweep = InSweep.List, IdWord = "-jitter")]
    public required double JitterMs { get; init; }

    /// <summary>Percent of the link's packets that are lost, each way</summary>
    [Setting("Percent of the link's packets that are lost, each way.", Default = 0.0, Least = 0, Most = 90,
        IsOfLink = true, InSweep = InSweep.List, IdWord = "-loss")]
    public required double LossPercent { get; init; }

    /// <summary>Mean length of the bursts in which packets are lost</summary>
    [Setting("Mean length of the bursts in which packets are lost.", Default = 1, Least = 1, Most = 1_000,
        IsOfLink = true, InSweep = InSweep.List, IdWord = "x")]
    public required int LossBurstPackets { get; init; }

    /// <summary>Rate of the link in Mbit/s, each way; 0: no limit</summary>
    [Setting("Mbit/s of the link, each way; 0: as fast as this machine is.", Default = 0.0, Least = 0,
        Most = 100_000, IsOfLink = true, InSweep = InSweep.List, IdWord = "-mbit")]
    public required double RateMbit { get; init; }

    /// <summary>What may wait for that rate: bytes as in `64kB`, or times bandwidth x round trip (of 10 ms and 10
    /// packets at least) as in `0.5bdp`</summary>
    [Setting("What may wait for the rate: 64kB; or bdp, 0.5bdp: of bandwidth x round trip.",
        Default = LinkSettings.Bdp, Pattern = LinkSettings.QueuePattern, IsOfLink = true, InSweep = InSweep.List,
        Suggests = [LinkSettings.Bdp], IdWord = "-queue")]
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

    /// <summary>True where some clients do not read, or leave and join.</summary>
    internal bool HasTrouble => StalledClients > 0 || Churn > 0;

    /// <summary>True where what befalls its messages takes longer than an interleaved slice.</summary>
    internal bool OutlastsSlices => Link != null || HasTrouble;

    /// <summary>Clients that do neither.</summary>
    internal int SoundClients => Clients - StalledClients - Churn;

    /// <summary>The same with what the work needs where it was not given, and what has no part in it as it usually is.
    /// </summary>
    internal LaunchSettings Settled
    {
        get
        {
            var settings = Made(setting => setting.IsOf(Work) ? setting.ValueIn(this) : setting.Default);
            if (Work != Works.Game)
            {
                return settings;
            }
            return settings with
            {
                Parallel = 1,
                Rate = Rate == 0 ? Math.Min(MostRate, UsualInputsASecond * Clients) : Rate,
            };
        }
    }

    /// <summary>Why there can be no such rooms of as many clients as one machine has; null: there can, or there are no
    /// rooms.</summary>
    internal string? RoomFault(int clientsOfMachine)
    {
        if (Room > clientsOfMachine)
        {
            return $"room {Room} must not exceed clients {clientsOfMachine}"
                + (clientsOfMachine < Clients ? " of a machine." : ".");
        }
        return SoundClients > 0
            ? null
            : $"stalled_clients {StalledClients} and churn {Churn} together must be fewer than clients {Clients}.";
    }

    /// <summary>Clients per room as a bench is told; 0: all are in one, which lies within one machine.</summary>
    internal int RoomOfBench => Room > 0 || ClientMachines == 1
        ? Room
        : (Clients + ClientMachines - 1) / ClientMachines;

    /// <summary>The first of the clients that a machine has, from 0 on; rooms are not divided.</summary>
    internal int FirstClientOf(long machine)
    {
        int first = (int)(Clients * machine / ClientMachines);
        int room = Works.Of(Work).HasRooms ? Math.Max(1, RoomOfBench) : 1;
        return Math.Min(Clients, (first + room - 1) / room * room);
    }

    /// <summary>How many clients of a machine do not make trouble: those that do are the last of all.</summary>
    internal int SoundClientsOf(long machine)
    {
        int first = FirstClientOf(machine);
        return Math.Clamp(SoundClients - first, 0, FirstClientOf(machine + 1) - first);
    }

    /// <summary>The shortest window that says something of it: ten ticks of a game.</summary>
    internal double LeastWindowSeconds => Work == Works.Game ? (double)LeastTicks / TickHz : 0;

    /// <summary>How late clients may send what is due, by the 99th percentile. Latency counts from when a message was
    /// due, so that the lag is in it: the bound keeps what the clients add small beside what is measured.</summary>
    internal double MostSendLagNs
    {
        get
        {
            double tickMs = Work == Works.Game ? 1_000.0 / TickHz : 0;
            return 1e6 * Math.Max(MostSendLagMs, MostSendLagShare * Math.Max(RttMs ?? 0, tickMs));
        }
    }

    /// <summary>In-flight slots of a closed loop, over all clients.</summary>
    internal long Slots => (long)Clients * Parallel;

    /// <summary>The link between the sides; null: none.</summary>
    internal LinkSettings? Link => RttMs is { } rttMs
        ? new LinkSettings(rttMs, JitterMs, LossPercent, LossBurstPackets, RateMbit, Queue)
        : null;
}
