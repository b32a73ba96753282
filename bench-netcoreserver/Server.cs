using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using NetCoreServer;

/// <summary>The echo server: the library's TCP or UDP server, which answers in the callback that brought the message.</summary>
static class Server
{
    sealed class Tcp(IPAddress address, int port, int bufferBytes, bool streams) : TcpServer(address, port)
    {
        protected override Socket CreateSocket() => Configure(base.CreateSocket(), streams);
        // Without a limit the library keeps whatever a client does not read.
        protected override TcpSession CreateSession() =>
            new Session(this, bufferBytes) { OptionSendBufferLimit = MostUnsentBytes };
    }

    sealed class Session(TcpServer server, int bufferBytes) : TcpSession(server)
    {
        readonly Frames frames = new(bufferBytes);

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            var rest = frames.Append(buffer.AsSpan((int)offset, (int)size));
            try { while (frames.TryTake(ref rest, out var frame)) OnMessage(this, frame); }
            catch (InvalidDataException) { Disconnect(); }
        }
    }

    sealed class Udp(IPAddress address, int port) : UdpServer(address, port)
    {
        protected override Socket CreateSocket() => Configure(base.CreateSocket());
        protected override void OnStarted() => Receive();

        // Size 0: the last send failed, as when its client is gone.
        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            if (size > 0) OnMessage(this, endpoint, buffer.AsSpan((int)offset, (int)size));
            Receive();
        }

        void Receive()
        {
            if (!BeginReceive()) return;
            while (ReceiveAgain()) ReceiveAsync();
        }
    }

    const int MostUnsentBytes = 16 << 20;

    [ThreadStatic] static bool receiving, again;

    static readonly ManualResetEventSlim stopped = new();
    static Tcp? tcp;
    static Udp? udp;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        stopped.Wait();
        tcp?.Stop();
        udp?.Stop();
    }

    /// <summary>True for the outermost call on a thread. A receive that completes at once calls back at once, and would
    /// nest until the stack is full; so the outermost loops instead (the library's samples hop over the pool).</summary>
    public static bool BeginReceive()
    {
        again = true;
        return !receiving && (receiving = true);
    }

    /// <summary>True when the outermost call is to receive again.</summary>
    public static bool ReceiveAgain()
    {
        receiving = again;
        again = false;
        return receiving;
    }

    static void Start(Settings settings)
    {
        var address = Program.Resolve(settings.Address);
        var bufferBytes = Load.BufferBytes(settings);
        if (settings.Delivery != "unreliable")
        {
            tcp = Library.Tune(new Tcp(address, settings.Port, bufferBytes, settings.Work == "stream"), settings);
            tcp.OptionNoDelay = true;
            tcp.Start();
            return;
        }
        udp = Library.Tune(new Udp(address, settings.Port), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        udp.OptionReceiveBufferSize = Math.Max(udp.OptionReceiveBufferSize, bufferBytes + 1);
        udp.Start();
    }

    /// <summary>Asks for the socket buffers of every bench, but for TCP streams, whose system sizes them to the link; reads them back.</summary>
    public static Socket Configure(Socket socket, bool streams = false)
    {
        if (!streams) (socket.ReceiveBufferSize, socket.SendBufferSize) = (Library.SocketBufferBytes, Library.SocketBufferBytes);
        Records.SocketBufferBytes = (socket.ReceiveBufferSize, socket.SendBufferSize);
        return socket;
    }

    static void OnMessage(Session session, ReadOnlySpan<byte> frame)
    {
        var message = frame[Frames.LengthBytes..];
        var echo = Load.Echo(message);
        if (!echo.Overlaps(message)) frame = (byte[])[.. BitConverter.GetBytes(echo.Length), .. echo]; // a hello's
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
        {
            if (session.SendAsync(frame)) continue;
            Records.Unsent();
            session.Disconnect();
            return;
        }
    }

    static void OnMessage(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        var echo = Load.Echo(message);
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
            if (server.Send(client, echo) == 0) Records.Unsent();
    }

    public static void Stop() => stopped.Set();
}
