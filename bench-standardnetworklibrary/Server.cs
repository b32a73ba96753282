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
    // Of TCP and TLS, and of UDP and reliable UDP.
    static Rooms<Guid>? rooms;
    static Rooms<IPEndPoint>? udpRooms;
    static World? world;
    // Sends a player, by its number, a snapshot of so many bytes.
    static Action<int, byte[]>? sendSnapshot;
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
        bool isUdp = settings.Delivery == "unreliable" || settings.Variant == Library.Rudp;
        rooms = settings.HasRooms && !isUdp ? new Rooms<Guid>(settings) : null;
        udpRooms = settings.HasRooms && isUdp ? new Rooms<IPEndPoint>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        RequireAddress(settings);
        Action stop = Start(settings);
        Records.WriteReady(settings);
        if (world != null)
        {
            Play(world, settings);
        }
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
        server.OnClientDisconnected = client => rooms?.End(client);
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
        server.OnClientDisconnected = client => rooms?.End(client);
        server.StartServer();
        return server.ShutdownServer;
    }

    // A send copies, and waits where a client has left 128 MB unread (MaxIndexedMemoryPerClient).
    static TcpServerBase.BytesRecieved Answer(Action<Guid, byte[], int, int> send, Action<Guid> close)
    {
        sendSnapshot = Snapshots(rooms, send);
        return (client, bytes, offset, count) =>
        {
            if (count <= 0 || count > mostBytes)
            {
                close(client);
            }
            else if (IsInRoom(bytes, offset, count))
            {
                OnMessageInRoom(rooms!, client, bytes, offset, count, send);
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
        sendSnapshot = Snapshots(udpRooms, server.SendBytesToClient);
        server.OnBytesRecieved = (client, bytes, offset, count) =>
        {
            if (IsInRoom(bytes, offset, count))
            {
                OnMessageInRoom(udpRooms!, client, bytes, offset, count, server.SendBytesToClient);
            }
            else if (OnMessage(ref bytes, ref offset, ref count))
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
        sendSnapshot = Snapshots(udpRooms, server.Send);
        server.OnReceived = (client, bytes, offset, count) =>
        {
            if (IsInRoom(bytes, offset, count))
            {
                OnMessageInRoom(udpRooms!, client, bytes, offset, count, server.Send);
            }
            else if (OnMessage(ref bytes, ref offset, ref count))
            {
                server.Send(client, bytes, offset, count);
            }
        };
        server.StartServer();
        return sockets.Dispose;
    }

    // Sends each player its snapshot at each tick.
    static void Play(World world, Settings settings)
    {
        var snapshot = new byte[settings.SnapshotBytes];
        while (world.WaitForTick(stopped))
        {
            if (!world.TryBeginTick())
            {
                continue;
            }
            for (int client = 0; client < settings.Clients; client++)
            {
                sendSnapshot!(client, snapshot);
            }
        }
    }

    static Action<int, byte[]> Snapshots<TClient>(Rooms<TClient>? rooms, Action<TClient, byte[], int, int> send)
    {
        return (client, snapshot) =>
        {
            if (rooms!.TryGet(client, out TClient player))
            {
                int length = world!.Write(client, snapshot);
                send(player, snapshot, 0, length);
            }
        };
    }

    static bool IsInRoom(byte[] bytes, int offset, int count)
    {
        return (rooms != null || udpRooms != null) && !Greeting.IsRequest(bytes.AsSpan(offset, count));
    }

    static void OnMessageInRoom<TClient>(
        Rooms<TClient> rooms,
        TClient client,
        byte[] bytes,
        int offset,
        int count,
        Action<TClient, byte[], int, int> send)
    {
        ReadOnlySpan<byte> message = bytes.AsSpan(offset, count);
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (TClient member in rooms.Take(client, message))
        {
            send(member, bytes, offset, count);
        }
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
