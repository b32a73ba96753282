using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The echo server: one manager in manual mode and one thread; PollEvents receives and
/// answers inline, ManualUpdate sends the answers.</summary>
static class Server
{
    static NetManager manager = null!;
    static DeliveryMethod method;
    static long updatedAt;
    static bool any;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        var tickAt = 0L;
        while (!stopping)
        {
            Load.Tick(settings.TickHz, ref tickAt);
            Poll();
        }
        manager.Stop();
    }

    static void Start(Settings settings)
    {
        method = Library.Method(settings);
        var listener = new EventBasedNetListener();
        listener.ConnectionRequestEvent += request => request.AcceptIfKey(Library.Key);
        listener.NetworkReceiveEvent += (peer, reader, _, _) =>
            OnMessage(peer, reader.GetRemainingBytesSpan());
        manager = Library.CreateManager(listener, settings);
        if (!manager.StartInManualMode(Program.Resolve(settings.Address), IPAddress.IPv6Loopback, settings.Port))
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {Library.LastFault}");
    }

    static void Poll()
    {
        any = false;
        manager.PollEvents();
        Records.Pass(idle: !any);
        var now = Stopwatch.GetTimestamp();
        // Every update walks all peers: only when there is something to send or time has passed.
        if (!any && now - updatedAt < Stopwatch.Frequency / 1000)
        {
            Thread.Yield();
            return;
        }
        manager.ManualUpdate((float)(now - updatedAt) * 1000 / Stopwatch.Frequency);
        updatedAt = now;
    }

    static void OnMessage(NetPeer peer, ReadOnlySpan<byte> message)
    {
        any = true;
        var echo = Load.Echo(message);
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--) peer.Send(echo, method);
    }

    public static void Stop() => stopping = true;
}
