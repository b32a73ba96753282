using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>The clients of one thread: a manager with one peer each, in manual mode. PollEvents receives and hands over
/// inline; ManualUpdate sends what is queued. A round trip is timed from just before Peer.Send queues the message to
/// just after the listener gets the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    const int MostCloseMilliseconds = 2_000;

    // So many clients connect at once: none of their requests then waits so long that LiteNetLib repeats it.
    const int MostConnecting = 100;

    // LiteNetLib's own UpdateTime: how often resends and pings are looked after.
    static readonly long updateTicks = 15 * Stopwatch.Frequency / 1000;

    readonly Exchange exchange = new(settings, load);
    readonly NetManager[] managers = new NetManager[load.Clients];
    readonly NetPeer[] peers = new NetPeer[load.Clients];
    readonly long[] updatedAt = new long[load.Clients];
    // Whether something of a client is queued that only an update sends.
    readonly bool[] hasQueued = new bool[load.Clients];
    readonly byte[] next = new byte[Message.BufferBytes(settings)];
    readonly DeliveryMethod method = Library.Method(settings);
    readonly Ticker ticker = new(settings.TickHz);
    readonly bool isStream = settings.Work == Settings.Stream;
    bool hasReceived;
    bool isClosing;

    /// <summary>Connects, and sends and receives until the load ends.</summary>
    public void Run()
    {
        Connect();
        while (exchange.BeginPass())
        {
            ticker.Wait();
            SendDue();
            Poll();
            load.EndPass(hasReceived);
            if (!hasReceived)
            {
                // Who spins lets others have its CPU: the server may be waiting for it.
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
        var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        for (int client = 0; client < managers.Length; client++)
        {
            managers[client] = Library.CreateManager(NewListener(client), settings);
            if (!managers[client].StartInManualMode(0))
            {
                throw new Failure("No socket could be opened.");
            }
            peers[client] = managers[client].Connect(server, Library.Key);
            while (load.Connected < client + 1 - MostConnecting)
            {
                Poll();
            }
        }
        while (load.Connected < managers.Length)
        {
            Poll();
        }
    }

    EventBasedNetListener NewListener(int client)
    {
        var listener = new EventBasedNetListener();
        listener.PeerConnectedEvent += _ => load.AddConnected();
        listener.NetworkReceiveEvent += (_, reader, _, _) => OnMessage(client, reader.GetRemainingBytesSpan());
        listener.PeerDisconnectedEvent += (_, info) => OnLost(info.Reason);
        return listener;
    }

    // The library would swallow what a listener throws.
    void OnLost(DisconnectReason reason)
    {
        if (!isClosing)
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}."));
        }
    }

    // Those that are there already, while others are still to connect.
    void Poll()
    {
        hasReceived = false;
        for (int client = 0; client < managers.Length && managers[client] != null; client++)
        {
            Update(client);
        }
    }

    // Receives, and sends when something is queued or the library's own timers are due.
    void Update(int client)
    {
        managers[client].PollEvents();
        long now = Stopwatch.GetTimestamp();
        long elapsed = now - updatedAt[client];
        // What a stream has queued goes on as soon as the window has moved, which nothing tells.
        if (!hasQueued[client] && !isStream && elapsed < updateTicks)
        {
            return;
        }
        managers[client].ManualUpdate((float)Math.Min(elapsed, updateTicks) * 1000 / Stopwatch.Frequency);
        updatedAt[client] = now;
        hasQueued[client] = false;
    }

    void SendDue()
    {
        int length = exchange.TryNext(this, next, out int client);
        while (length > 0)
        {
            Send(client, length);
            length = exchange.TryNext(this, next, out client);
        }
    }

    void Send(int client, int length)
    {
        peers[client].Send(next.AsSpan(0, length), method);
        hasQueued[client] = true;
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        if (isClosing)
        {
            return;
        }
        hasReceived = true;
        int length = exchange.OnMessage(client, message, next);
        if (length > 0)
        {
            Send(client, length);
        }
        else
        {
            SendDue();
        }
    }

    // Until the server has confirmed each end of a connection; not for long if it does not.
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
                Update(client);
            }
            managers[client].Stop();
        }
    }
}
