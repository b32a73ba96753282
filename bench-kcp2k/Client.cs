using System.Net.Sockets;
using kcp2k;

/// <summary>The clients of one thread: a KcpClient each, ticked in turn; when none has an answer the thread blocks in
/// the socket of the one whose answer is due first. A round trip is timed from just before Send queues the message to
/// just after OnData gets the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // The library keeps its socket to subclasses.
    sealed class Kcp(
        Action connected,
        Action<ArraySegment<byte>, KcpChannel> data,
        Action disconnected,
        Action<ErrorCode, string> error,
        KcpConfig config,
        int mostInTick)
        : KcpClient(connected, data, disconnected, error, config)
    {
        // Datagrams that this tick may still receive.
        int left;

        public Socket Socket => socket;

        public override void TickIncoming()
        {
            left = mostInTick;
            base.TickIncoming();
        }

        // A tick receives until nothing is there. Where each answer is followed by a message at once, more answers
        // would come for ever, and the other clients of the thread would starve.
        protected override bool RawReceive(out ArraySegment<byte> segment)
        {
            if (left == 0)
            {
                segment = default;
                return false;
            }
            left--;
            return base.RawReceive(out segment);
        }
    }

    // So many clients connect at once: none of their handshakes then waits so long that kcp2k repeats it.
    const int MostConnecting = 100;

    readonly Exchange exchange = new(settings, load);
    readonly Kcp[] clients = new Kcp[load.Clients];
    readonly byte[] next = new byte[Message.BufferBytes(settings)];
    readonly KcpConfig config = Library.Config(settings);
    readonly KcpChannel channel = Library.Channel(settings);
    readonly Ticker ticker = new(settings.PollHz);
    readonly string address = Program.Resolve(settings.Address).ToString();
    // Those that have left their room, until they are connected again, and those that were ended while they did not
    // read.
    readonly bool[] hasLeft = new bool[load.Clients];
    bool hasReceived;
    bool isClosing;

    /// <summary>Connects, and sends and receives until the load ends.</summary>
    public void Run()
    {
        Library.Silence();
        Connect();
        while (exchange.BeginPass())
        {
            ticker.Wait();
            Churn();
            SendDue();
            hasReceived = false;
            Tick();
            load.EndPass(hasReceived);
            if (!hasReceived)
            {
                Wait();
            }
        }
        Close();
    }

    /// <summary>Whether a client may queue more of a stream: another window behind that on the way. Unreliable messages
    /// are not queued, and dropped where the socket is full.</summary>
    public bool HasRoom(int client)
    {
        return channel == KcpChannel.Reliable
            ? clients[client].SendQueueCount < config.SendWindowSize
            : clients[client].Socket.Poll(0, SelectMode.SelectWrite);
    }

    void Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            clients[client] = NewClient(client);
            clients[client].Connect(address, (ushort)settings.Port);
            AwaitConnected(client + 1 - MostConnecting, client + 1);
        }
        AwaitConnected(clients.Length, clients.Length);
        Socket socket = clients[0].Socket;
        Records.SetSocketBuffers(socket.ReceiveBufferSize, socket.SendBufferSize);
    }

    Kcp NewClient(int client)
    {
        // Reliable messages wait for the end of the tick, and at a rate none follows an answer.
        bool isFollowedAtOnce = channel == KcpChannel.Unreliable && settings.Rate == 0;
        return new Kcp(
            connected: () => OnConnected(client),
            data: (message, _) => OnMessage(client, message),
            disconnected: () => OnLost(client, "the server closed it"),
            error: (_, reason) => OnLost(client, reason),
            config: config,
            mostInTick: isFollowedAtOnce ? settings.Parallel : int.MaxValue);
    }

    // Returns when so many of the clients that there are so far have connected.
    void AwaitConnected(int awaited, int created)
    {
        while (load.Connected < awaited)
        {
            for (int client = 0; client < created; client++)
            {
                clients[client].Tick();
            }
            Thread.Sleep(1);
        }
    }

    // One client may have to leave its room. kcp2k ends a connection at once, without what it has queued, so that the
    // message goes unreliable; the server also sees the end.
    void Churn()
    {
        if (exchange.TryLeave(next, out int client))
        {
            hasLeft[client] = true;
            Send(client, Message.HeaderBytes, KcpChannel.Unreliable);
            clients[client].Disconnect();
            clients[client].Connect(address, (ushort)settings.Port);
        }
    }

    void SendDue()
    {
        int length = exchange.TryNext(this, next, out int client);
        while (length > 0)
        {
            Send(client, length, exchange.IsEvent ? KcpChannel.Reliable : channel);
            length = exchange.TryNext(this, next, out client);
        }
    }

    void Tick()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            if (exchange.IsStalled(client))
            {
                continue;
            }
            clients[client].TickIncoming();
            SendDue();
            clients[client].TickOutgoing();
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        hasReceived = true;
        int length = exchange.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Send(sender, length, channel);
        }
    }

    void Send(int client, int length, KcpChannel channel)
    {
        clients[client].Send(new ArraySegment<byte>(next, 0, length), channel);
    }

    void Wait()
    {
        int microseconds = exchange.WaitMicroseconds(out int client);
        if (microseconds > 0 && clients[client].Socket is { } socket)
        {
            socket.Poll(microseconds, SelectMode.SelectRead);
        }
        else
        {
            // Who spins lets others have its CPU: the server may be waiting for it.
            Thread.Yield();
        }
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

    // The library would swallow what a callback throws, and calls for one end more than once.
    void OnLost(int client, string reason)
    {
        if (isClosing || hasLeft[client])
        {
            return;
        }
        hasLeft[client] = exchange.TryLose(client);
        if (!hasLeft[client])
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}"));
        }
    }

    void Close()
    {
        isClosing = true;
        Array.ForEach(clients, client => client.Disconnect());
    }
}
