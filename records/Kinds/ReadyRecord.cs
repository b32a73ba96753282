using Newtonsoft.Json.Linq;

/// <summary>By a server that listens, and by clients that are connected; once per side and run.</summary>
sealed record ReadyRecord : BenchRecord
{
    /// <summary>`server` or `client`</summary>
    [OneOf("server", "client")]
    public required string Side { get; init; }

    /// <summary>the share of the clients, from 0; null of a server</summary>
    [ByRunner]
    public required long? ClientMachine { get; init; }

    /// <summary>every effective flag of the side by its name, with _ for -</summary>
    public required JObject Flags { get; init; }

    /// <summary>of the process</summary>
    public required long ProcessId { get; init; }

    /// <summary>as the runtime sees them</summary>
    public required long ProcessorCount { get; init; }

    /// <summary>the knobs that the profile tuned turned, by the library's names for them, with their values; empty for
    /// default</summary>
    public required JObject Tuning { get; init; }

    /// <summary>the period with which the library itself acts; null: none</summary>
    public required double? TickS { get; init; }

    /// <summary>how it waits for what comes: `blocks` in the system, `polls` without pause, or `sleeps` from tick to
    /// tick (`--tick-hz`)</summary>
    [OneOf("blocks", "polls", "sleeps")]
    public required string Waits { get; init; }

    /// <summary>of the variant: bytes (the bench's own), json, messagepack and so on</summary>
    public required string Serializer { get; init; }

    /// <summary>of a server with TLS</summary>
    public required string? CertificateSha256 { get; init; }

    /// <summary>until all clients were connected and the hello answered; null of a server</summary>
    public required double? ConnectS { get; init; }

    /// <summary>effective, as read back</summary>
    public required long? SocketReceiveBufferBytes { get; init; }

    /// <summary>effective, as read back</summary>
    public required long? SocketSendBufferBytes { get; init; }

    /// <summary>every `DOTNET_*` variable of the side that changes the runtime, by name</summary>
    [ByRunner]
    public required JObject DotnetEnvironment { get; init; }

    /// <summary>that of .NET</summary>
    public required string DotnetVersion { get; init; }

    /// <summary>server GC is on</summary>
    public required bool ServerGc { get; init; }

    /// <summary>concurrent GC is on</summary>
    public required bool ConcurrentGc { get; init; }

    /// <summary>That its server listens on.</summary>
    internal int Port => (int)Flags["port"]!;

    /// <summary>True of a server's.</summary>
    internal bool IsOfServer => Side == "server";
}
