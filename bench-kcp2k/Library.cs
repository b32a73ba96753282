using System.Net.Sockets;
using System.Reflection;
using kcp2k;

/// <summary>kcp2k: KCP in C#, as Mirror uses it.</summary>
static class Library
{
    public const string Name = "kcp2k";
    public static readonly Assembly Assembly = typeof(KcpServer).Assembly;
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };
    public static readonly string[] Securities = ["none"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "kcp2k sends reliable messages and their acknowledgements once in 10 ms " +
        "at the most: its closed loop is bound by that interval, so read CPU a message, not the rate. " +
        "More lanes than its window has segments (32 by default) wait in its queue. Both sides tick: " +
        "the clients without pause.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;
    const int SegmentHeaderBytes = 30; // KCP's 24, kcp2k's channel, cookie and message type
    const int MostQueuedSegments = 9_900; // kcp2k ends a connection at 10,000, its pings among them

    /// <summary>The knobs of the profile `tuned` and their values, each a field of KcpConfig; null:
    /// there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["DualMode"] = false,
        ["FastResend"] = 2,
        ["SendWindowSize"] = 4096u,
        ["ReceiveWindowSize"] = 4096u,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) =>
        settings.Delivery == "unreliable" ? null : Config(settings).Interval / 1000.0;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        var reliable = settings.Delivery != "unreliable";
        var config = Config(settings);
        var segments = 1 + (settings.PayloadBytes + SegmentHeaderBytes) / (config.Mtu - SegmentHeaderBytes);
        var most = reliable ? KcpPeer.ReliableMaxMessageSize(config.Mtu, config.ReceiveWindowSize)
            : KcpPeer.UnreliableMaxMessageSize(config.Mtu);
        return settings.PayloadBytes > most
                ? $"kcp2k takes at most {most} {settings.Delivery} bytes a message."
            : reliable && settings.TickHz > 1000 / config.Interval
                ? $"kcp2k's shortest interval is {config.Interval} ms: --tick-hz is at most " +
                    $"{1000 / config.Interval} in its reliable mode."
            : reliable && settings.Parallel * segments > MostQueuedSegments
                ? $"kcp2k ends a connection with 10,000 segments in its queues; " +
                    $"{settings.Parallel} lanes have {settings.Parallel * segments} (at most {MostQueuedSegments})."
            : null;
    }

    /// <summary>The settings of both sides: kcp2k's defaults but for the buffers that all ask for.</summary>
    public static KcpConfig Config(Settings settings)
    {
        var config = new KcpConfig(
            DualMode: Socket.OSSupportsIPv6, // its default where there is IPv6
            RecvBufferSize: SocketBufferBytes, SendBufferSize: SocketBufferBytes);
        if (settings.Profile == "tuned")
            foreach (var (knob, value) in Tuned!) typeof(KcpConfig).GetField(knob)!.SetValue(config, value);
        return config;
    }

    /// <summary>The library's channel for a delivery mode.</summary>
    public static KcpChannel Channel(Settings settings) =>
        settings.Delivery == "unreliable" ? KcpChannel.Unreliable : KcpChannel.Reliable;

    /// <summary>kcp2k logs to stdout, where only records belong; what ends a connection also comes
    /// by its callbacks.</summary>
    public static void Silence() => Log.Info = Log.Warning = Log.Error = _ => { };
}
