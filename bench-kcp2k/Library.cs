using System.Net.Sockets;
using System.Reflection;
using kcp2k;

/// <summary>kcp2k: KCP in C#, as Mirror uses it.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "kcp2k";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(KcpServer).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The variant with KcpConfig as it comes.</summary>
    public const string Bare = "bare";

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Bare] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note =
        "Its settings are those of Mirror's KcpTransport. kcp2k sends reliable messages and their "
        + "acknowledgements once in 10 ms at the most: its closed loop is bound by that, so read the CPU per "
        + "message.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    // KCP's own 24, and kcp2k's channel, cookie and type of message.
    const int SegmentHeaderBytes = 30;

    // kcp2k ends a connection at 10,000, its pings among them.
    const int MostQueuedSegments = 9_900;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings)
    {
        return settings.Delivery == Settings.Unreliable ? null : Config(settings).Interval / 1000.0;
    }

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isReliable = settings.Delivery != Settings.Unreliable;
        KcpConfig config = Config(settings);
        int mostBytes = isReliable
            ? KcpPeer.ReliableMaxMessageSize(config.Mtu, config.ReceiveWindowSize)
            : KcpPeer.UnreliableMaxMessageSize(config.Mtu);
        if (Message.MostBytes(settings) > mostBytes)
        {
            return $"kcp2k takes at most {mostBytes} {settings.Delivery} bytes per message.";
        }
        if (!isReliable)
        {
            return Exchange.Limit(settings);
        }
        int segmentsEach = 1 + (settings.PayloadBytes + SegmentHeaderBytes) / (config.Mtu - SegmentHeaderBytes);
        // In a closed loop those of all of a room may be on their way to each.
        bool isBroadcast = settings.Work == Settings.Broadcast && settings.Rate == 0;
        int messages = settings.Parallel * (isBroadcast ? (settings.Room == 0 ? settings.Clients : settings.Room) : 1);
        int segments = messages * segmentsEach;
        if (segments > MostQueuedSegments)
        {
            return "kcp2k ends a connection with 10,000 segments in its queues; "
                + $"{messages} messages in flight have {segments} (at most {MostQueuedSegments}).";
        }
        return Exchange.Limit(settings);
    }

    /// <summary>The settings of both sides, with the buffers that all benches ask for.</summary>
    public static KcpConfig Config(Settings settings)
    {
        // IPv4 alone, where that is what the address is.
        bool isDual = settings.Endpoint.AddressFamily == AddressFamily.InterNetworkV6;
        return settings.Variant == Bare
            ? new KcpConfig(DualMode: isDual, RecvBufferSize: SocketBufferBytes, SendBufferSize: SocketBufferBytes)
            : new KcpConfig(
                DualMode: isDual,
                RecvBufferSize: SocketBufferBytes,
                SendBufferSize: SocketBufferBytes,
                NoDelay: true,
                Interval: 10,
                FastResend: 2,
                SendWindowSize: 4_096,
                ReceiveWindowSize: 4_096,
                MaxRetransmits: 2 * Kcp.DEADLINK);
    }

    /// <summary>The library's channel for a delivery mode.</summary>
    public static KcpChannel Channel(Settings settings)
    {
        return settings.Delivery == Settings.Unreliable ? KcpChannel.Unreliable : KcpChannel.Reliable;
    }

    /// <summary>Keeps kcp2k's log from stdout, where only records belong; what ends a connection also comes by its
    /// callbacks.</summary>
    public static void Silence()
    {
        Log.Info = _ => { };
        Log.Warning = _ => { };
        Log.Error = _ => { };
    }
}
