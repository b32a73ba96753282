using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Grpc.Net.Client;

/// <summary>gRPC for .NET: Grpc.AspNetCore and Grpc.Net.Client, unary calls over HTTP/2 or HTTP/3, and a stream
/// each way in rooms.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "grpc";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(GrpcChannel).Assembly;
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
        ["default"] = "protobuf",
        [Http3.Variant] = "protobuf",
    };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Each client has a channel of its own; a channel with over 100 calls in flight opens "
        + "more connections. In rooms the bench's server keeps all that a client does not take.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["IgnoreUnknownServices"] = true,
        ["SuppressCheckForUnhandledSecurityMetadata"] = true,
        ["AddServerHeader"] = false,
        ["WaitForDataBeforeAllocatingBuffer"] = false,
        ["RequestServices"] = "ApplicationServices",
        ["ServiceLifetime"] = "Singleton",
        ["AllowAutoRedirect"] = false,
        ["UseProxy"] = false,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        return settings.Work == Settings.Broadcast && settings.Variant == Http3.Variant
            ? $"The variant {Http3.Variant} is of calls alone."
            : Http3.Limit(settings);
    }

    /// <summary>What GetUser returns, as a message of protobuf.</summary>
    public static readonly Rpc.User User = new()
    {
        Id = Calls.User.Id,
        Version = Calls.User.Version,
        CreatedAt = Timestamp.FromDateTime(Calls.User.CreatedAt),
        ModifiedAt = Timestamp.FromDateTime(Calls.User.ModifiedAt),
        Name = Calls.User.Name,
    };

    /// <summary>A hello as a message of protobuf.</summary>
    public static Rpc.Hello ToMessage(Hello hello)
    {
        var message = new Rpc.Hello
        {
            Name = hello.Name,
            D = hello.D,
            F = hello.F,
            B = hello.B,
            N = hello.N,
            L = hello.L,
            Data = ByteString.CopyFrom(hello.Data),
        };
        if (hello.C1 != null)
        {
            message.C1 = hello.C1;
        }
        if (hello.C2 is { } c2)
        {
            message.C2 = c2;
        }
        foreach (Pet pet in hello.Pets)
        {
            message.Pets.Add(new Rpc.Pet { Name = pet.Name, Color = (Rpc.Pet.Types.Color)pet.Color });
        }
        return message;
    }
}
