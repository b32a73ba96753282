using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using NetCoreServer;

/// <summary>The echo server: the library's TCP, TLS or UDP server, which answers in the callback that brought the
/// message.</summary>
static class Server
{
    sealed class Tcp(Settings settings, IPAddress address) : TcpServer(address, settings.Port), IServer
    {
        protected override Socket CreateSocket()
        {
            Socket socket = base.CreateSocket();
            Library.SetBuffers(socket, settings);
            return socket;
        }

        protected override TcpSession CreateSession()
        {
            return new TcpConnection(this, settings) { OptionSendBufferLimit = MostUnsentBytes };
        }
    }

    sealed class Tls(Settings settings, SslContext context, IPAddress address)
        : SslServer(context, address, settings.Port), IServer
    {
        protected override Socket CreateSocket()
        {
            Socket socket = base.CreateSocket();
            Library.SetBuffers(socket, settings);
            return socket;
        }

        protected override SslSession CreateSession()
        {
            return new TlsConnection(this, settings) { OptionSendBufferLimit = MostUnsentBytes };
        }
    }

    sealed class TcpConnection(TcpServer server, Settings settings) : TcpSession(server), IConnection
    {
        readonly Frames frames = new(Message.BufferBytes(settings));

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            OnBytes(this, frames, frames.Append(buffer, offset, size));
        }

        protected override void OnError(SocketError error) => PutOut(this, error);

        protected override void OnDisconnected() => rooms?.End(this);
    }

    sealed class TlsConnection(SslServer server, Settings settings) : SslSession(server), IConnection
    {
        readonly Frames frames = new(Message.BufferBytes(settings));

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            OnBytes(this, frames, frames.Append(buffer, offset, size));
        }

        // Else it waits until a client has read TLS's farewell, which some never do.
        protected override void OnDisconnecting() => Socket.Dispose();

        protected override void OnError(SocketError error) => PutOut(this, error);

        protected override void OnDisconnected() => rooms?.End(this);
    }

    sealed class Udp(Settings settings, IPAddress address) : UdpServer(address, settings.Port), IServer, IDatagramSocket
    {
        // What UDP calls so is another thing.
        bool IServer.Multicast(ReadOnlySpan<byte> bytes) => false;

        protected override Socket CreateSocket()
        {
            Socket socket = base.CreateSocket();
            Library.SetBuffers(socket, settings);
            return socket;
        }

        protected override void OnStarted() => Datagrams.Receive(this);

        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            // Size 0: the last send failed, as when its client is gone.
            if (size > 0)
            {
                OnDatagram(this, endpoint, buffer.AsSpan((int)offset, (int)size));
            }
            Datagrams.Receive(this);
        }
    }

    // Without a limit the library keeps whatever a client does not read.
    const int MostUnsentBytes = 16 << 20;

    static readonly ManualResetEventSlim stopped = new();
    // Of TCP or TLS, and of UDP.
    static Rooms<IConnection>? rooms;
    static Rooms<EndPoint>? udpRooms;
    static World? world;
    // Sends to a room of all clients in the library's own way.
    static IServer? multicast;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        bool isUdp = settings.Delivery == "unreliable";
        rooms = settings.HasRooms && !isUdp ? new Rooms<IConnection>(settings) : null;
        udpRooms = settings.HasRooms && isUdp ? new Rooms<EndPoint>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        IServer server = NewServer(settings);
        multicast = Library.HasMulticast(settings) && settings.Variant != Library.Loop ? server : null;
        server.Start();
        Records.WriteReady(settings);
        if (world != null)
        {
            Play(server, settings);
        }
        stopped.Wait();
        server.Stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopped.Set();

    static IServer NewServer(Settings settings)
    {
        IPAddress address = Program.Resolve(settings.Address);
        if (settings.Security == "tls")
        {
            var context = new SslContext(SslProtocols.Tls13, Certificates.Own(settings));
            return Library.Tune(new Tls(settings, context, address) { OptionNoDelay = true }, settings);
        }
        if (settings.Delivery != "unreliable")
        {
            return Library.Tune(new Tcp(settings, address) { OptionNoDelay = true }, settings);
        }
        Udp udp = Library.Tune(new Udp(settings, address), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        udp.OptionReceiveBufferSize = Math.Max(udp.OptionReceiveBufferSize, Message.BufferBytes(settings) + 1);
        return udp;
    }

    // Sends each player its snapshot at each tick.
    static void Play(IServer server, Settings settings)
    {
        var frame = new byte[Frames.LengthBytes + settings.SnapshotBytes];
        BinaryPrimitives.WriteInt32LittleEndian(frame, settings.SnapshotBytes);
        Span<byte> snapshot = frame.AsSpan(Frames.LengthBytes);
        while (world!.WaitForTick(stopped))
        {
            if (!world.TryBeginTick())
            {
                continue;
            }
            for (int client = 0; client < settings.Clients; client++)
            {
                if (rooms != null && rooms.TryGet(client, out IConnection player))
                {
                    world.Write(client, snapshot);
                    Send(player, frame);
                }
                else if (udpRooms != null && udpRooms.TryGet(client, out EndPoint address))
                {
                    world.Write(client, snapshot);
                    Send((Udp)server, address, snapshot);
                }
            }
        }
    }

    static void OnBytes(IConnection client, Frames frames, ReadOnlySpan<byte> rest)
    {
        try
        {
            while (frames.TryTake(ref rest, out ReadOnlySpan<byte> frame))
            {
                OnFrame(client, frame);
            }
        }
        catch (InvalidDataException)
        {
            client.Disconnect();
        }
    }

    // What is echoed goes back with the length that it came with.
    static void OnFrame(IConnection client, ReadOnlySpan<byte> frame)
    {
        ReadOnlySpan<byte> message = frame[Frames.LengthBytes..];
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnFrameInRoom(client, frame, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (echo.IsEmpty)
        {
            return;
        }
        if (Greeting.IsReply(echo))
        {
            frame = Frames.Of(echo);
        }
        Send(client, frame);
    }

    static void OnFrameInRoom(IConnection client, ReadOnlySpan<byte> frame, ReadOnlySpan<byte> message)
    {
        bool isAboutRoom = Message.IsAboutRoom(message);
        if (world != null && !isAboutRoom)
        {
            world.Take(message);
            return;
        }
        IConnection[] audience = rooms!.Take(client, message);
        if (multicast != null && !isAboutRoom)
        {
            multicast.Multicast(frame);
            return;
        }
        foreach (IConnection member in audience)
        {
            Send(member, frame);
        }
    }

    // Of what it sends to all the library says so alone that a client has left too much unread.
    static void PutOut(IConnection client, SocketError error)
    {
        if (error == SocketError.NoBufferSpaceAvailable)
        {
            client.Disconnect();
        }
    }

    // A client that has left too much unread is put out.
    static void Send(IConnection client, ReadOnlySpan<byte> frame)
    {
        if (!client.SendAsync(frame))
        {
            Echo.CountUnsent(frame[Frames.LengthBytes..]);
            client.Disconnect();
        }
    }

    static void OnDatagram(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        if (udpRooms != null && !Greeting.IsRequest(message))
        {
            OnDatagramInRoom(server, client, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            Send(server, client, echo);
        }
    }

    static void OnDatagramInRoom(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (EndPoint member in udpRooms!.Take(client, message))
        {
            Send(server, member, message);
        }
    }

    static void Send(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        if (server.Send(client, message) == 0)
        {
            Echo.CountUnsent(message);
        }
    }
}
