using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using NetCoreServer;

/// <summary>The echo server: the library's TCP, TLS or UDP server, which answers in the callback that brought the message.</summary>
static class Server
{
    // Without a limit the library keeps whatever a client does not read.
    sealed class Tcp(IPAddress address, int port) : TcpServer(address, port), IServer
    {
        protected override Socket CreateSocket() => Configure(base.CreateSocket(), streams);
        protected override TcpSession CreateSession() => new Session(this) { OptionSendBufferLimit = MostUnsentBytes };
    }

    sealed class Tls(SslContext context, IPAddress address, int port) : SslServer(context, address, port), IServer
    {
        protected override Socket CreateSocket() => Configure(base.CreateSocket(), streams);
        protected override SslSession CreateSession() => new SafeSession(this) { OptionSendBufferLimit = MostUnsentBytes };
    }

    sealed class Session(TcpServer server) : TcpSession(server), IConnection
    {
        readonly Frames frames = new(bufferBytes);
        protected override void OnReceived(byte[] buffer, long offset, long size) => OnBytes(this, frames, frames.Append(buffer, offset, size));
    }

    sealed class SafeSession(SslServer server) : SslSession(server), IConnection
    {
        readonly Frames frames = new(bufferBytes);
        protected override void OnReceived(byte[] buffer, long offset, long size) => OnBytes(this, frames, frames.Append(buffer, offset, size));
        // Else it waits until a client has read TLS's farewell, which some never do.
        protected override void OnDisconnecting() => Socket.Dispose();
    }

    sealed class Udp(IPAddress address, int port) : UdpServer(address, port), IServer, IReceiver
    {
        protected override Socket CreateSocket() => Configure(base.CreateSocket());
        protected override void OnStarted() => Server.Receive(this);

        // Size 0: the last send failed, as when its client is gone.
        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            if (size > 0) OnMessage(this, endpoint, buffer.AsSpan((int)offset, (int)size));
            Server.Receive(this);
        }
    }

    const int MostUnsentBytes = 16 << 20;

    [ThreadStatic] static bool receiving, again;

    static readonly ManualResetEventSlim stopped = new();
    static int bufferBytes;
    static bool streams;

    public static void Run(Settings settings)
    {
        var server = Made(settings);
        server.Start();
        Records.WriteReady(settings);
        stopped.Wait();
        server.Stop();
    }

    /// <summary>Receives the next datagram. One that is there already calls back at once, and would nest until the stack is full;
    /// so the outermost call on a thread loops instead (the library's samples hop over the pool).</summary>
    public static void Receive(IReceiver udp)
    {
        again = true;
        if (receiving) return;
        for (; receiving = again; udp.ReceiveAsync()) again = false;
    }

    static IServer Made(Settings settings)
    {
        var address = Program.Resolve(settings.Address);
        (bufferBytes, streams) = (Load.BufferBytes(settings), settings.Work == "stream");
        if (settings.Security == "tls")
            return Library.Tune(new Tls(new(SslProtocols.Tls13, MadeCertificate()), address, settings.Port) { OptionNoDelay = true }, settings);
        if (settings.Delivery != "unreliable") return Library.Tune(new Tcp(address, settings.Port) { OptionNoDelay = true }, settings);
        var udp = Library.Tune(new Udp(address, settings.Port), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        udp.OptionReceiveBufferSize = Math.Max(udp.OptionReceiveBufferSize, bufferBytes + 1);
        return udp;
    }

    // Its hash the record tells.
    static X509Certificate2 MadeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var made = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // Windows takes no key that is in memory alone.
        var certificate = X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
        Records.CertificateSha256 = Sha256(certificate);
        return certificate;
    }

    public static string Sha256(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant();

    /// <summary>Asks for the socket buffers of every bench, but for TCP streams, whose system sizes them to the link; reads them back.</summary>
    public static Socket Configure(Socket socket, bool streams = false)
    {
        if (!streams) (socket.ReceiveBufferSize, socket.SendBufferSize) = (Library.SocketBufferBytes, Library.SocketBufferBytes);
        Records.SocketBufferBytes = (socket.ReceiveBufferSize, socket.SendBufferSize);
        return socket;
    }

    static void OnBytes(IConnection client, Frames frames, ReadOnlySpan<byte> rest)
    {
        try { while (frames.TryTake(ref rest, out var frame)) OnMessage(client, frame); }
        catch (InvalidDataException) { client.Disconnect(); }
    }

    static void OnMessage(IConnection client, ReadOnlySpan<byte> frame)
    {
        var message = frame[Frames.LengthBytes..];
        var echo = Load.Echo(message);
        if (!echo.Overlaps(message)) frame = (byte[])[.. BitConverter.GetBytes(echo.Length), .. echo]; // a hello's
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
            if (!client.SendAsync(frame)) { Records.Unsent(); client.Disconnect(); }
    }

    static void OnMessage(Udp server, EndPoint client, ReadOnlySpan<byte> message)
    {
        var echo = Load.Echo(message);
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
            if (server.Send(client, echo) == 0) Records.Unsent();
    }

    public static void Stop() => stopped.Set();
}
