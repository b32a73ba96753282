using System.Reflection;
using PolyType;
using StreamJsonRpc;

/// <summary>StreamJsonRpc: JSON-RPC over WebSockets, with a proxy of the contract.</summary>
static class Library
{
    public const string Name = "streamjsonrpc";
    public static readonly Assembly Assembly = typeof(JsonRpc).Assembly;
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
        ["default"] = "json", ["system-text-json"] = "json", ["messagepack"] = "messagepack", ["nerdbank-messagepack"] = "messagepack", ["tcp"] = "messagepack",
    };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "default: Newtonsoft.Json; tcp: nerdbank-messagepack behind a length over plain TCP in place of WebSockets";

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new() { ["SynchronizationContext"] = "null", ["PerfOverSchemaStability"] = true };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Load.Limit(settings);

    // Of all connections: it builds its converters once.
    static readonly Nerdbank.MessagePack.MessagePackSerializer tunedSerializer = NerdbankMessagePackFormatter.DefaultSerializer with
    { PerfOverSchemaStability = (bool)Tuned["PerfOverSchemaStability"] };

    /// <summary>How a variant writes messages: each connection has one of its own.</summary>
    public static IJsonRpcMessageFormatter Formatter(Settings settings) => settings.Variant switch
    {
        "system-text-json" => new SystemTextJsonFormatter(),
        "messagepack" => new MessagePackFormatter(),
        "nerdbank-messagepack" or "tcp" => settings.Profile == "default" ? new NerdbankMessagePackFormatter { TypeShapeProvider = Shapes.GeneratedTypeShapeProvider }
            : new NerdbankMessagePackFormatter { TypeShapeProvider = Shapes.GeneratedTypeShapeProvider, UserDataSerializer = tunedSerializer },
        _ => new JsonMessageFormatter(),
    };
}

/// <summary>What is called.</summary>
[JsonRpcContract, GenerateShape(IncludeMethods = MethodShapeFlags.PublicInstance)]
public partial interface ICalls : IDisposable
{
    Task<int> Sum(int a, int b);
    Task<User?> GetUser(long id);
    Task<HelloReply> SayHello(HelloRequest call);
}

// What Nerdbank.MessagePack must know of arguments and results.
[GenerateShapeFor<int>, GenerateShapeFor<long>, GenerateShapeFor<User>, GenerateShapeFor<HelloRequest>, GenerateShapeFor<HelloReply>]
partial class Shapes;
