using System.Diagnostics;
using System.Net.Sockets;
using System.Reflection;
using LiteNetLib;

/// <summary>A manager in manual mode whose socket may be waited for.</summary>
sealed class Manager(INetEventListener listener) : NetManager(listener)
{
    // LiteNetLib's own UpdateTime: how often it looks after resends and pings.
    static readonly long updateTicks = 15 * Stopwatch.Frequency / 1_000;
    /// <summary>After a longer gap this process stood still, which is no silence of the other side.</summary>
    public static readonly long MostElapsedTicks = Stopwatch.Frequency / 10;

    static readonly FieldInfo? socketOfIpv6 =
        typeof(LiteNetManager).GetField("_udpSocketv6", BindingFlags.NonPublic | BindingFlags.Instance);

    static readonly FieldInfo channelsOfPeer =
        typeof(NetPeer).GetField("_channels", BindingFlags.NonPublic | BindingFlags.Instance)!;
    static readonly MethodInfo putInLine = typeof(NetPeer).Assembly.GetType("LiteNetLib.BaseChannel")!
        .GetMethod("AddToPeerChannelSendQueue", BindingFlags.NonPublic | BindingFlags.Instance)!;

    long updatedAt = Stopwatch.GetTimestamp();

    /// <summary>The socket that what comes from the server comes to.</summary>
    public Socket Socket => IPv6Enabled ? (Socket)socketOfIpv6!.GetValue(this)! : _udpSocketv4;

    /// <summary>Whether its next Update has something to send.</summary>
    public bool HasQueued { get; set; }

    /// <summary>Sends what is queued, and looks after resends where that is due.</summary>
    public void Update()
    {
        long now = Stopwatch.GetTimestamp();
        long elapsed = now - updatedAt;
        if (HasQueued || elapsed >= updateTicks)
        {
            HasQueued = false;
            updatedAt = now;
            ManualUpdate((float)Math.Min(elapsed, MostElapsedTicks) * 1_000 / Stopwatch.Frequency);
        }
    }

    /// <summary>Lets the next update look into a peer's reliable queue, which the library may have forgotten.</summary>
    public static void PutInLine(NetPeer peer, DeliveryMethod method)
    {
        var channels = (Array)channelsOfPeer.GetValue(peer)!;
        putInLine.Invoke(channels.GetValue((int)method), null);
    }
}
