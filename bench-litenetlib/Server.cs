using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The echo server: one manager in manual mode and one thread; PollEvents receives and answers on it,
/// ManualUpdate sends the answers.</summary>
static class Server
{
    // So often it updates while nothing comes.
    static readonly long updateTicks = Stopwatch.Frequency / 1_000;

    static DeliveryMethod method;
    static bool hasReceived;
    static long updatedAt;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        method = Library.Method(settings);
        NetManager manager = Listen(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.TickHz);
        while (!isStopping)
        {
            ticker.Wait();
            hasReceived = false;
            manager.PollEvents();
            Echo.CountPass(isIdle: !hasReceived);
            Update(manager);
        }
        manager.Stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static NetManager Listen(Settings settings)
    {
        var listener = new EventBasedNetListener();
        listener.ConnectionRequestEvent += request => request.AcceptIfKey(Library.Key);
        listener.NetworkReceiveEvent += (peer, reader, _, _) => OnMessage(peer, reader.GetRemainingBytesSpan());
        NetManager manager = Library.NewManager(listener, settings);
        if (!manager.StartInManualMode(Program.Resolve(settings.Address), IPAddress.IPv6Loopback, settings.Port))
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {Library.LastFault}");
        }
        return manager;
    }

    // Every update walks all peers: it comes only when there is something to send or time has passed.
    static void Update(NetManager manager)
    {
        long now = Stopwatch.GetTimestamp();
        long elapsed = now - updatedAt;
        if (!hasReceived && elapsed < updateTicks)
        {
            Thread.Yield();
            return;
        }
        manager.ManualUpdate((float)elapsed * 1_000 / Stopwatch.Frequency);
        updatedAt = now;
    }

    static void OnMessage(NetPeer peer, ReadOnlySpan<byte> message)
    {
        hasReceived = true;
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            peer.Send(echo, method);
        }
    }
}
