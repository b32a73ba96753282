using System.Net;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The server: the library's for TCP, TLS, UDP or reliable UDP, which answers in the callback that brought the
/// message.</summary>
static class Server
{
    // What is alike in the library's servers, which have no base of their own that sends a part of an array.
    interface ISender<TClient>
    {
        // Copies, and waits where a client has left 128 MB of TCP unread.
        void Send(TClient client, byte[] bytes, int offset, int count);
    }

    readonly struct Tcp(ByteMessageTcpServer server) : ISender<Guid>
    {
        public void Send(Guid client, byte[] bytes, int offset, int count) =>
            server.SendBytesToClient(client, bytes, offset, count);
    }

    readonly struct Tls(SslByteMessageServer server) : ISender<Guid>
    {
        public void Send(Guid client, byte[] bytes, int offset, int count) =>
            server.SendBytesToClient(client, bytes, offset, count);
    }

    readonly struct Udp(AsyncUdpServer server) : ISender<IPEndPoint>
    {
        public void Send(IPEndPoint client, byte[] bytes, int offset, int count) =>
            server.SendBytesToClient(client, bytes, offset, count);
    }

    readonly struct Rudp(RudpServer server) : ISender<IPEndPoint>
    {
        public void Send(IPEndPoint client, byte[] bytes, int offset, int count) =>
            server.Send(client, bytes, offset, count);
    }

    sealed class Answerer<TClient, TSender>(Settings settings, TSender sender)
        where TClient : notnull
        where TSender : struct, ISender<TClient>
    {
        public readonly Service<TClient> Service = new(settings);

        readonly int mostBytes = Message.MostBytes(settings);
        // Its UDP has as many datagrams of a client in hand at once as there are CPUs, which streams do not bear.
        readonly bool sharesClients = settings is { Work: Settings.Stream, Delivery: Settings.Unreliable };
        readonly Lock streaming = new();

        public void OnMessage(TClient client, byte[] bytes, int offset, int count)
        {
            if (count <= 0 || count > mostBytes)
            {
                // The library takes any length from a stranger, even one below 0.
                return;
            }
            if (!sharesClients)
            {
                Answer(client, bytes, offset, count);
                return;
            }
            lock (streaming)
            {
                Answer(client, bytes, offset, count);
            }
        }

        // Says that the server listens, and lets a game tick for ever.
        public void Serve()
        {
            Records.WriteReady(settings);
            while (settings.Work == Settings.Game)
            {
                Delay.Sleep(Math.Min(Service.MicrosecondsToTick, MostSleepMicroseconds));
                foreach (Service<TClient>.Member player in Service.Tick())
                {
                    sender.Send(player.Connection, player.Snapshot, 0, player.Snapshot.Length);
                }
            }
        }

        void Answer(TClient client, byte[] bytes, int offset, int count)
        {
            foreach (TClient receiver in Service.Take(ref client, bytes.AsSpan(offset, count)))
            {
                sender.Send(receiver, bytes, offset, count);
            }
        }
    }

    const int MostSleepMicroseconds = 500_000;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Containment.Contain(settings);
        ExceptionHandling.SetUnhandledExceptionHandler(IsOfLibrary);
        RequireAddress(settings);
        if (settings.Delivery == Settings.Unreliable)
        {
            RunUdp(settings);
        }
        else if (settings.Variant == Library.Rudp)
        {
            RunRudp(settings);
        }
        else if (settings.Security == "tls")
        {
            RunTls(settings);
        }
        else
        {
            RunTcp(settings);
        }
    }

    // Its threads die of a length that no message has, or of a client that is gone before it was accepted; the process
    // need not. What is thrown while a message is answered is the bench's own fault.
    static bool IsOfLibrary(Exception fault)
    {
        string trace = fault.StackTrace ?? "";
        return Records.IsReady && trace.Contains("at NetworkLibrary.", StringComparison.Ordinal)
            && !trace.Contains($"at {nameof(Server)}.", StringComparison.Ordinal);
    }

    // The library listens on all addresses; this machine should have the one that was given.
    static void RequireAddress(Settings settings)
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        probe.Bind(new IPEndPoint(settings.Endpoint.Address, 0));
    }

    static void RunTcp(Settings settings)
    {
        ByteMessageTcpServer server = Library.Tune(new ByteMessageTcpServer(settings.Port), settings);
        var answerer = new Answerer<Guid, Tcp>(settings, new Tcp(server));
        server.GatherConfig = ScatterGatherConfig.UseBuffer;
        server.NaggleNoDelay = true;
        server.OnBytesReceived = answerer.OnMessage;
        server.OnClientDisconnected = answerer.Service.OnClosed;
        server.StartServer();
        answerer.Serve();
    }

    static void RunTls(Settings settings)
    {
        var server = new SslByteMessageServer(settings.Port, Certificates.Own(settings));
        var answerer = new Answerer<Guid, Tls>(settings, new Tls(server));
        server.GatherConfig = ScatterGatherConfig.UseBuffer;
        server.OnClientRequestedConnection = socket => socket.NoDelay = true;
        // It demands certificates of clients, which may be any.
        server.RemoteCertificateValidationCallback = (_, shown, _, _) => shown != null;
        server.OnBytesReceived = answerer.OnMessage;
        server.OnClientDisconnected = answerer.Service.OnClosed;
        server.StartServer();
        answerer.Serve();
    }

    static void RunUdp(Settings settings)
    {
        var server = new AsyncUdpServer(settings.Port);
        var answerer = new Answerer<IPEndPoint, Udp>(settings, new Udp(server));
        server.OnBytesRecieved = answerer.OnMessage;
        server.StartServer();
        answerer.Serve();
    }

    static void RunRudp(Settings settings)
    {
        var sockets = new AsyncUdpServerLite(settings.Port);
        // It takes any other port where this one is taken.
        if (((IPEndPoint)sockets.LocalEndpoint).Port != settings.Port)
        {
            throw new SocketException((int)SocketError.AddressAlreadyInUse);
        }
        var server = new RudpServer(sockets);
        var answerer = new Answerer<IPEndPoint, Rudp>(settings, new Rudp(server));
        server.OnReceived = answerer.OnMessage;
        server.StartServer();
        answerer.Serve();
    }
}
