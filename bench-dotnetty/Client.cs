using System.Net.Sockets;
using DotNetty.Buffers;
using DotNetty.Handlers.Tls;
using DotNetty.Transport.Bootstrapping;
using DotNetty.Transport.Channels;
using DotNetty.Transport.Channels.Sockets;

/// <summary>The clients: a channel each, on the library's event loops, which check the answers that one read brings,
/// write the next messages and flush them. The pacing thread writes what is due otherwise, and flushes it in Poll. A
/// round trip is timed from just before the message is written to just after its answer is taken from its frame.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Handler(Client owner, int index) : ChannelHandlerAdapter
    {
        public override void ChannelRead(IChannelHandlerContext context, object come)
        {
            var message = (IByteBuffer)come;
            if (!owner.isClosing)
            {
                owner.exchange.OnMessage(index, Library.BytesOf(message));
            }
            message.Release();
        }

        public override void ChannelReadComplete(IChannelHandlerContext context) => context.Flush();

        public override void ChannelWritabilityChanged(IChannelHandlerContext context) => owner.TellRoom();

        public override void UserEventTriggered(IChannelHandlerContext context, object happened)
        {
            if (happened is TlsHandshakeCompletionEvent { IsSuccessful: false } failed)
            {
                owner.End(failed.Exception.GetBaseException());
            }
        }

        public override void ChannelInactive(IChannelHandlerContext context) => owner.End(closed);

        // A reset is an end, too.
        public override void ExceptionCaught(IChannelHandlerContext context, Exception fault) =>
            owner.End(fault is SocketException ? closed : fault);
    }

    const int CloseMilliseconds = 2_000;

    static readonly Failure closed = new("The server closed the connection.");

    readonly Exchange exchange = new(settings, load);
    readonly IChannel[] channels = new IChannel[settings.Clients];
    readonly MultithreadEventLoopGroup loops = new();
    // Those that the pacing thread has written to.
    readonly HashSet<IChannel> pending = [];
    // Told when a channel takes more.
    readonly object room = new();
    bool isFull;
    volatile bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < channels.Length; index++)
        {
            channels[index] = Open(index).GetAwaiter().GetResult();
            load.OnOpen(index);
        }
    }

    /// <summary>Writes a message, which the next flush sends.</summary>
    public void Begin(Due due)
    {
        IChannel channel = channels[due.Index];
        _ = channel.WriteAsync(Library.NewMessage(channel, exchange.Write(due)));
        // Event loops flush when they have taken all that came.
        if (!channel.EventLoop.InEventLoop)
        {
            pending.Add(channel);
        }
    }

    /// <summary>Whether a client's channel takes more of a stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = !channels[index].IsWritable;
        return !isFull;
    }

    /// <summary>Sends what is written and waits so long: answers come on event loops. Where a stream is full it waits
    /// for room.</summary>
    public void Poll(int microseconds)
    {
        Flush();
        if (!isFull)
        {
            Delay.Sleep(microseconds);
            return;
        }
        isFull = false;
        lock (room)
        {
            if (!Array.Exists(channels, channel => channel.IsWritable))
            {
                Monitor.Wait(room, TimeSpan.FromMicroseconds(microseconds));
            }
        }
    }

    /// <summary>Closes all connections; what was written is sent first.</summary>
    public void Close()
    {
        Flush();
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(channels, channel => channel.CloseAsync()), CloseMilliseconds);
        _ = loops.ShutdownGracefullyAsync(TimeSpan.Zero, TimeSpan.FromMilliseconds(CloseMilliseconds));
    }

    async Task<IChannel> Open(int index)
    {
        try
        {
            return await new Bootstrap()
                .Group(loops)
                .Channel<TcpSocketChannel>()
                .Handler(new ActionChannelInitializer<IChannel>(channel =>
                    Library.AddHandlers(channel, settings, NewTls(), new Handler(this, index))))
                .ConnectAsync(settings.Endpoint);
        }
        catch (Exception fault)
        {
            string reason = fault.GetBaseException().Message;
            throw new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {reason}");
        }
    }

    TlsHandler? NewTls() => settings.Security == "tls" ? Library.NewTls(settings) : null;

    void Flush()
    {
        foreach (IChannel channel in pending)
        {
            channel.Flush();
        }
        pending.Clear();
    }

    void TellRoom()
    {
        lock (room)
        {
            Monitor.Pulse(room);
        }
    }

    void End(Exception fault)
    {
        if (!isClosing)
        {
            Program.Exit(fault);
        }
    }
}
