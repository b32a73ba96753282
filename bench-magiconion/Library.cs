using System.Reflection;
using Grpc.Net.Client;
using MagicOnion;
using MagicOnion.Client;

/// <summary>What is called, by unary calls.</summary>
public interface ICalls : IService<ICalls>
{
    UnaryResult<int> SumAsync(int a, int b);

    UnaryResult<User?> GetUserAsync(long id);

    UnaryResult<HelloReply> SayHelloAsync(HelloRequest request);
}

/// <summary>The same over a client's one stream.</summary>
public interface ICallsHub : IStreamingHub<ICallsHub, IHears>
{
    ValueTask<int> SumAsync(int a, int b);

    ValueTask<User?> GetUserAsync(long id);

    ValueTask<HelloReply> SayHelloAsync(HelloRequest request);

    /// <summary>Takes what a client says in a room: that it joins or leaves, or a message for all of the
    /// room.</summary>
    Task SayAsync(byte[] message);
}

/// <summary>What the hub calls at its clients.</summary>
public interface IHears
{
    /// <summary>Takes what is said in a client's room.</summary>
    void Hear(byte[] message);
}

/// <summary>MagicOnion: C# interfaces over gRPC for .NET, its unary services and its StreamingHub.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "magiconion";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(MagicOnionClient).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = VersionOf(Assembly);

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = [.. Calls.Works, Settings.Broadcast];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
        ["default"] = "messagepack",
        ["hub"] = "messagepack",
        [Loop] = "messagepack",
    };

    /// <summary>The variant that sends to each client of a room in turn, in place of a group.</summary>
    public const string Loop = "loop";

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public static readonly string? Note = "Each client has a channel of its own; a hub runs one call of a client at a "
        + $"time. It runs over gRPC for .NET {VersionOf(typeof(GrpcChannel).Assembly)}.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["AddServerHeader"] = false,
        ["AllowAutoRedirect"] = false,
        ["UseProxy"] = false,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings.Work == Settings.Broadcast)
        {
            return settings.Variant == "hub"
                ? "Broadcasts of magiconion go by its hub in any case: the variants are default and loop."
                : null;
        }
        return settings.Variant == Loop ? $"The variant {Loop} is of broadcasts alone." : null;
    }

    static string VersionOf(Assembly assembly)
    {
        var attribute = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>();
        return attribute!.InformationalVersion.Split('+')[0];
    }
}
