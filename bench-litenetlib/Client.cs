using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using LiteNetLib;

/// <summary>The clients: a manager in manual mode with one peer each, and one thread that blocks until any of their
/// sockets has something, or in the variant spin looks without pause. PollEvents receives and hands over; ManualUpdate
/// sends what is queued. A round trip is timed from just before Peer.Send queues the message to just after the listener
/// gets the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // What one manager tells.
    sealed class Listener(Client client, int index) : INetEventListener
    {
        public void OnPeerConnected(NetPeer peer) => client.OnConnected(index);

        public void OnPeerDisconnected(NetPeer peer, DisconnectInfo info) => client.OnDisconnected(info.Reason);

        public void OnNetworkReceive(NetPeer peer, NetPacketReader reader, byte channel, DeliveryMethod method)
        {
            if (!client.isClosing)
            {
                client.exchange.OnMessage(index, reader.GetRemainingBytesSpan());
            }
        }

        public void OnConnectionRequest(ConnectionRequest request) => request.Reject();

        public void OnNetworkError(IPEndPoint endPoint, SocketError error)
        {
        }

        public void OnNetworkReceiveUnconnected(IPEndPoint from, NetPacketReader reader, UnconnectedMessageType type)
        {
        }

        public void OnNetworkLatencyUpdate(NetPeer peer, int latencyMilliseconds)
        {
        }
    }

    // So many clients connect at once: none of their requests then waits so long that LiteNetLib repeats it.
    const int MostConnecting = 100;
    const int MostCloseMilliseconds = 2_000;
    // How often managers to which nothing comes look after resends and pings.
    const int CareMilliseconds = 5;

    readonly Exchange exchange = new(settings, load);
    readonly Manager[] managers = new Manager[settings.Clients];
    readonly NetPeer[] peers = new NetPeer[settings.Clients];
    readonly DeliveryMethod method = Library.Method(settings);
    readonly bool spins = settings.Variant == Library.Spin;
    // Managers with something to send.
    readonly Stack<int> pending = new();
    SocketSet sockets = null!;
    long caredAt;
    int opened;
    bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        IPEndPoint server = settings.Endpoint;
        for (int index = 0; index < managers.Length; index++)
        {
            managers[index] = Library.NewManager(new Listener(this, index), settings);
            managers[index].IPv6Enabled = server.AddressFamily == AddressFamily.InterNetworkV6;
            if (!managers[index].StartInManualMode(0))
            {
                throw new Failure("No socket could be opened.");
            }
            peers[index] = managers[index].Connect(server, Library.Key);
            var clock = Stopwatch.StartNew();
            while (opened < index + 1 - MostConnecting && clock.Elapsed.TotalSeconds < settings.PatienceSeconds)
            {
                Care(index + 1);
                Thread.Sleep(1);
            }
        }
        sockets = new SocketSet(Array.ConvertAll(managers, manager => manager.Socket));
    }

    /// <summary>Queues a message; it leaves in the next Poll.</summary>
    public void Begin(Due due)
    {
        peers[due.Index].Send(exchange.Write(due), method);
        if (!managers[due.Index].HasQueued)
        {
            managers[due.Index].HasQueued = true;
            pending.Push(due.Index);
        }
    }

    /// <summary>Whether a client's peer may queue more of a stream: another window behind that on the way. Unreliable
    /// messages wait for the next update alone.</summary>
    public bool HasRoom(int index)
    {
        return method == DeliveryMethod.Unreliable || peers[index].GetPacketsCountInReliableQueue(
            0, method == DeliveryMethod.ReliableOrdered) < Library.ReliableWindow;
    }

    /// <summary>Sends what is queued and takes what has come; where nothing has, waits for it, so long at
    /// most.</summary>
    public void Poll(int microseconds)
    {
        Flush();
        foreach (int index in sockets.Wait(spins ? 0 : microseconds))
        {
            managers[index].PollEvents();
            // What a stream has queued goes on as soon as the window has moved.
            managers[index].HasQueued |= settings.Work == Settings.Stream;
            managers[index].Update();
        }
        Flush();
        if (Stopwatch.GetElapsedTime(caredAt).TotalMilliseconds >= CareMilliseconds)
        {
            Care(managers.Length);
        }
    }

    /// <summary>Closes all connections; waits until the server has confirmed that, but not for long.</summary>
    public void Close()
    {
        Flush();
        isClosing = true;
        Array.ForEach(managers, manager => manager.DisconnectAll());
        var clock = Stopwatch.StartNew();
        bool IsClosing() => Array.Exists(peers, peer => peer.ConnectionState == ConnectionState.ShutdownRequested);
        while (IsClosing() && clock.ElapsedMilliseconds < MostCloseMilliseconds)
        {
            Care(managers.Length);
        }
        Array.ForEach(managers, manager => manager.Stop());
    }

    void Flush()
    {
        while (pending.TryPop(out int index))
        {
            managers[index].Update();
        }
    }

    void Care(int created)
    {
        caredAt = Stopwatch.GetTimestamp();
        for (int index = 0; index < created; index++)
        {
            managers[index].PollEvents();
            managers[index].Update();
        }
    }

    void OnConnected(int index)
    {
        opened++;
        load.OnOpen(index);
    }

    // The library would swallow what a listener throws.
    void OnDisconnected(DisconnectReason reason)
    {
        if (!isClosing)
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}."));
        }
    }
}
