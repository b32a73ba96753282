using System.Reflection;
using Grpc.Net.Client;
using MagicOnion;
using MagicOnion.Client;

/// <summary>What is called, by unary calls.</summary>
public interface ICalls : IService<ICalls>
{
    UnaryResult<int> SumAsync(int a, int b);
    UnaryResult<User?> GetUserAsync(long id);
    UnaryResult<HelloReply> SayHelloAsync(HelloRequest call);
}

/// <summary>The same over a client's one stream.</summary>
public interface ICallsHub : IStreamingHub<ICallsHub, INothing>
{
    ValueTask<int> SumAsync(int a, int b);
    ValueTask<User?> GetUserAsync(long id);
    ValueTask<HelloReply> SayHelloAsync(HelloRequest call);
}

/// <summary>What the hub calls at its clients.</summary>
public interface INothing;

/// <summary>MagicOnion: C# interfaces over gRPC for .NET, its unary services and its StreamingHub.</summary>
static class Library
{
    public const string Name = "magiconion";
    public static readonly Assembly Assembly = typeof(MagicOnionClient).Assembly;
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "messagepack", ["hub"] = "messagepack" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public static readonly string? Note = "a channel a client; a hub runs one call of a client at a time; over gRPC for .NET "
        + typeof(GrpcChannel).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new() { ["AddServerHeader"] = false, ["AllowAutoRedirect"] = false, ["UseProxy"] = false };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Load.Limit(settings);
}
