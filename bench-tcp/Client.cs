using System.Net.Sockets;

/// <summary>The clients: a non-blocking connection each, and one thread that blocks until any of them has something, or
/// in the variant spin looks without pause. A round trip is timed from just before the message is sent, or laid to
/// others that one send takes, to just after its answer's last byte came.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Exchange exchange = new(settings, load);
    readonly Connection[] connections = new Connection[settings.Clients];
    // Those in which messages lie that wait for more.
    readonly List<Connection> holding = [];
    readonly bool spins = settings.Variant == Library.Spin;
    SocketSet sockets = null!;
    bool isFull;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < connections.Length; index++)
        {
            Socket socket = Connection.NewSocket(settings.Endpoint, settings);
            try
            {
                socket.Connect(settings.Endpoint);
            }
            catch (SocketException fault)
            {
                throw new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}");
            }
            connections[index] = new Connection(socket, settings, serverTls: null);
            load.OnOpen(index);
        }
        sockets = new SocketSet(Array.ConvertAll(connections, connection => connection.Socket));
    }

    /// <summary>Sends a message; in the profile tuned at the latest in the next Poll.</summary>
    public void Begin(Due due)
    {
        Connection connection = connections[due.Index];
        bool wasHolding = connection.IsHolding;
        connection.Send(exchange.Write(due));
        if (!wasHolding && connection.IsHolding)
        {
            holding.Add(connection);
        }
    }

    /// <summary>Whether a client's socket takes more of a stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = !connections[index].HasRoom();
        return !isFull;
    }

    /// <summary>Takes what has come; where nothing has, waits for it, so long at most. Where a stream is full it waits
    /// for room, too.</summary>
    public void Poll(int microseconds)
    {
        Push();
        // The answer of a lone client is often there already.
        if (connections.Length > 1 || !TryReceive(0))
        {
            foreach (int index in sockets.Wait(spins ? 0 : microseconds, isFull))
            {
                TryReceive(index);
            }
        }
        isFull = false;
        Push();
    }

    /// <summary>Closes all connections.</summary>
    public void Close() => Array.ForEach(connections, connection => connection.Dispose());

    bool TryReceive(int index)
    {
        Connection connection = connections[index];
        bool hasReceived = connection.TryReceive();
        bool mayHaveMore = hasReceived;
        while (mayHaveMore)
        {
            while (connection.TryTake(out ReadOnlySpan<byte> message))
            {
                exchange.OnMessage(index, message);
            }
            mayHaveMore = connection.IsEncrypted && connection.TryReceive();
        }
        return hasReceived;
    }

    void Push()
    {
        foreach (Connection connection in holding)
        {
            connection.Push();
        }
        holding.Clear();
    }
}
