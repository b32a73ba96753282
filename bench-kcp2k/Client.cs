using System.Net.Sockets;
using kcp2k;

/// <summary>The clients of one thread: a KcpClient each, ticked in turn; when none has an answer the thread blocks in
/// the socket of the one whose answer is due first. A round trip is timed from just before Send queues the message to
/// just after OnData gets the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // The library keeps its socket to subclasses.
    sealed class Kcp(
        Action onConnected,
        Action<ArraySegment<byte>, KcpChannel> onData,
        Action onDisconnected,
        Action<ErrorCode, string> onError,
        KcpConfig config)
        : KcpClient(onConnected, onData, onDisconnected, onError, config)
    {
        public Socket Socket => socket;
    }

    // So many clients shake hands at once: none then waits so long that kcp2k repeats it.
    const int MostConnecting = 100;

    readonly Exchange exchange = new(settings, load);
    readonly Kcp[] clients = new Kcp[load.Clients];
    readonly byte[] next = new byte[Message.BufferBytes(settings)];
    readonly uint window = Library.Config(settings).SendWindowSize;
    readonly KcpChannel channel = Library.Channel(settings);
    readonly Ticker ticker = new(settings.TickHz);
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
            SendDue();
            Poll();
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
            ? clients[client].SendQueueCount < window
            : clients[client].Socket.Poll(0, SelectMode.SelectWrite);
    }

    void Connect()
    {
        string address = Program.Resolve(settings.Address).ToString();
        KcpConfig config = Library.Config(settings);
        for (int client = 0; client < clients.Length; client++)
        {
            int index = client;
            clients[client] = new Kcp(
                load.AddConnected,
                (message, _) => OnMessage(index, message),
                () => OnLost("the server closed it"),
                (_, reason) => OnLost(reason),
                config);
            clients[client].Connect(address, (ushort)settings.Port);
            while (load.Connected < client + 1 - MostConnecting)
            {
                Advance();
            }
        }
        while (load.Connected < clients.Length)
        {
            Advance();
        }
        Records.SetSocketBuffers(clients[0].Socket.ReceiveBufferSize, clients[0].Socket.SendBufferSize);
    }

    void Advance()
    {
        Poll();
        Thread.Sleep(1);
    }

    // Those that are there already, while others are still to connect.
    void Poll()
    {
        hasReceived = false;
        for (int client = 0; client < clients.Length && clients[client] != null; client++)
        {
            clients[client].TickIncoming();
            SendDue();
            clients[client].TickOutgoing();
        }
    }

    void SendDue()
    {
        if (load.Connected < clients.Length)
        {
            return;
        }
        int length = exchange.TryNext(this, next, out int client);
        while (length > 0)
        {
            Send(client, length);
            length = exchange.TryNext(this, next, out client);
        }
    }

    void Send(int client, int length) => clients[client].Send(new ArraySegment<byte>(next, 0, length), channel);

    void OnMessage(int client, ArraySegment<byte> message)
    {
        hasReceived = true;
        int length = exchange.OnMessage(client, message, next);
        if (length > 0)
        {
            Send(client, length);
        }
    }

    // The library would swallow what a callback throws.
    void OnLost(string reason)
    {
        if (!isClosing)
        {
            Program.Exit(new Failure($"The connection to the server ended: {reason}"));
        }
    }

    void Wait()
    {
        int microseconds = exchange.WaitMicroseconds(out int client);
        if (microseconds > 0)
        {
            clients[client].Socket.Poll(microseconds, SelectMode.SelectRead);
        }
        else
        {
            // Who spins lets others have its CPU: the server may be waiting for it.
            Thread.Yield();
        }
    }

    void Close()
    {
        isClosing = true;
        Array.ForEach(clients, client => client.Disconnect());
    }
}
