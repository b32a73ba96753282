using System.Net;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The echo server: the library's for TCP, TLS, UDP or reliable UDP, which answers in the callback that
/// brought the message.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopped = new();
    static readonly Lock streaming = new();
    static int mostBytes;
    static bool sharesClients;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        Containment.Contain(settings, Thread.CurrentThread);
        // Its threads die of a length that no message has, or of a client that is gone before it was accepted; the
        // process need not. What is thrown while a message is answered is the bench's own fault.
        ExceptionHandling.SetUnhandledExceptionHandler(fault =>
            Records.IsReady && fault.StackTrace?.Contains(nameof(OnMessage)) != true);
        mostBytes = Message.BufferBytes(settings);
        RequireAddress(settings);
        Action stop = Start(settings);
        Records.WriteReady(settings);
        stopped.Wait();
        stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopped.Set();

    // The library listens on all addresses; this machine should have the one that was given.
    static void RequireAddress(Settings settings)
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        probe.Bind(new IPEndPoint(Program.Resolve(settings.Address), 0));
    }

    // Returns what stops it.
    static Action Start(Settings settings)
    {
        if (settings.Delivery == "unreliable")
        {
            return StartUdp(settings);
        }
        if (settings.Variant == Library.Rudp)
        {
            return StartRudp(settings);
        }
        return settings.Security == "tls" ? StartTls(settings) : StartTcp(settings);
    }

    static Action StartTcp(Settings settings)
    {
        ByteMessageTcpServer server = Library.Tune(new ByteMessageTcpServer(settings.Port), settings);
        server.GatherConfig = ScatterGatherConfig.UseBuffer;
        server.NaggleNoDelay = true;
        server.OnBytesReceived = Answer(server.SendBytesToClient, server.CloseSession);
        server.StartServer();
        return server.ShutdownServer;
    }

    static Action StartTls(Settings settings)
    {
        var server = new SslByteMessageServer(settings.Port, Certificates.Own(settings));
        server.GatherConfig = ScatterGatherConfig.UseBuffer;
        server.OnClientRequestedConnection = socket => socket.NoDelay = true;
        // It demands certificates of clients, which may be any.
        server.RemoteCertificateValidationCallback = (_, shown, _, _) => shown != null;
        server.OnBytesReceived = Answer(server.SendBytesToClient, server.CloseSession);
        server.StartServer();
        return server.ShutdownServer;
    }

    // A send copies, and waits where a client has left 128 MB unread (MaxIndexedMemoryPerClient).
    static TcpServerBase.BytesRecieved Answer(Action<Guid, byte[], int, int> send, Action<Guid> close)
    {
        return (client, bytes, offset, count) =>
        {
            if (count <= 0 || count > mostBytes)
            {
                close(client);
            }
            else if (OnMessage(ref bytes, ref offset, ref count))
            {
                send(client, bytes, offset, count);
            }
        };
    }

    static Action StartUdp(Settings settings)
    {
        sharesClients = settings.Work == Settings.Stream;
        var server = new AsyncUdpServer(settings.Port);
        server.OnBytesRecieved = (client, bytes, offset, count) =>
        {
            if (OnMessage(ref bytes, ref offset, ref count))
            {
                server.SendBytesToClient(client, bytes, offset, count);
            }
        };
        server.StartServer();
        return server.Dispose;
    }

    static Action StartRudp(Settings settings)
    {
        var sockets = new AsyncUdpServerLite(settings.Port);
        // It takes any other port where this one is taken.
        if (((IPEndPoint)sockets.LocalEndpoint).Port != settings.Port)
        {
            throw new SocketException((int)SocketError.AddressAlreadyInUse);
        }
        var server = new RudpServer(sockets);
        server.OnReceived = (client, bytes, offset, count) =>
        {
            if (OnMessage(ref bytes, ref offset, ref count))
            {
                server.Send(client, bytes, offset, count);
            }
        };
        server.StartServer();
        return sockets.Dispose;
    }

    // Whether what is then in the bytes, which the library copies, is to be sent back.
    static bool OnMessage(ref byte[] bytes, ref int offset, ref int count)
    {
        ReadOnlySpan<byte> message = bytes.AsSpan(offset, count);
        ReadOnlySpan<byte> echo = EchoOf(message);
        if (!echo.IsEmpty && !echo.Overlaps(message))
        {
            // The answer to a greeting.
            bytes = echo.ToArray();
            offset = 0;
            count = echo.Length;
        }
        return !echo.IsEmpty;
    }

    static ReadOnlySpan<byte> EchoOf(ReadOnlySpan<byte> message)
    {
        if (!sharesClients)
        {
            return Echo.Answer(message);
        }
        // Its UDP has as many datagrams of a client in hand at once as there are CPUs.
        lock (streaming)
        {
            return Echo.Answer(message);
        }
    }
}
