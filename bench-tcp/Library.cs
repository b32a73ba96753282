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

    /// <summary>The knobs of the profile `tuned` and their values: how much of several messages one send takes (of which so many
    /// may be begun at once), and how much one receive; null: there is nothing to turn. MostInPass: messages that one pass takes, and begins beyond them, in either profile.</summary>
    public const int SendBytes = 1 << 16, ReceiveBytes = 1 << 18, MostBegun = 32, MostInPass = 1 << 14;
    public static readonly Dictionary<string, object>? Tuned = new() { ["Bytes of several messages a send"] = SendBytes, ["Bytes a receive"] = ReceiveBytes };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none. Both sides send before they receive: what is in flight must fit in the socket buffers.</summary>
    public static string? Limit(Settings settings) => (long)settings.Parallel * (Connection.LengthBytes + settings.PayloadBytes) > SocketBufferBytes
        ? $"tcp has room for {SocketBufferBytes} bytes in flight a connection; --parallel times --payload-bytes exceeds that." : null;
}
