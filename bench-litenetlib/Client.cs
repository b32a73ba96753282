using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The clients of one thread: a manager with one peer each, in manual mode. PollEvents receives and hands over
/// on this thread; ManualUpdate sends what is queued. A round trip is timed from just before Peer.Send queues the
/// message to just after the listener gets the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect at once: none of their requests then waits so long that LiteNetLib repeats it.
    const int MostConnecting = 100;

    const int MostCloseMilliseconds = 2_000;

    // LiteNetLib's own UpdateTime: how often it looks after resends and pings.
    static readonly long updateTicks = 15 * Stopwatch.Frequency / 1_000;

    readonly Exchange exchange = new(settings, load);
    readonly NetManager[] managers = new NetManager[load.Clients];
    readonly NetPeer[] peers = new NetPeer[load.Clients];
    readonly byte[] next = new byte[Message.BufferBytes(settings)];
    readonly DeliveryMethod method = Library.Method(settings);
    readonly Ticker ticker = new(settings.PollHz);
    readonly bool isStream = settings.Work == Settings.Stream;
    // When each manager was last updated, and whether something was queued in it since.
    readonly long[] updatedAt = new long[load.Clients];
    readonly bool[] hasQueued = new bool[load.Clients];
    // Those that have left their room, until they are connected again.
    readonly bool[] hasLeft = new bool[load.Clients];
    readonly IPEndPoint server = new(Program.Resolve(settings.Address), settings.Port);
    bool hasReceived;
    bool isClosing;

    /// <summary>Connects, and sends and receives until the load ends.</summary>
    public void Run()
    {
        Connect();
        while (exchange.BeginPass())
        {
            ticker.Wait();
            Churn();
            SendDue();
            hasReceived = false;
            Update(managers.Length);
            load.EndPass(hasReceived);
            if (!hasReceived)
            {
                Thread.Yield();
            }
        }
        Close();
    }

    /// <summary>Whether a client's peer may queue more of a stream: another window behind that on the way. Unreliable
    /// messages wait for the next update alone.</summary>
    public bool HasRoom(int client)
    {
        if (method == DeliveryMethod.Unreliable)
        {
            return true;
        }
        bool isOrdered = method == DeliveryMethod.ReliableOrdered;
        return peers[client].GetPacketsCountInReliableQueue(0, isOrdered) < Library.ReliableWindow;
    }

    void Connect()
    {
        for (int client = 0; client < managers.Length; client++)
        {
            managers[client] = Library.NewManager(NewListener(client), settings);
            if (!managers[client].StartInManualMode(0))
            {
                throw new Failure("No socket could be opened.");
            }
            peers[client] = managers[client].Connect(server, Library.Key);
            AwaitConnected(client + 1 - MostConnecting, client + 1);
        }
        AwaitConnected(managers.Length, managers.Length);
    }

    // Returns when so many of the managers that there are so far have connected.
    void AwaitConnected(int awaited, int created)
    {
        while (load.Connected < awaited)
        {
            Update(created);
        }
    }

    EventBasedNetListener NewListener(int client)
    {
        var listener = new EventBasedNetListener();
        listener.PeerConnectedEvent += _ => OnConnected(client);
        listener.NetworkReceiveEvent += (_, reader, _, _) => OnMessage(client, reader.GetRemainingBytesSpan());
        listener.PeerDisconnectedEvent += (_, info) => OnDisconnected(client, info.Reason);
        return listener;
    }

    // One client may have to leave its room. LiteNetLib tells of that end at once, and its manager connects again.
    void Churn()
    {
        if (exchange.TryLeave(next, out int client))
        {
            hasLeft[client] = true;
            Send(client, Message.HeaderBytes, DeliveryMethod.ReliableOrdered);
            managers[client].ManualUpdate(0);
            peers[client].Disconnect();
        }
    }

    void SendDue()
    {
        int length = exchange.TryNext(this, next, out int client);
        while (length > 0)
        {
            Send(client, length, exchange.IsEvent ? DeliveryMethod.ReliableOrdered : method);
            length = exchange.TryNext(this, next, out client);
        }
    }

    void Update(int count)
    {
        for (int client = 0; client < count; client++)
        {
            if (!exchange.IsStalled(client))
            {
                Update(managers[client], client);
            }
        }
    }

    // Receives, and sends when something is queued or the library's own timers are due.
    void Update(NetManager manager, int client)
    {
        manager.PollEvents();
        long now = Stopwatch.GetTimestamp();
        long elapsed = now - updatedAt[client];
        // What a stream has queued goes on as soon as the window has moved, which nothing tells.
        if (!hasQueued[client] && !isStream && elapsed < updateTicks)
        {
            return;
        }
        manager.ManualUpdate((float)Math.Min(elapsed, updateTicks) * 1_000 / Stopwatch.Frequency);
        updatedAt[client] = now;
        hasQueued[client] = false;
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        if (isClosing)
        {
            return;
        }
        hasReceived = true;
        int length = exchange.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Send(sender, length, method);
        }
        else
        {
            SendDue();
        }
    }

    void Send(int client, int length, DeliveryMethod method)
    {
        peers[client].Send(next.AsSpan(0, length), method);
        hasQueued[client] = true;
    }

    void OnConnected(int client)
    {
        if (hasLeft[client])
        {
            hasLeft[client] = false;
            exchange.JoinAgain(client);
        }
        else
        {
            load.AddConnected();
        }
    }

    // The library would swallow what a listener throws.
    void OnDisconnected(int client, DisconnectReason reason)
    {
        if (isClosing)
        {
            return;
        }
        if (hasLeft[client])
        {
            peers[client] = managers[client].Connect(server, Library.Key);
        }
        else if (!exchange.TryLose(client))
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}."));
        }
    }

    // Waits until the server has confirmed each end of a connection, but not for long if it does not.
    void Close()
    {
        isClosing = true;
        Array.ForEach(managers, manager => manager.DisconnectAll());
        var clock = Stopwatch.StartNew();
        for (int client = 0; client < managers.Length; client++)
        {
            while (peers[client].ConnectionState == ConnectionState.ShutdownRequested
                && clock.ElapsedMilliseconds < MostCloseMilliseconds)
            {
                Update(managers[client], client);
            }
            managers[client].Stop();
        }
    }
}
