using System.Reflection;
using kcp2k;

/// <summary>kcp2k: KCP in C#, as Mirror uses it.</summary>
static class Library
{
    public const string Name = "kcp2k";
    public static readonly Assembly Assembly = typeof(KcpServer).Assembly;
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "kcp2k sends reliable messages and their acknowledgements once in 10 ms " +
        "at the most: its closed loop is bound by that interval, so read CPU a message, not the rate. " +
        "Windows of 4096 segments as in Mirror. Both sides tick: the clients without pause.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;
    // Kcp.SetNoDelay raises every shorter interval to this.
    const int IntervalMs = 10;
    const int SegmentHeaderBytes = 30; // KCP's 24, kcp2k's channel, cookie and message type
    const uint Window = 4096;

    /// <summary>The settings of both sides: kcp2k's defaults but for buffers, windows, IPv6.</summary>
    public static readonly KcpConfig Config = new(
        DualMode: false, RecvBufferSize: SocketBufferBytes, SendBufferSize: SocketBufferBytes,
        Interval: IntervalMs, SendWindowSize: Window, ReceiveWindowSize: Window);

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) =>
        settings.Delivery == "unreliable" ? null : IntervalMs / 1000.0;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        var reliable = settings.Delivery != "unreliable";
        var segments = 1 + (settings.PayloadBytes + SegmentHeaderBytes) / (Config.Mtu - SegmentHeaderBytes);
        var most = reliable ? KcpPeer.ReliableMaxMessageSize(Config.Mtu, Window)
            : KcpPeer.UnreliableMaxMessageSize(Config.Mtu);
        return settings.PayloadBytes > most
                ? $"kcp2k takes at most {most} {settings.Delivery} bytes a message."
            : reliable && settings.TickHz > 1000 / IntervalMs
                ? $"kcp2k's shortest interval is {IntervalMs} ms: --tick-hz is at most " +
                    $"{1000 / IntervalMs} in its reliable mode."
            : reliable && settings.Parallel * segments > Window
                ? $"kcp2k runs with a window of {Window} segments; {settings.Parallel} lanes of " +
                    $"{segments} would wait in it."
            : null;
    }

    /// <summary>The library's channel for a delivery mode.</summary>
    public static KcpChannel Channel(Settings settings) =>
        settings.Delivery == "unreliable" ? KcpChannel.Unreliable : KcpChannel.Reliable;

    /// <summary>kcp2k logs to stdout, where only records belong; what ends a connection also comes
    /// by its callbacks.</summary>
    public static void Silence() => Log.Info = Log.Warning = Log.Error = _ => { };
}
