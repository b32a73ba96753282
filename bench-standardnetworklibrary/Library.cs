using System.Net.Sockets;
using System.Reflection;
using NetworkLibrary.TCP.ByteMessage;

/// <summary>StandardNetworkLibrary: asynchronous TCP, TLS, UDP and a reliable UDP in C#.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "standardnetworklibrary";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(ByteMessageTcpServer).Assembly;
    /// <summary>The package's: its makers leave that of the assembly as it was.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The variant that is its reliable UDP.</summary>
    public const string Rudp = "rudp";

    /// <summary>Its ways, the first by default, with the serializer of each: its TCP or UDP, and its reliable UDP.
    /// </summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Rudp] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "reliable-ordered is its TCP, whose sockets have buffers of 128,000 bytes and which "
        + "gathers messages while a send is on its way, or of variant rudp its reliable UDP; unreliable is its UDP. "
        + "Its server listens on all addresses, and calls back on threads of the pool, as do its clients.";

    // Its limit of what is queued on a connection, beyond which a send waits for the other side.
    const long MostQueuedBytes = 128_000_000;
    // Tuned: the buffers of both sides of a connection.
    const long TunedBuffersBytes = 4_000_000;
    const int LengthBytes = 4;
    // That its UDP clients have a buffer for.
    const int MostDatagramBytes = 65_000;

    /// <summary>The knobs of the profile tuned and their values, each a property of its TCP servers or clients (in its
    /// makers' spelling), in bytes: both the socket's buffers and its own.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["ClientSendBufsize"] = 1_000_000,
        ["ClientReceiveBufsize"] = 1_000_000,
        ["SocketSendBufferSize"] = 1_000_000,
        ["SocketRecieveBufferSize"] = 1_000_000,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isRudp = settings.Variant == Rudp;
        bool isUdp = settings.Delivery == Settings.Unreliable;
        bool isTls = settings.Security == "tls";
        bool isTuned = settings.Profile == "tuned";
        if (settings.Endpoint.AddressFamily != AddressFamily.InterNetwork)
        {
            return $"Servers of {Name} listen on IPv4 alone.";
        }
        if (isRudp && isUdp)
        {
            return $"The variant {Rudp} of {Name} is reliable-ordered alone.";
        }
        if (isTls && (isRudp || isUdp))
        {
            return $"{Name} has TLS over TCP alone.";
        }
        if (isTuned && (isRudp || isUdp || isTls))
        {
            return $"The profile tuned of {Name} has knobs of its plain TCP alone.";
        }
        long tunedBytes = TunedBuffersBytes * settings.Clients;
        if (isTuned && tunedBytes > GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2)
        {
            return $"The profile tuned of {Name} has {tunedBytes / 1e9:0.0} GB of buffers for {settings.Clients:N0} "
                + "clients, over half of this machine's memory.";
        }
        if (isRudp && settings.Work == Settings.Stream)
        {
            return $"The variant {Rudp} of {Name} keeps all that it is given and does not tell how much that is, so "
                + "that nothing would bound a stream.";
        }
        if (isUdp && Message.MostBytes(settings) > MostDatagramBytes)
        {
            return $"A datagram of {Name} takes at most {MostDatagramBytes} bytes.";
        }
        return (long)settings.Parallel * (LengthBytes + settings.PayloadBytes) > MostQueuedBytes
            ? $"{Name} has room for {MostQueuedBytes} bytes in flight a connection; --parallel times --payload-bytes "
                + "exceeds that."
            : Exchange.Limit(settings);
    }

    /// <summary>A TCP server or client with the knobs turned that the profile asks for.</summary>
    public static T Tune<T>(T side, Settings settings) where T : notnull
    {
        if (settings.Profile == "tuned")
        {
            foreach ((string knob, object value) in Tuned!)
            {
                // A knob is the servers' or the clients' or both sides'.
                side.GetType().GetProperty(knob)?.SetValue(side, value);
            }
        }
        return side;
    }
}
