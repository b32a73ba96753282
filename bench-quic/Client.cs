/// <summary>The clients of one thread: a connection each. Threads of the pool take what comes: each checks the answer
/// and sends the next message of its slot. This thread connects, sends what is due otherwise (the first messages, those
/// at a rate, streams) and gives up the lost. A round trip is timed from just before the message is written to just
/// after its answer was read.</summary>
sealed class Client(Settings settings, Load load)
{
    const int MostCloseMilliseconds = 2_000;

    // What the calling thread is about to send.
    [ThreadStatic] static byte[]? ownMessage;

    readonly Exchange exchange = new(settings, load);
    readonly Channel[] channels = new Channel[load.Clients];
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    /// <summary>Connects, and sends what is due until the load ends.</summary>
    public void Run()
    {
        for (int client = 0; client < load.Clients; client++)
        {
            Connect(client).GetAwaiter().GetResult();
            load.AddConnected();
        }
        while (exchange.BeginPass())
        {
            Churn();
            if (!IsBehindStream || Array.TrueForAll(channels, channel => channel.KeepsOrder))
            {
                SendDue();
            }
            exchange.Pause();
        }
        isClosing = true;
        Task.WhenAll(channels.Select(channel => channel.Close())).Wait(MostCloseMilliseconds);
    }

    /// <summary>Whether a client's channel takes more of a stream.</summary>
    public bool HasRoom(int client) => channels[client].HasRoom;

    // Until the next start, what is sent must arrive after all of the stream: it tells that the stream has arrived.
    bool IsBehindStream => settings.Work == Settings.Stream && !exchange.IsStreaming;

    async Task Connect(int client)
    {
        Channel channel = await Channel.Connect(settings);
        channels[client] = channel;
        _ = Task.Run(() => Receive(client, channel));
    }

    // One client may have to leave its room and join again, on a new connection.
    void Churn()
    {
        byte[] message = OwnMessage();
        if (!exchange.TryLeave(message, out int client))
        {
            return;
        }
        channels[client].Write(message.AsSpan(0, Message.HeaderBytes));
        _ = ConnectAgain(client, channels[client].Flush());
    }

    async Task ConnectAgain(int client, Task leaving)
    {
        Channel left = channels[client];
        try
        {
            await leaving;
            await Connect(client);
            exchange.JoinAgain(client);
            await left.Close();
        }
        catch (Exception fault)
        {
            Program.Exit(fault);
        }
    }

    // What one client sends in a row goes together.
    void SendDue()
    {
        byte[] message = OwnMessage();
        Channel? last = null;
        int length = exchange.TryNext(this, message, out int client);
        while (length > 0)
        {
            if (channels[client] != last || !last.HasRoom)
            {
                _ = last?.Flush();
                last = channels[client];
            }
            last.Write(message.AsSpan(0, length));
            length = exchange.TryNext(this, message, out client);
        }
        _ = last?.Flush();
    }

    // Ends with the connection.
    async Task Receive(int client, Channel channel)
    {
        Exception end = new Failure("The server closed the connection.");
        try
        {
            await channel.Receive(
                take: (from, message) => OnMessage(client, from, message),
                isStalled: () => exchange.IsStalled(client),
                awaitsFlush: false);
        }
        catch (InvalidDataException)
        {
            end = new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
        }
        catch (Exception fault)
        {
            end = fault;
        }
        // Of a client that has left, the channel of before ends.
        if (!isClosing && channel == channels[client] && !exchange.TryLose(client))
        {
            Program.Exit(end);
        }
    }

    void OnMessage(int client, Channel channel, ReadOnlySpan<byte> message)
    {
        byte[] next = OwnMessage();
        int length = exchange.OnMessage(client, message, next, out int sender);
        if (length == 0)
        {
            return;
        }
        channels[sender].Write(next.AsSpan(0, length));
        // Its own is flushed when all that came is taken.
        if (channels[sender] != channel)
        {
            _ = channels[sender].Flush();
        }
    }

    byte[] OwnMessage() => ownMessage ??= new byte[messageBytes];
}
