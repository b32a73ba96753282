using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using LiteNetLib;

/// <summary>The server: one manager, as its author advises. The library's thread that receives hands over what came,
/// which is answered there, and TriggerUpdate wakes its other thread, which sends. In a game a thread ticks, and
/// triggers once a tick. The variants poll15 and spin take what came in a loop of their own.</summary>
sealed class Server : INetEventListener
{
    const int Poll15Microseconds = 15_000;
    // How often the library looks after resends.
    const int MendMilliseconds = 15;

    static readonly long updateTicks = Stopwatch.Frequency / 1_000;

    readonly Service<NetPeer> service;
    readonly DeliveryMethod method;
    readonly bool isLoop;
    readonly bool isManual;
    readonly bool triggers;
    readonly Manager manager;
    bool hasReceived;

    Server(Settings settings)
    {
        service = new Service<NetPeer>(settings);
        method = Library.Method(settings);
        isLoop = settings.Variant == Library.Loop;
        isManual = settings.Variant == Library.Spin;
        triggers = !isManual && settings.Work != Settings.Game;
        manager = Library.NewManager(this, settings);
        manager.UnsyncedEvents = settings.Variant != Library.Poll15;
        manager.UseNativeSockets = settings.Profile == "tuned";
        manager.IPv6Enabled |= settings.Endpoint.AddressFamily == AddressFamily.InterNetworkV6;
    }

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings) => new Server(settings).Serve(settings);

    void Serve(Settings settings)
    {
        IPAddress address = settings.Endpoint.Address;
        bool isIpv6 = address.AddressFamily == AddressFamily.InterNetworkV6;
        IPAddress ipv4 = isIpv6 ? IPAddress.Loopback : address;
        IPAddress ipv6 = isIpv6 ? address : IPAddress.IPv6Loopback;
        if (!manager.Start(ipv4, ipv6, settings.Port, isManual))
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {Library.LastFault}");
        }
        if (manager.UseNativeSockets)
        {
            // A receive with a time limit is interrupted where the process stands still, which ends the library's
            // thread.
            manager.Socket.ReceiveTimeout = 0;
        }
        Records.WriteReady(settings);
        if (!isManual && method != DeliveryMethod.Unreliable)
        {
            new Thread(Mend) { IsBackground = true }.Start();
        }
        if (isManual)
        {
            Spin();
        }
        if (settings.Variant == Library.Poll15)
        {
            while (true)
            {
                manager.PollEvents();
                Tick();
                Delay.Sleep(Math.Min(Poll15Microseconds, service.MicrosecondsToTick));
            }
        }
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(service.MicrosecondsToTick);
            Tick();
        }
    }

    public void OnConnectionRequest(ConnectionRequest request) => request.AcceptIfKey(Library.Key);

    public void OnPeerConnected(NetPeer peer)
    {
    }

    public void OnPeerDisconnected(NetPeer peer, DisconnectInfo info) => service.OnClosed(peer);

    public void OnNetworkReceive(NetPeer peer, NetPacketReader reader, byte channel, DeliveryMethod delivery)
    {
        hasReceived = true;
        ReadOnlySpan<byte> message = reader.GetRemainingBytesSpan();
        ReadOnlySpan<NetPeer> receivers = service.Take(ref peer, message);
        if (!isLoop && receivers.Length > 1 && receivers.Length == manager.ConnectedPeersCount)
        {
            manager.SendToAll(message, method);
        }
        else
        {
            foreach (NetPeer receiver in receivers)
            {
                receiver.Send(message, method);
            }
        }
        if (triggers)
        {
            // A stream has no answers, but its acknowledgements leave so, too.
            manager.TriggerUpdate();
        }
    }

    public void OnNetworkError(IPEndPoint endPoint, SocketError error)
    {
    }

    public void OnNetworkReceiveUnconnected(IPEndPoint from, NetPacketReader reader, UnconnectedMessageType type)
    {
    }

    public void OnNetworkLatencyUpdate(NetPeer peer, int latencyMilliseconds)
    {
    }

    bool Tick()
    {
        List<Service<NetPeer>.Member> players = service.Tick();
        foreach (Service<NetPeer>.Member player in players)
        {
            player.Connection.Send(player.Snapshot, method);
        }
        if (players.Count > 0 && !isManual)
        {
            manager.TriggerUpdate();
        }
        return players.Count > 0;
    }

    // LiteNetLib 2.1.5 forgets a reliable message that is queued while its other thread ends looking into the same
    // queue: it stays there until the peer's next one is queued, which in a closed loop never comes.
    void Mend()
    {
        List<NetPeer> peers = [];
        while (true)
        {
            Thread.Sleep(MendMilliseconds);
            manager.GetConnectedPeers(peers);
            foreach (NetPeer peer in peers)
            {
                if (peer.GetPacketsCountInReliableQueue(0, method == DeliveryMethod.ReliableOrdered) > 0)
                {
                    Manager.PutInLine(peer, method);
                }
            }
        }
    }

    // Every update walks all peers: it comes only when there is something to send or time has passed.
    void Spin()
    {
        long updatedAt = Stopwatch.GetTimestamp();
        while (true)
        {
            hasReceived = false;
            manager.PollEvents();
            bool hasTicked = Tick();
            long now = Stopwatch.GetTimestamp();
            long elapsed = now - updatedAt;
            if (!hasReceived && !hasTicked && elapsed < updateTicks)
            {
                Thread.Yield();
                continue;
            }
            manager.ManualUpdate((float)Math.Min(elapsed, Manager.MostElapsedTicks) * 1_000 / Stopwatch.Frequency);
            updatedAt = now;
        }
    }
}
