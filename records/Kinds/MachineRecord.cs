using Newtonsoft.Json.Linq;

/// <summary>The runner writes it once per sweep and machine.</summary>
sealed record MachineRecord : AnyRecord
{
    /// <summary>start of the sweep, in ISO 8601</summary>
    public required string DateUtc { get; init; }

    /// <summary>name of the preset</summary>
    public required string Preset { get; init; }

    /// <summary>what flags changed of the preset, as in `security none,tls`</summary>
    public required string[] Changed { get; init; }

    /// <summary>seed of the order of the cells</summary>
    public required long SweepSeed { get; init; }

    /// <summary>launches per cell</summary>
    public required long Repeats { get; init; }

    /// <summary>`all`; where hosts are named `server` or `clients`</summary>
    [OneOf("all", "server", "clients")]
    public required string Role { get; init; }

    /// <summary>which share of the clients it has, from 0</summary>
    public required long? ClientMachine { get; init; }

    /// <summary>the settings of the sweep, see below</summary>
    public required JObject Sweep { get; init; }

    /// <summary>as the system says</summary>
    public required string? CpuModel { get; init; }

    /// <summary>null: none was seen</summary>
    public required string? Hypervisor { get; init; }

    /// <summary>as the system says</summary>
    public required string? ClockSource { get; init; }

    /// <summary>as the system says</summary>
    public required string? CpuGovernor { get; init; }

    /// <summary>logical processors</summary>
    public required long CpuCount { get; init; }

    /// <summary>physical cores</summary>
    public required long? Cores { get; init; }

    /// <summary>of the machine</summary>
    public required long? MemoryBytes { get; init; }

    /// <summary>longest IP packet over loopback</summary>
    public required long? LoopbackMtuBytes { get; init; }

    /// <summary>files that a process may open</summary>
    public required long? OpenFilesLimit { get; init; }

    /// <summary>hyperthreads are on</summary>
    public required bool? Smt { get; init; }

    /// <summary>files of that commit were changed</summary>
    public required bool? SuiteDirty { get; init; }

    /// <summary>name and version</summary>
    public required string Os { get; init; }

    /// <summary>its version</summary>
    public required string Kernel { get; init; }

    /// <summary>of the processor</summary>
    public required string Architecture { get; init; }

    /// <summary>its version</summary>
    public required string DotnetVersion { get; init; }

    /// <summary>runtime identifier</summary>
    public required string Rid { get; init; }

    /// <summary>ticks per second of the clock</summary>
    public required long StopwatchHz { get; init; }

    /// <summary>in CPUs; null: none</summary>
    public required double? CgroupCpuQuota { get; init; }

    /// <summary>the kernel's, under net.ipv4; of buffers the least, usual and most bytes of a socket</summary>
    public required string? TcpCongestionControl { get; init; }

    /// <summary>the kernel's, under net.ipv4; of buffers the least, usual and most bytes of a socket</summary>
    public required string? TcpRmemBytes { get; init; }

    /// <summary>the kernel's, under net.ipv4; of buffers the least, usual and most bytes of a socket</summary>
    public required string? TcpWmemBytes { get; init; }

    /// <summary>the kernel's, under net.core</summary>
    public required long? RmemDefaultBytes { get; init; }

    /// <summary>the kernel's, under net.core</summary>
    public required long? RmemMaxBytes { get; init; }

    /// <summary>the kernel's, under net.core</summary>
    public required long? WmemMaxBytes { get; init; }

    /// <summary>every `DOTNET_*` variable that changes the runtime, by name</summary>
    public required JObject DotnetEnvironment { get; init; }

    /// <summary>commit of the suite</summary>
    public required string? SuiteCommit { get; init; }

    /// <summary>The preset as people are told of it, such as "quick, changed: security none,tls".</summary>
    internal string PresetInWords =>
        Changed is { Length: > 0 } ? $"{Preset}, changed: {string.Join("; ", Changed)}" : Preset;
}
