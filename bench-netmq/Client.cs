using NetMQ;
using NetMQ.Monitoring;
using NetMQ.Sockets;

/// <summary>The clients: a DEALER each, and one thread for them all, as a socket must not be used by two. It waits by
/// the library's selector and takes all that has come. A round trip is timed from just before the message is handed to
/// the library to just after it hands the answer over.</summary>
sealed class Client(Settings settings, Load load)
{
    const int LingerSeconds = 1;

    readonly Exchange exchange = new(settings, load);
    readonly DealerSocket[] sockets = new DealerSocket[settings.Clients];
    readonly NetMQMonitor[] monitors = new NetMQMonitor[settings.Clients];
    readonly NetMQPoller monitoring = [];
    readonly NetMQSelector selector = new();
    // The second ones also wait until a full stream takes more.
    readonly NetMQSelector.Item[] items = new NetMQSelector.Item[settings.Clients];
    readonly NetMQSelector.Item[] itemsWithRoom = new NetMQSelector.Item[settings.Clients];
    Msg received;
    bool isFull;
    volatile bool isClosing;

    /// <summary>Opens all connections. The library connects later, and sends then what has been handed to it.</summary>
    public void Connect()
    {
        received.InitEmpty();
        for (int index = 0; index < sockets.Length; index++)
        {
            sockets[index] = new DealerSocket();
            Library.Set(sockets[index].Options, settings);
            items[index] = new NetMQSelector.Item(sockets[index], PollEvents.PollIn);
            itemsWithRoom[index] = new NetMQSelector.Item(sockets[index], PollEvents.PollIn | PollEvents.PollOut);
            Watch(index);
            sockets[index].Connect($"tcp://{settings.Endpoint}");
            load.OnOpen(index);
        }
        monitoring.RunAsync();
    }

    /// <summary>Hands a message to the library.</summary>
    public void Begin(Due due)
    {
        Msg message = Library.NewMessage(exchange.Write(due));
        if (!sockets[due.Index].TrySend(ref message, TimeSpan.Zero, more: false))
        {
            message.Close();
            throw new Failure("The library refused a message.");
        }
    }

    /// <summary>Whether a client may send more of a stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = !sockets[index].HasOut;
        return !isFull;
    }

    /// <summary>Takes what has come; where nothing has, waits for it, so long at most. The library waits for whole
    /// milliseconds, so that less is slept.</summary>
    public void Poll(int microseconds)
    {
        NetMQSelector.Item[] awaited = isFull ? itemsWithRoom : items;
        if (selector.Select(awaited, awaited.Length, microseconds / 1_000))
        {
            for (int index = 0; index < awaited.Length; index++)
            {
                if ((awaited[index].ResultEvent & PollEvents.PollIn) != 0)
                {
                    TakeAll(index);
                }
            }
        }
        else if (microseconds < 1_000)
        {
            Delay.Sleep(microseconds);
        }
        isFull = false;
    }

    /// <summary>Closes all connections; what was handed over before is sent first.</summary>
    public void Close()
    {
        isClosing = true;
        monitoring.Stop();
        Array.ForEach(monitors, monitor => monitor.DetachFromPoller());
        foreach (DealerSocket socket in sockets)
        {
            socket.Options.Linger = TimeSpan.FromSeconds(LingerSeconds);
            socket.Dispose();
        }
        Array.ForEach(monitors, monitor => monitor.Dispose());
        monitoring.Dispose();
    }

    // The library would connect again, for as long as it takes.
    void Watch(int index)
    {
        string place = $"inproc://client-{index}-{Guid.NewGuid()}";
        monitors[index] = new NetMQMonitor(sockets[index], place, SocketEvents.Disconnected);
        monitors[index].Disconnected += (_, _) =>
        {
            if (!isClosing)
            {
                Program.Exit(new Failure("The server closed the connection."));
            }
        };
        monitors[index].AttachToPoller(monitoring);
    }

    void TakeAll(int index)
    {
        while (sockets[index].TryReceive(ref received, TimeSpan.Zero))
        {
            exchange.OnMessage(index, received.Slice());
        }
    }
}
