using System.Reflection;

/// <summary>Plain WebSockets: what a call costs without a library, the reference that those are held against.</summary>
static class Library
{
    public const string Name = "websocket";
    public static readonly Assembly Assembly = typeof(System.Net.WebSockets.WebSocket).Assembly;
    public static readonly string Version = Environment.Version.ToString();
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Load.Limit(settings);
}
