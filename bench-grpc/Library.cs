using System.Reflection;
using Google.Protobuf.WellKnownTypes;
using Grpc.Net.Client;

/// <summary>gRPC for .NET: Grpc.AspNetCore and Grpc.Net.Client, unary calls over HTTP/2.</summary>
static class Library
{
    public const string Name = "grpc";
    public static readonly Assembly Assembly = typeof(GrpcChannel).Assembly;
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "protobuf" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "a channel a client; one of over 100 calls in flight opens more connections";

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["IgnoreUnknownServices"] = true, ["SuppressCheckForUnhandledSecurityMetadata"] = true, ["AddServerHeader"] = false, ["WaitForDataBeforeAllocatingBuffer"] = false,
        ["RequestServices"] = "ApplicationServices", ["ServiceLifetime"] = "Singleton", ["AllowAutoRedirect"] = false, ["UseProxy"] = false,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Load.Limit(settings);

    /// <summary>What calls carry, as the library's own messages.</summary>
    public static readonly Rpc.User User = new()
    {
        Id = Load.User.Id, Version = Load.User.Version, CreatedAt = Timestamp.FromDateTime(Load.User.CreatedAt),
        ModifiedAt = Timestamp.FromDateTime(Load.User.ModifiedAt), Name = Load.User.Name,
    };

    /// <summary>The same of a hello.</summary>
    public static Rpc.Hello Of(Hello hello)
    {
        var message = new Rpc.Hello { Name = hello.Name, D = hello.D, F = hello.F, B = hello.B, N = hello.N, L = hello.L };
        if (hello.C1 != null) message.C1 = hello.C1;
        if (hello.C2 is { } c2) message.C2 = c2;
        message.Pets.AddRange(hello.Pets.Select(pet => new Rpc.Pet { Name = pet.Name, Color = (Rpc.Pet.Types.Color)pet.Color }));
        return message;
    }
}
