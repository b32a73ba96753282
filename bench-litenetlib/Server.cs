using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The echo server: one manager in manual mode and one thread; PollEvents receives and answers inline,
/// ManualUpdate sends the answers.</summary>
static class Server
{
    static NetManager manager = null!;
    static DeliveryMethod method;
    static long updatedAt;
    static bool hasReceived;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        Start(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.TickHz);
        while (!isStopping)
        {
            ticker.Wait();
            Poll();
        }
        manager.Stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static void Start(Settings settings)
    {
        method = Library.Method(settings);
        var listener = new EventBasedNetListener();
        listener.ConnectionRequestEvent += request => request.AcceptIfKey(Library.Key);
        listener.NetworkReceiveEvent += (peer, reader, _, _) => OnMessage(peer, reader.GetRemainingBytesSpan());
        manager = Library.CreateManager(listener, settings);
        IPAddress address = Program.Resolve(settings.Address);
        if (!manager.StartInManualMode(address, IPAddress.IPv6Loopback, settings.Port))
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {Library.LastFault}");
        }
    }

    static void Poll()
    {
        hasReceived = false;
        manager.PollEvents();
        Echo.CountPass(isIdle: !hasReceived);
        long now = Stopwatch.GetTimestamp();
        // Every update walks all peers: only when there is something to send or time has passed.
        if (!hasReceived && now - updatedAt < Stopwatch.Frequency / 1000)
        {
            Thread.Yield();
            return;
        }
        manager.ManualUpdate((float)(now - updatedAt) * 1000 / Stopwatch.Frequency);
        updatedAt = now;
    }

    static void OnMessage(NetPeer peer, ReadOnlySpan<byte> message)
    {
        hasReceived = true;
        ReadOnlySpan<byte> echo = Echo.Of(message);
        if (!echo.IsEmpty)
        {
            peer.Send(echo, method);
        }
    }
}
