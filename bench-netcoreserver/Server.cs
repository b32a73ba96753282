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
    }

    sealed class Udp(Settings settings, IPAddress address) : UdpServer(address, settings.Port), IServer, IDatagramSocket
    {
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

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        IServer server = NewServer(settings);
        server.Start();
        Records.WriteReady(settings);
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
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (echo.IsEmpty)
        {
            return;
        }
        if (Greeting.IsReply(echo))
        {
            frame = Frames.Of(echo);
        }
        if (!client.SendAsync(frame))
        {
            Echo.CountUnsent(echo);
            client.Disconnect();
        }
    }

    static void OnDatagram(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty && server.Send(client, echo) == 0)
        {
            Echo.CountUnsent(echo);
        }
    }
}
