using System.Reflection;
using System.Text.Json.Serialization;

/// <summary>.NET's own HTTP: Kestrel and HttpClient, JSON by System.Text.Json. Over HTTP/1.1 each call in flight has a connection.</summary>
static class Library
{
    public const string Name = "http";
    public static readonly Assembly Assembly = typeof(HttpClient).Assembly;
    public static readonly string Version = Environment.Version.ToString();
    public static readonly string[] Deliveries = ["reliable-unordered"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["h1"] = "json", ["h2"] = "json" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "h1: a connection each call in flight; h2: one connection a client";

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Load.Limit(settings);
}

/// <summary>Writes and reads without reflection, by code that the compiler generated.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(int)), JsonSerializable(typeof(User)), JsonSerializable(typeof(HelloRequest)), JsonSerializable(typeof(HelloReply))]
sealed partial class Json : JsonSerializerContext;
