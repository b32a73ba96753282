using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using NetCoreServer;

/// <summary>The server: the library's TCP, TLS or UDP server, which answers in the callback that brought the message.
/// </summary>
static class Server
{
    sealed class Tcp(Settings settings) : TcpServer(settings.Endpoint.Address, settings.Port), IServer
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

    sealed class Tls(Settings settings, SslContext context)
        : SslServer(context, settings.Endpoint.Address, settings.Port), IServer
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
        readonly Frames frames = new(Message.MostBytes(settings));

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            OnBytes(this, frames, frames.Append(buffer, offset, size));
        }

        protected override void OnError(SocketError error) => PutOut(this, error);

        protected override void OnDisconnected() => connections.OnClosed(this);
    }

    sealed class TlsConnection(SslServer server, Settings settings) : SslSession(server), IConnection
    {
        readonly Frames frames = new(Message.MostBytes(settings));

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            OnBytes(this, frames, frames.Append(buffer, offset, size));
        }

        // Else it waits until a client has read TLS's farewell, which some never do.
        protected override void OnDisconnecting() => Socket.Dispose();

        protected override void OnError(SocketError error) => PutOut(this, error);

        protected override void OnDisconnected() => connections.OnClosed(this);
    }

    sealed class Udp(Settings settings) : UdpServer(settings.Endpoint.Address, settings.Port), IServer, IDatagramSocket
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
                ReadOnlySpan<byte> message = buffer.AsSpan((int)offset, (int)size);
                foreach (EndPoint receiver in addresses.Take(ref endpoint, message))
                {
                    SendTo(this, receiver, message);
                }
            }
            Datagrams.Receive(this);
        }
    }

    // Without a limit the library keeps whatever a client does not read.
    const int MostUnsentBytes = 16 << 20;
    const int MostSleepMicroseconds = 500_000;

    // Of TCP or TLS, and of UDP.
    static Service<IConnection> connections = null!;
    static Service<EndPoint> addresses = null!;
    static bool isEcho;
    // Sends to a room of all clients in the library's own way.
    static IServer? multicast;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        connections = new Service<IConnection>(settings);
        addresses = new Service<EndPoint>(settings);
        isEcho = settings.Work == Settings.Echo;
        IServer server = NewServer(settings);
        multicast = Library.HasMulticast(settings) && settings.Variant != Library.Loop ? server : null;
        server.Start();
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(Math.Min(server is Udp ? addresses.MicrosecondsToTick : connections.MicrosecondsToTick,
                MostSleepMicroseconds));
            Tick(server as Udp);
        }
    }

    // Of UDP the service that is not used would count ticks, too.
    static void Tick(Udp? udp)
    {
        if (udp == null)
        {
            foreach (Service<IConnection>.Member player in connections.Tick())
            {
                Send(player.Connection, Frames.Of(player.Snapshot));
            }
            return;
        }
        foreach (Service<EndPoint>.Member player in addresses.Tick())
        {
            SendTo(udp, player.Connection, player.Snapshot);
        }
    }

    static IServer NewServer(Settings settings)
    {
        if (settings.Security == "tls")
        {
            var context = new SslContext(SslProtocols.Tls13, Certificates.Own(settings));
            return Library.Tune(new Tls(settings, context) { OptionNoDelay = true }, settings);
        }
        if (settings.Delivery != Settings.Unreliable)
        {
            return Library.Tune(new Tcp(settings) { OptionNoDelay = true }, settings);
        }
        Udp udp = Library.Tune(new Udp(settings), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        udp.OptionReceiveBufferSize = Math.Max(udp.OptionReceiveBufferSize, Message.MostBytes(settings) + 1);
        return udp;
    }

    // What is sent goes with the length that it came with. Echoes go back together, as in the library's echo server.
    static void OnBytes(IConnection sender, Frames frames, ReadOnlySpan<byte> come)
    {
        ReadOnlySpan<byte> rest = come;
        int echoes = 0;
        try
        {
            while (frames.TryTake(ref rest, out ReadOnlySpan<byte> frame))
            {
                ReadOnlySpan<IConnection> receivers = connections.Take(ref sender, frame[Frames.LengthBytes..]);
                if (isEcho)
                {
                    echoes++;
                    continue;
                }
                if (multicast != null && receivers.Length > 1)
                {
                    multicast.Multicast(frame);
                    continue;
                }
                foreach (IConnection receiver in receivers)
                {
                    Send(receiver, frame);
                }
            }
            if (echoes > 0)
            {
                Send(sender, come[..^rest.Length], echoes);
            }
            frames.Keep(rest);
        }
        catch (InvalidDataException)
        {
            sender.Disconnect();
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
    static void Send(IConnection client, ReadOnlySpan<byte> frames, int count = 1)
    {
        if (!client.SendAsync(frames))
        {
            Window.Now[Count.Sent] -= count;
            client.Disconnect();
        }
    }

    static void SendTo(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        if (server.Send(client, message) == 0)
        {
            Window.Now[Count.Sent]--;
        }
    }
}
