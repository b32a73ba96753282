using System.Net.WebSockets;
using System.Reflection;

/// <summary>Plain WebSockets: what a call costs without a library, the baseline that libraries are held against.
/// </summary>
static class Library
{
    public const string Name = "websocket";
    public static readonly Assembly Assembly = typeof(WebSocket).Assembly;
    public static readonly string Version = Environment.Version.ToString();

    /// <summary>What it does: of --work, --delivery and --security those that it has, the first by default.</summary>
    public static readonly string[] Works = Calls.Works;
    public static readonly string[] Deliveries = ["reliable-unordered"];
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>Its ways, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Calls.Limit(settings);
}
