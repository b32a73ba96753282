using System.Reflection;
using Orleans;

/// <summary>Microsoft Orleans: grains in one silo, and cluster clients.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "orleans";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(IClusterClient).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split(". ")[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = [.. Calls.Works, Settings.Broadcast];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "orleans" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Each client is a cluster client with a host and a connection of its own, "
        + "and calls a reentrant grain of its own; a room is a grain, which tells its members as observers.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    // Each cluster client is a host with threads, timers and some megabytes of its own.
    const int MostClients = 500;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => settings.Clients <= MostClients
        ? null
        : $"{Name} has at most {MostClients} cluster clients in a process.";
}
