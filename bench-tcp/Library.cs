using System.Reflection;

/// <summary>Plain TCP sockets: the floor that a library on TCP is held against.</summary>
static class Library
{
    public const string Name = "tcp", Cubic = "cubic";
    public static readonly Assembly Assembly = typeof(System.Net.Sockets.Socket).Assembly;
    public static readonly string Version = Environment.Version.ToString();
    public static readonly string[] Deliveries = ["reliable-ordered"];
    /// <summary>Its variants, the first by default, with the serializer of each: in the congestion control that the system has by default, and in CUBIC.</summary>
    public static readonly Dictionary<string, string> Variants = OperatingSystem.IsLinux() ? new() { ["default"] = "bytes", [Cubic] = "bytes" } : new() { ["default"] = "bytes" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    // Both sides send before they receive: what is in flight must fit in the socket buffers.
    public static string? Limit(Settings settings) => (long)settings.Parallel * (Connection.LengthBytes + settings.PayloadBytes) > SocketBufferBytes
        ? $"tcp has room for {SocketBufferBytes} bytes in flight a connection; --parallel times --payload-bytes exceeds that." : null;
}
