using System.Reflection;
using Microsoft.AspNetCore.SignalR.Client;

/// <summary>ASP.NET Core SignalR: a hub, and its .NET client.</summary>
static class Library
{
    public const string Name = "signalr";
    public static readonly Assembly Assembly = typeof(HubConnection).Assembly;
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new()
    {
#if FULL
        ["default"] = "json", ["messagepack"] = "messagepack",
#endif
        ["tcp"] = "json",
    };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "tcp: the same hub and client over plain TCP in place of WebSockets, where SkipNegotiation has no part";

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new() { ["SkipNegotiation"] = true, ["MaximumParallelInvocationsPerClient"] = 100 };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => settings.Variant == "tcp" && settings.Security == "tls"
        ? "signalr over plain TCP has no encryption." : Load.Limit(settings);
}
