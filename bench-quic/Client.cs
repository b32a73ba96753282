using System.Net.Quic;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>The clients: a connection each. Threads of the pool take what comes: each checks the answer and sends the
/// next message of its slot. A round trip is timed from just before the message is written to just after its answer was
/// read.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly struct Taker(Client owner, int index) : ITaker
    {
        public void Take(Channel channel, ReadOnlySpan<byte> message)
        {
            if (!owner.isClosed)
            {
                owner.exchange.OnMessage(index, message);
            }
        }
    }

    // So many clients shake hands side by side.
    const int MostConnecting = 32;

    readonly Exchange exchange = new(settings, load);
    readonly Channel?[] channels = new Channel?[settings.Clients];
    readonly Task[] receiving = [.. Enumerable.Repeat(Task.CompletedTask, settings.Clients)];
    readonly object room = new();
    // QUIC has taken something of a stream since the last wait.
    bool hasRoomAgain;
    bool isFull;
    volatile bool isClosed;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        _ = Parallel.ForAsync(0, channels.Length, new ParallelOptions { MaxDegreeOfParallelism = MostConnecting },
            async (index, _) => await Connect(index));
    }

    /// <summary>Sends a message. A client leaves its room by the end of its connection.</summary>
    public void Begin(Due due)
    {
        if (due.Sequence != Due.Leaving)
        {
            channels[due.Index]!.Write(exchange.Write(due));
        }
    }

    /// <summary>Whether a client's channel takes more of a stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = !channels[index]!.HasRoom;
        return !isFull;
    }

    /// <summary>Waits so long: answers come on threads of the pool. Where a stream is full it waits for room.
    /// </summary>
    public void Poll(int microseconds)
    {
        if (!isFull)
        {
            Delay.Sleep(microseconds);
            return;
        }
        lock (room)
        {
            if (!hasRoomAgain)
            {
                Monitor.Wait(room, TimeSpan.FromMicroseconds(microseconds));
            }
            hasRoomAgain = false;
        }
        isFull = false;
    }

    /// <summary>Wakes whoever waits for room.</summary>
    public void TellRoom()
    {
        if (settings.Work != Settings.Stream)
        {
            return;
        }
        lock (room)
        {
            hasRoomAgain = true;
            Monitor.Pulse(room);
        }
    }

    /// <summary>Closes all connections, behind all that was sent.</summary>
    public void Close()
    {
        isClosed = true;
        Task.WaitAll([.. channels.Index().Select(channel =>
            channel.Item?.Leave(receiving[channel.Index]) ?? Task.CompletedTask)]);
    }

    async Task Connect(int index)
    {
        try
        {
            Channel channel = await Channel.Connect(settings, this);
            channels[index] = channel;
            receiving[index] = Receive(index, channel);
            load.OnOpen(index);
        }
        catch (Exception fault) when (fault is QuicException or SocketException or AuthenticationException)
        {
            Program.Exit(new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}"));
        }
    }

    // Ends with the connection.
    async Task Receive(int index, Channel channel)
    {
        Exception end = new Failure("The server closed the connection.");
        try
        {
            await channel.Receive(new Taker(this, index));
        }
        catch (InvalidDataException)
        {
            end = new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
        }
        catch (QuicException fault) when (fault.QuicError == QuicError.ConnectionAborted)
        {
            // It did so with a word.
        }
        catch (Exception fault)
        {
            end = fault;
        }
        if (!isClosed)
        {
            Program.Exit(end);
        }
    }
}
