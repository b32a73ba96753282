using Newtonsoft.Json.Linq;

/// <summary>A server writes it when it listens, and clients when they are connected: once per side and run.</summary>
sealed record ReadyRecord : BenchRecord
{
    /// <summary>`server` or `client`</summary>
    [OneOf("server", "client")]
    public required string Side { get; init; }

    /// <summary>which share of the clients it has, from 0; null of a server</summary>
    [ByRunner]
    public required long? ClientMachine { get; init; }

    /// <summary>every effective flag of the side by its name, with _ for -</summary>
    public required JObject Flags { get; init; }

    /// <summary>ID of the process</summary>
    public required long ProcessId { get; init; }

    /// <summary>processors, as the runtime sees them</summary>
    public required long ProcessorCount { get; init; }

    /// <summary>the knobs that were turned, with their values, as in [info](#info); empty for `default`</summary>
    public required JObject Tuning { get; init; }

    /// <summary>the period with which the library itself acts; null: none</summary>
    public required double? TickS { get; init; }

    /// <summary>how it waits: `blocks` in the system, `polls` without pause, or `sleeps` between looks</summary>
    [OneOf("blocks", "polls", "sleeps")]
    public required string Waits { get; init; }

    /// <summary>the variant's: `bytes` (the bench's own), `json`, `messagepack` and so on</summary>
    public required string Serializer { get; init; }

    /// <summary>hash of a TLS server's certificate</summary>
    public required string? CertificateSha256 { get; init; }

    /// <summary>time until all clients were connected; null of a server</summary>
    public required double? ConnectS { get; init; }

    /// <summary>effective size, as read back</summary>
    public required long? SocketReceiveBufferBytes { get; init; }

    /// <summary>effective size, as read back</summary>
    public required long? SocketSendBufferBytes { get; init; }

    /// <summary>every `DOTNET_*` variable that changes the runtime, by name</summary>
    [ByRunner]
    public required JObject DotnetEnvironment { get; init; }

    /// <summary>version of .NET</summary>
    public required string DotnetVersion { get; init; }

    /// <summary>it is on</summary>
    public required bool ServerGc { get; init; }

    /// <summary>it is on</summary>
    public required bool ConcurrentGc { get; init; }

    /// <summary>That its server listens on.</summary>
    internal int Port => (int)Flags["port"]!;

    /// <summary>True of a server's.</summary>
    internal bool IsOfServer => Side == "server";
}
