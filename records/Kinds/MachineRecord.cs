using Newtonsoft.Json.Linq;

/// <summary>Once a sweep and machine, by the runner; its `run_id` names the sweep. No host name, user name or path.
/// </summary>
sealed record MachineRecord : AnyRecord
{
    /// <summary>ISO 8601, start of the sweep</summary>
    public required string DateUtc { get; init; }

    /// <summary>name of the preset</summary>
    public required string Preset { get; init; }

    /// <summary>what flags changed of the preset, each setting with its value, as in `security none,tls`</summary>
    public required string[] Changed { get; init; }

    /// <summary>seed of the order of the cells</summary>
    public required long SweepSeed { get; init; }

    /// <summary>launches per cell</summary>
    public required long Repeats { get; init; }

    /// <summary>`all`, or where hosts are named `server` or `clients`</summary>
    [OneOf("all", "server", "clients")]
    public required string Role { get; init; }

    /// <summary>of `clients`: which share of them, from 0</summary>
    public required long? ClientMachine { get; init; }

    /// <summary>the sweep's settings, each by the name of its flag</summary>
    public required JObject Sweep { get; init; }

    /// <summary>model of its CPU</summary>
    public required string? CpuModel { get; init; }

    /// <summary>null: none seen</summary>
    public required string? Hypervisor { get; init; }

    /// <summary>of the kernel</summary>
    public required string? ClockSource { get; init; }

    /// <summary>of the kernel</summary>
    public required string? CpuGovernor { get; init; }

    /// <summary>logical processors</summary>
    public required long CpuCount { get; init; }

    /// <summary>physical cores</summary>
    public required long? Cores { get; init; }

    /// <summary>of the machine</summary>
    public required long? MemoryBytes { get; init; }

    /// <summary>longest IP packet over loopback</summary>
    public required long? LoopbackMtuBytes { get; init; }

    /// <summary>that a process may open</summary>
    public required long? OpenFilesLimit { get; init; }

    /// <summary>hyperthreads are on</summary>
    public required bool? Smt { get; init; }

    /// <summary>the commit was changed</summary>
    public required bool? SuiteDirty { get; init; }

    /// <summary>name and version</summary>
    public required string Os { get; init; }

    /// <summary>its version</summary>
    public required string Kernel { get; init; }

    /// <summary>of the processor</summary>
    public required string Architecture { get; init; }

    /// <summary>of the runner</summary>
    public required string DotnetVersion { get; init; }

    /// <summary>runtime identifier</summary>
    public required string Rid { get; init; }

    /// <summary>ticks per second of the clock</summary>
    public required long StopwatchHz { get; init; }

    /// <summary>CPUs; null: none</summary>
    public required double? CgroupCpuQuota { get; init; }

    /// <summary>net.ipv4.tcp_congestion_control</summary>
    public required string? TcpCongestionControl { get; init; }

    /// <summary>net.ipv4.tcp_rmem: least, usual and most of a socket's buffer</summary>
    public required string? TcpRmemBytes { get; init; }

    /// <summary>net.ipv4.tcp_wmem: least, usual and most of a socket's buffer</summary>
    public required string? TcpWmemBytes { get; init; }

    /// <summary>net.core.rmem_default</summary>
    public required long? RmemDefaultBytes { get; init; }

    /// <summary>net.core.rmem_max</summary>
    public required long? RmemMaxBytes { get; init; }

    /// <summary>net.core.wmem_max</summary>
    public required long? WmemMaxBytes { get; init; }

    /// <summary>every `DOTNET_*` variable that changes the runtime, by name</summary>
    public required JObject DotnetEnvironment { get; init; }

    /// <summary>of the suite</summary>
    public required string? SuiteCommit { get; init; }

    /// <summary>The preset as people are told of it, such as "quick, changed: security none,tls".</summary>
    internal string PresetInWords =>
        Changed is { Length: > 0 } ? $"{Preset}, changed: {string.Join("; ", Changed)}" : Preset;
}
