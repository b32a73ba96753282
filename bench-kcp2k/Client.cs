using System.Diagnostics;
using System.Net.Sockets;
using kcp2k;

/// <summary>The clients: a KcpClient each, and one thread that blocks until any of their sockets has something, and
/// ticks all of them at least once a millisecond. A round trip is timed from just before Send queues the message to
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
        // would come for ever, and the other clients would starve.
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
    const int TickMilliseconds = 1;

    readonly Exchange exchange = new(settings, load);
    readonly Kcp[] clients = new Kcp[settings.Clients];
    readonly KcpConfig config = Library.Config(settings);
    readonly KcpChannel channel = Library.Channel(settings);
    SocketSet sockets = null!;
    long tickedAt;
    int opened;
    bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        Library.Silence();
        // Reliable messages wait for the end of the tick, and at a rate none follows an answer.
        bool isFollowedAtOnce = channel == KcpChannel.Unreliable && settings.Rate == 0;
        int mostInTick = isFollowedAtOnce ? settings.Parallel : int.MaxValue;
        for (int index = 0; index < clients.Length; index++)
        {
            int own = index;
            clients[index] = new Kcp(
                () => OnConnected(own),
                (message, _) => exchange.OnMessage(own, message),
                () => OnLost("the server closed it"),
                (_, reason) => OnLost(reason),
                config,
                mostInTick);
            clients[index].Connect(settings.Endpoint.Address.ToString(), (ushort)settings.Port);
            var clock = Stopwatch.StartNew();
            while (opened < index + 1 - MostConnecting && clock.Elapsed.TotalSeconds < settings.PatienceSeconds)
            {
                Tick(index + 1);
                Thread.Sleep(TickMilliseconds);
            }
        }
        Socket socket = clients[0].Socket;
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
        sockets = new SocketSet(Array.ConvertAll(clients, client => client.Socket));
    }

    /// <summary>Queues a message, which leaves in a tick; an unreliable one leaves at once.</summary>
    public void Begin(Due due)
    {
        // A client that leaves does not wait for what it has queued.
        KcpChannel own = due.Sequence == Due.Leaving ? KcpChannel.Unreliable : channel;
        clients[due.Index].Send(exchange.Write(due), own);
    }

    /// <summary>Whether a client may queue more of a stream: another window behind that on the way. Unreliable messages
    /// are not queued, and dropped where the socket is full.</summary>
    public bool HasRoom(int index)
    {
        return channel == KcpChannel.Reliable
            ? clients[index].SendQueueCount < config.SendWindowSize
            : clients[index].Socket.Poll(0, SelectMode.SelectWrite);
    }

    /// <summary>Takes what has come and ticks; where nothing has come, waits for it, so long at most.</summary>
    public void Poll(int microseconds)
    {
        foreach (int index in sockets.Wait(microseconds))
        {
            clients[index].Tick();
        }
        if (Stopwatch.GetElapsedTime(tickedAt).TotalMilliseconds >= TickMilliseconds)
        {
            Tick(clients.Length);
        }
    }

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        Array.ForEach(clients, client => client.Disconnect());
    }

    void Tick(int created)
    {
        tickedAt = Stopwatch.GetTimestamp();
        for (int index = 0; index < created; index++)
        {
            clients[index].Tick();
        }
    }

    void OnConnected(int index)
    {
        opened++;
        load.OnOpen(index);
    }

    // The library would swallow what a callback throws, and calls for one end more than once.
    void OnLost(string reason)
    {
        if (!isClosing)
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}"));
        }
    }
}
