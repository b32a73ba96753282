using System.Reflection;
using Microsoft.AspNetCore.SignalR.Client;

/// <summary>ASP.NET Core SignalR: a hub, and its .NET client.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "signalr";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(HubConnection).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = [.. Calls.Works, Settings.Broadcast];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The variant that writes by MessagePack.</summary>
    public const string MessagePack = "messagepack";
    /// <summary>The variant over plain TCP in place of WebSockets.</summary>
    public const string Tcp = "tcp";
    /// <summary>The variant that sends to each connection of a room in turn, in place of a group.</summary>
    public const string Loop = "loop";

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
        ["default"] = "json",
        [MessagePack] = "messagepack",
        [Tcp] = "json",
        [Loop] = "json",
    };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "The variant tcp has the same hub and client over plain TCP in place of WebSockets, "
        + "where SkipNegotiation has no part. In rooms the hub does not await what it sends.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["SkipNegotiation"] = true,
        ["MaximumParallelInvocationsPerClient"] = 100,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings is { Variant: Tcp, Security: "tls" })
        {
            return $"{Name} over plain TCP has no encryption.";
        }
        return settings.Variant == Loop && settings.MakesCalls
            ? $"The variant {Loop} is of broadcasts alone."
            : null;
    }
}
