using System.Reflection;

/// <summary>Plain TCP sockets: the baseline that a library on TCP is held against.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "tcp";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(System.Net.Sockets.Socket).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Environment.Version.ToString();

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The variant whose congestion control is CUBIC, whatever the system has by default.</summary>
    public const string Cubic = "cubic";

    /// <summary>The variant whose sides look for what comes without pause, and never block in the system.</summary>
    public const string Spin = "spin";

    /// <summary>Its ways, the first by default, with the serializer of each: with the system's own congestion control
    /// and, where that can be chosen, with CUBIC.</summary>
    public static readonly Dictionary<string, string> Variants = OperatingSystem.IsLinux()
        ? new() { ["default"] = "bytes", [Cubic] = "bytes", [Spin] = "bytes" }
        : new() { ["default"] = "bytes", [Spin] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => settings.Variant == Spin ? "polls" : "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    /// <summary>Of the profile tuned: how many bytes of several messages one send takes.</summary>
    public const int TunedSendBytes = 1 << 16;

    /// <summary>Of the profile tuned: how many bytes one receive takes.</summary>
    public const int TunedReceiveBytes = 1 << 18;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["Bytes of several messages a send"] = TunedSendBytes,
        ["Bytes a receive"] = TunedReceiveBytes,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none. Both sides send before they receive:
    /// what is in flight must fit in the socket buffers.</summary>
    public static string? Limit(Settings settings)
    {
        long bytesInFlight = (long)settings.Parallel * (Connection.LengthBytes + settings.PayloadBytes);
        return bytesInFlight > SocketBufferBytes
            ? $"tcp has room for {SocketBufferBytes} bytes in flight a connection; "
                + "--parallel times --payload-bytes exceeds that."
            : Exchange.Limit(settings);
    }
}
