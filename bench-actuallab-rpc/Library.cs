using System.Reflection;
using ActualLab.Rpc;
using ActualLab.Rpc.Clients;
using ActualLab.Rpc.WebSockets;
using MemoryPack;

// What MemoryPack writes of them; MessagePack and JSON take the marks that they have.
[MemoryPackable]
public sealed partial record Pet;

[MemoryPackable]
public sealed partial record Hello;

[MemoryPackable]
public sealed partial record HelloRequest;

[MemoryPackable]
public sealed partial record HelloReply;

[MemoryPackable]
public sealed partial record User;

/// <summary>What is called.</summary>
public interface ICalls : IRpcService
{
    Task<int> Sum(int a, int b, CancellationToken cancelled = default);

    Task<User?> GetUser(long id, CancellationToken cancelled = default);

    Task<HelloReply> SayHello(HelloRequest request, CancellationToken cancelled = default);

    /// <summary>Joins a room by a message, which comes back first; then all that is said there follows.</summary>
    Task<RpcStream<byte[]>> Listen(byte[] message, CancellationToken cancelled = default);

    /// <summary>Takes what a client says in its room; nothing answers it.</summary>
    Task<RpcNoWait> Say(byte[] message);
}

/// <summary>ActualLab.Rpc: generated proxies, calls in both directions batched into frames, WebSockets.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "actuallab-rpc";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(RpcHub).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = [.. Calls.Works, Settings.Broadcast];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
        ["default"] = "memorypack",
        ["messagepack"] = "messagepack",
        ["json"] = "json",
    };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Calls that wait together share a frame. A client ends with its connection, where the "
        + "library would connect and send again.";

    // The library sends up to 61 items of a stream together, and loses them where a frame of 16 MB does not hold them.
    // JSON makes 1.44 bytes of each that is random.
    const int MostJsonBytes = 180_000;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["CallTracerFactory"] = "none",
        ["MustPropagateAmbientActivityContext"] = false,
        ["CallTimeoutCheckPeriod"] = 15,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isTooLong = settings.Work == Settings.Broadcast && settings.Variant == "json"
            && settings.PayloadBytes > MostJsonBytes;
        return isTooLong ? $"A message of {Name} takes at most {MostJsonBytes} bytes as JSON." : null;
    }

    /// <summary>Sets what holds for all of this process: the format of a variant, and the knobs.</summary>
    public static void Set(Settings settings)
    {
        // A client may send its handshake in one frame with its first message, and a server takes 16 KiB before that by
        // default: where messages are longer, some connections would end at once.
        RpcWebSocketTransport.Options transport = RpcWebSocketTransport.Options.Default;
        transport = transport with { MaxPreHandshakeMessageSize = transport.MaxMessageSize };
        RpcWebSocketClientOptions.Default = RpcWebSocketClientOptions.Default with
        {
            WebSocketTransportOptionsFactory = (_, _) => transport,
        };
        if (settings.Variant != "default")
        {
            RpcSerializationFormat format = settings.Variant == "json"
                ? RpcSerializationFormat.SystemJsonV5
                : RpcSerializationFormat.MessagePackV6C;
            RpcSerializationFormatResolver.Default = new RpcSerializationFormatResolver(format.Key);
        }
        if (settings.Profile == "tuned")
        {
            RpcDiagnosticsOptions.Default = RpcDiagnosticsOptions.Default with
            {
                CallTracerFactory = _ => null,
                MustPropagateAmbientActivityContext = (bool)Tuned!["MustPropagateAmbientActivityContext"],
            };
            RpcLimits.Default = RpcLimits.Default with
            {
                CallTimeoutCheckPeriod = TimeSpan.FromSeconds((int)Tuned["CallTimeoutCheckPeriod"]),
            };
        }
    }
}
