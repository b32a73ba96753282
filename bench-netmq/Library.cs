using System.Reflection;
using NetMQ;

/// <summary>NetMQ: ZeroMQ in C#, whose own thread reads and writes the TCP connections of all sockets.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "netmq";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(NetMQSocket).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "A thread of the library's own reads and writes all connections of a side.";

    // Socket buffers that every bench asks for, in bytes.
    const int SocketBufferBytes = 1 << 20;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Exchange.Limit(settings);

    /// <summary>Sets the options of a socket. Nothing is dropped: a stream's sender waits at the library's usual
    /// watermark, and for all else there is none.</summary>
    public static void Set(SocketOptions options, Settings settings)
    {
        options.SendBuffer = SocketBufferBytes;
        options.ReceiveBuffer = SocketBufferBytes;
        options.IPv4Only = settings.Endpoint.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork;
        options.Linger = TimeSpan.Zero;
        if (settings.Work != Settings.Stream)
        {
            options.SendHighWatermark = 0;
            options.ReceiveHighWatermark = 0;
        }
    }

    /// <summary>A message of the library's with these bytes.</summary>
    public static Msg NewMessage(ReadOnlySpan<byte> bytes)
    {
        var message = new Msg();
        message.InitPool(bytes.Length);
        bytes.CopyTo(message.Slice());
        return message;
    }
}
