using System.Security.Cryptography.X509Certificates;
using DotNetty.Buffers;
using DotNetty.Handlers.Tls;
using DotNetty.Transport.Bootstrapping;
using DotNetty.Transport.Channels;
using DotNetty.Transport.Channels.Sockets;

/// <summary>The server: the library's event loops, one of which reads a connection, writes the answers to all that one
/// read brought, and flushes them.</summary>
static class Server
{
    // Of one connection, and so on one event loop.
    sealed class Handler : ChannelHandlerAdapter
    {
        readonly HashSet<IChannel> written = [];

        public override void ChannelRead(IChannelHandlerContext context, object come)
        {
            var message = (IByteBuffer)come;
            IChannel sender = context.Channel;
            foreach (IChannel receiver in service.Take(ref sender, Library.BytesOf(message)))
            {
                // All share the bytes that came.
                Write(receiver, message.RetainedDuplicate());
                written.Add(receiver);
            }
            message.Release();
        }

        public override void ChannelReadComplete(IChannelHandlerContext context)
        {
            foreach (IChannel receiver in written)
            {
                receiver.Flush();
            }
            written.Clear();
        }

        public override void ChannelInactive(IChannelHandlerContext context) => service.OnClosed(context.Channel);

        // The client is gone, or sends what is no message of this bench.
        public override void ExceptionCaught(IChannelHandlerContext context, Exception fault) => context.CloseAsync();
    }

    static Service<IChannel> service = null!;
    static X509Certificate2? certificate;
    static bool hasRooms;

    /// <summary>Listens, and returns where no game has to tick.</summary>
    public static void Run(Settings settings)
    {
        service = new Service<IChannel>(settings);
        certificate = settings.Security == "tls" ? Certificates.Own(settings) : null;
        hasRooms = settings.HasRooms;
        new ServerBootstrap()
            .Group(new MultithreadEventLoopGroup(1), new MultithreadEventLoopGroup())
            .Channel<TcpServerSocketChannel>()
            .Option(ChannelOption.SoBacklog, settings.Clients)
            .ChildHandler(new ActionChannelInitializer<IChannel>(channel =>
                Library.AddHandlers(channel, settings, NewTls(), new Handler())))
            .BindAsync(settings.Endpoint)
            .GetAwaiter()
            .GetResult();
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(service.MicrosecondsToTick);
            foreach (Service<IChannel>.Member player in service.Tick())
            {
                IChannel receiver = player.Connection;
                Write(receiver, Library.NewMessage(receiver, player.Snapshot));
                receiver.Flush();
            }
        }
    }

    static TlsHandler? NewTls() => certificate == null ? null : Library.NewTls(certificate);

    // A room does not wait for one who does not read.
    static void Write(IChannel receiver, IByteBuffer message)
    {
        if (hasRooms && !receiver.IsWritable)
        {
            message.Release();
            Window.Now[Count.Sent]--;
            _ = receiver.CloseAsync();
            return;
        }
        if (receiver.WriteAsync(message).IsFaulted)
        {
            // The client is gone.
            Window.Now[Count.Sent]--;
        }
    }
}
