using System.Net;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The echo server: the library's for TCP, TLS, UDP or reliable UDP, which answers in the callback that brought the message.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopped = new();
    static readonly Lock streaming = new();
    static int mostBytes;
    static bool sharesClients;

    public static void Run(Settings settings)
    {
        Library.Contain(settings, Thread.CurrentThread);
        // Its threads die of a length that no message has, or of a client that is gone before it was accepted; the process need not.
        ExceptionHandling.SetUnhandledExceptionHandler(fault => Records.IsReady && fault.StackTrace?.Contains(nameof(OnMessage)) != true);
        mostBytes = Load.BufferBytes(settings);
        // It listens on all addresses; this machine should have the one that was given.
        using (var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp))
            probe.Bind(new IPEndPoint(Program.Resolve(settings.Address), 0));
        var stop = settings.Delivery == "unreliable" ? StartUdp(settings) : settings.Variant == Library.Rudp ? StartRudp(settings)
            : settings.Security == "tls" ? StartTls(settings) : StartTcp(settings);
        Records.WriteReady(settings);
        stopped.Wait();
        stop();
    }

    static Action StartTcp(Settings settings)
    {
        var server = Library.Tune(new ByteMessageTcpServer(settings.Port), settings);
        (server.GatherConfig, server.NaggleNoDelay) = (ScatterGatherConfig.UseBuffer, true);
        server.OnBytesReceived = Echo(server.SendBytesToClient, server.CloseSession);
        server.StartServer();
        return server.ShutdownServer;
    }

    static Action StartTls(Settings settings)
    {
        var certificate = Library.MakeCertificate();
        Records.CertificateSha256 = Library.Sha256(certificate);
        var server = new SslByteMessageServer(settings.Port, certificate);
        server.GatherConfig = ScatterGatherConfig.UseBuffer;
        server.OnClientRequestedConnection = socket => socket.NoDelay = true;
        // It demands certificates of clients, which may be any.
        server.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        server.OnBytesReceived = Echo(server.SendBytesToClient, server.CloseSession);
        server.StartServer();
        return server.ShutdownServer;
    }

    // A send copies, and waits where a client has left 128 MB unread (MaxIndexedMemoryPerClient).
    static TcpServerBase.BytesRecieved Echo(Action<Guid, byte[], int, int> send, Action<Guid> close) => (client, bytes, offset, count) =>
    {
        if (count <= 0 || count > mostBytes) close(client);
        else
            for (var left = OnMessage(ref bytes, ref offset, ref count); left > 0; left--) send(client, bytes, offset, count);
    };

    static Action StartUdp(Settings settings)
    {
        sharesClients = settings.Work == "stream";
        var server = new AsyncUdpServer(settings.Port);
        server.OnBytesRecieved = (client, bytes, offset, count) =>
        {
            for (var left = OnMessage(ref bytes, ref offset, ref count); left > 0; left--)
                server.SendBytesToClient(client, bytes, offset, count);
        };
        server.StartServer();
        return server.Dispose;
    }

    static Action StartRudp(Settings settings)
    {
        var sockets = new AsyncUdpServerLite(settings.Port);
        // It takes any other port where this one is taken.
        if (((IPEndPoint)sockets.LocalEndpoint).Port != settings.Port) throw new SocketException((int)SocketError.AddressAlreadyInUse);
        var server = new RudpServer(sockets);
        server.OnReceived = (client, bytes, offset, count) =>
        {
            for (var left = OnMessage(ref bytes, ref offset, ref count); left > 0; left--) server.Send(client, bytes, offset, count);
        };
        server.StartServer();
        return sockets.Dispose;
    }

    // How often what is then in the bytes, which the library copies, is to be sent back.
    static int OnMessage(ref byte[] bytes, ref int offset, ref int count)
    {
        ReadOnlySpan<byte> echo, message = bytes.AsSpan(offset, count);
        // Its UDP has as many datagrams of a client in hand at once as there are CPUs.
        if (sharesClients) lock (streaming) echo = Load.Echo(message); else echo = Load.Echo(message);
        if (echo.IsEmpty) return 0;
        if (!echo.Overlaps(message)) (bytes, offset, count) = (echo.ToArray(), 0, echo.Length); // a hello's
        return Records.Answers;
    }

    public static void Stop() => stopped.Set();
}
