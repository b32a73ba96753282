using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The echo server: one manager in manual mode and one thread; PollEvents receives and answers on it,
/// ManualUpdate sends the answers.</summary>
static class Server
{
    // So often it updates while nothing comes.
    static readonly long updateTicks = Stopwatch.Frequency / 1_000;

    // After a longer gap this process stood still, and its clients did too. The library is told of no more than this,
    // lest it give them up.
    static readonly long mostElapsedTicks = Stopwatch.Frequency / 10;

    static Rooms<NetPeer>? rooms;
    static World? world;
    static byte[] snapshot = [];
    static DeliveryMethod method;
    static bool isLoop;
    static bool hasReceived;
    static long updatedAt;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<NetPeer>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        snapshot = new byte[Message.BufferBytes(settings)];
        method = Library.Method(settings);
        isLoop = settings.Variant == Library.Loop;
        NetManager manager = Listen(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.PollHz);
        while (!isStopping)
        {
            ticker.Wait();
            hasReceived = false;
            manager.PollEvents();
            bool hasTicked = world != null && TryTick(world);
            Echo.CountPass(isIdle: !hasReceived);
            Update(manager, hasReceived || hasTicked);
        }
        manager.Stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static NetManager Listen(Settings settings)
    {
        var listener = new EventBasedNetListener();
        listener.ConnectionRequestEvent += request => request.AcceptIfKey(Library.Key);
        NetManager manager = Library.NewManager(listener, settings);
        listener.NetworkReceiveEvent += (peer, reader, _, _) =>
            OnMessage(manager, peer, reader.GetRemainingBytesSpan());
        listener.PeerDisconnectedEvent += (peer, _) => rooms?.End(peer);
        if (!manager.StartInManualMode(Program.Resolve(settings.Address), IPAddress.IPv6Loopback, settings.Port))
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {Library.LastFault}");
        }
        return manager;
    }

    // Every update walks all peers: it comes only when there is something to send or time has passed.
    static void Update(NetManager manager, bool hasQueued)
    {
        long now = Stopwatch.GetTimestamp();
        long elapsed = now - updatedAt;
        if (!hasQueued && elapsed < updateTicks)
        {
            Thread.Yield();
            return;
        }
        manager.ManualUpdate((float)Math.Min(elapsed, mostElapsedTicks) * 1_000 / Stopwatch.Frequency);
        updatedAt = now;
    }

    // Sends each player its snapshot where a tick is due.
    static bool TryTick(World world)
    {
        if (!world.TryBeginTick())
        {
            return false;
        }
        for (int client = 0; client < rooms!.Clients; client++)
        {
            if (rooms.TryGet(client, out NetPeer player))
            {
                int length = world.Write(client, snapshot);
                player.Send(snapshot.AsSpan(0, length), method);
            }
        }
        return true;
    }

    static void OnMessage(NetManager manager, NetPeer peer, ReadOnlySpan<byte> message)
    {
        hasReceived = true;
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnMessageInRoom(manager, peer, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            peer.Send(echo, method);
        }
    }

    static void OnMessageInRoom(NetManager manager, NetPeer peer, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        NetPeer[] members = rooms!.Take(peer, message);
        if (!isLoop && members.Length == manager.ConnectedPeersCount)
        {
            manager.SendToAll(message, method);
            return;
        }
        foreach (NetPeer member in members)
        {
            member.Send(message, method);
        }
    }
}
