using System.Net.WebSockets;
using System.Reflection;

/// <summary>Plain WebSockets: what a call costs without a library, the baseline that libraries are held against.
/// </summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "websocket";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(WebSocket).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Environment.Version.ToString();

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = [.. Calls.Works, Settings.Broadcast];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => null;
}
