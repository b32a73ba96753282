using System.Reflection;
using PolyType;
using StreamJsonRpc;

/// <summary>What is called.</summary>
[JsonRpcContract]
[GenerateShape(IncludeMethods = MethodShapeFlags.PublicInstance)]
public partial interface ICalls : IDisposable
{
    Task<int> Sum(int a, int b);

    Task<User?> GetUser(long id);

    Task<HelloReply> SayHello(HelloRequest request);
}

/// <summary>StreamJsonRpc: JSON-RPC over WebSockets, with a proxy of the contract.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "streamjsonrpc";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(JsonRpc).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = Calls.Works;
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
        ["default"] = "json",
        ["system-text-json"] = "json",
        ["messagepack"] = "messagepack",
        ["nerdbank-messagepack"] = "messagepack",
        ["tcp"] = "messagepack",
    };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "The variant default writes by Newtonsoft.Json; tcp writes as nerdbank-messagepack "
        + "does, each message behind its length, over plain TCP in place of WebSockets.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["SynchronizationContext"] = "null",
        ["PerfOverSchemaStability"] = true,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => null;
}
