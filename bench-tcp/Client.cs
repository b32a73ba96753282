using System.Net;
using System.Net.Sockets;

/// <summary>The clients of one thread: a non-blocking connection each. The thread passes over the connections; when
/// none has an answer it blocks in the one whose answer is due first, or of a stream that is to send next; in the
/// variant spin it looks again. A round trip is timed from just before the message is sent, or laid to others that one
/// send takes, to just after its answer's last byte came.</summary>
sealed class Client(Settings settings, Load load)
{
    // Messages that one pass takes, and begins beyond those that follow an answer. Where millions are in flight a pass
    // ends before all connections had one, as a start or a drain is seen between passes.
    const int MostInPass = 1 << 14;

    // Connections that may hold messages back at once: each has a buffer of the pool meanwhile.
    const int MostHolding = 32;

    readonly IPEndPoint server = new(Program.Resolve(settings.Address), settings.Port);
    readonly Exchange exchange = new(settings, load);
    readonly Connection[] connections = new Connection[load.Clients];
    // Those without a connection: the server has ended it, or they are about to connect again.
    readonly bool[] isGone = new bool[load.Clients];
    // Those in which messages lie that wait for more.
    readonly List<Connection> holding = new(MostHolding);
    // What is sent next: its length and the message.
    readonly byte[] frame = new byte[Connection.LengthBytes + Message.BufferBytes(settings)];
    readonly Ticker ticker = new(settings.PollHz);
    readonly bool spins = settings.Variant == Library.Spin;
    // Whose turn it is to be polled.
    int turn;
    // So many messages may this pass still begin.
    int mayBegin;

    /// <summary>Connects, and sends and receives until the load ends.</summary>
    public void Run()
    {
        Connect();
        while (exchange.BeginPass())
        {
            ticker.Wait();
            Churn();
            mayBegin = MostInPass;
            SendDue();
            Push();
            bool hasReceived = Poll();
            load.EndPass(hasReceived);
            if (!hasReceived)
            {
                Wait();
            }
        }
        Array.ForEach(connections, connection => connection.Dispose());
    }

    /// <summary>Whether a client's socket takes more of a stream.</summary>
    public bool HasRoom(int client) => connections[client].HasRoom();

    void Connect()
    {
        for (int client = 0; client < connections.Length; client++)
        {
            connections[client] = NewConnection();
            load.AddConnected();
        }
    }

    Connection NewConnection()
    {
        Socket socket = Connection.NewSocket(server, settings);
        socket.Connect(server);
        return new Connection(socket, settings, serverTls: null);
    }

    // One client may have to leave its room and join again, on a new connection. To connect takes as long as a round
    // trip over the network, which the messages of the others do not wait for.
    void Churn()
    {
        if (!exchange.TryLeave(frame.AsSpan(Connection.LengthBytes), out int client))
        {
            return;
        }
        Send(connections[client], Message.HeaderBytes);
        Push();
        isGone[client] = true;
        connections[client].Dispose();
        ConnectAgain(client);
    }

    // In a method of its own, as what the task captures would else be allocated in every pass.
    void ConnectAgain(int client) => Task.Run(() =>
    {
        try
        {
            connections[client] = NewConnection();
        }
        catch (Exception fault)
        {
            Program.Exit(fault);
        }
        Volatile.Write(ref isGone[client], false);
        exchange.JoinAgain(client);
    });

    void SendDue()
    {
        while (mayBegin > 0)
        {
            int length = exchange.TryNext(this, frame.AsSpan(Connection.LengthBytes), out int client);
            if (length == 0)
            {
                return;
            }
            mayBegin--;
            Send(connections[client], length);
        }
    }

    // One receive per connection and pass, so that no client starves the others.
    bool Poll()
    {
        mayBegin = MostInPass;
        int taken = 0;
        for (int polled = 0; polled < connections.Length && taken < MostInPass; polled++)
        {
            taken += Receive(turn);
            turn++;
            if (turn == connections.Length)
            {
                turn = 0;
            }
        }
        return taken > 0;
    }

    // Returns how much came: the receive and the messages that it completed.
    int Receive(int client)
    {
        Connection connection = connections[client];
        if (exchange.IsStalled(client) || !TryReceive(client))
        {
            return 0;
        }
        int taken = 1;
        while (connection.TryTake(out ReadOnlySpan<byte> message))
        {
            taken++;
            int length = exchange.OnMessage(client, message, frame.AsSpan(Connection.LengthBytes), out int sender);
            if (length > 0)
            {
                Send(connections[sender], length);
            }
            else
            {
                SendDue();
            }
        }
        Push();
        return taken;
    }

    // A stalled client whose connection the server has ended is there no more.
    bool TryReceive(int client)
    {
        if (Volatile.Read(ref isGone[client]))
        {
            return false;
        }
        try
        {
            return connections[client].TryReceive();
        }
        catch (Failure) when (exchange.TryLose(client))
        {
            isGone[client] = true;
            return false;
        }
    }

    void Send(Connection connection, int length)
    {
        bool wasHolding = connection.IsHolding;
        connection.Send(frame, length);
        if (wasHolding || !connection.IsHolding)
        {
            return;
        }
        holding.Add(connection);
        if (holding.Count == MostHolding)
        {
            Push();
        }
    }

    void Push()
    {
        foreach (Connection connection in holding)
        {
            connection.Push();
        }
        holding.Clear();
    }

    void Wait()
    {
        int microseconds = exchange.WaitMicroseconds(out int client);
        if (microseconds > 0 && !spins && !Volatile.Read(ref isGone[client]))
        {
            SelectMode awaited = exchange.IsFull ? SelectMode.SelectWrite : SelectMode.SelectRead;
            connections[client].Socket.Poll(microseconds, awaited);
        }
        else
        {
            // Who spins lets others have its CPU: the server may be waiting for it.
            Thread.Yield();
        }
    }
}
