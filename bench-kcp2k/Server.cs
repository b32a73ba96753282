using System.Net;
using System.Net.Sockets;
using kcp2k;

/// <summary>The echo server: one KcpServer, ticked by one thread that waits in its socket at most as long as the
/// library's shortest interval allows.</summary>
static class Server
{
    // The library binds to every address and keeps its socket to subclasses.
    sealed class Kcp(IPAddress address, KcpConfig config)
        : KcpServer(_ => { }, OnMessage, connection => rooms?.End(connection), (_, _, _) => { }, config)
    {
        public Socket Socket => socket;

        public override void Start(ushort port)
        {
            IPAddress bound = config.DualMode ? address.MapToIPv6() : address;
            socket = new Socket(bound.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
            {
                Blocking = false,
                ReceiveBufferSize = config.RecvBufferSize,
                SendBufferSize = config.SendBufferSize,
            };
            if (config.DualMode)
            {
                socket.DualMode = true;
            }
            socket.Bind(new IPEndPoint(bound, port));
        }
    }

    // A tenth of the interval, so that waiting adds little to it; poll knows whole milliseconds.
    const int WaitMicroseconds = 1_000;

    static Kcp? server;
    static Rooms<int>? rooms;
    static World? world;
    static byte[] snapshot = [];
    static KcpChannel ownChannel;
    static bool hasReceived;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Library.Silence();
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<int>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        snapshot = new byte[Message.BufferBytes(settings)];
        ownChannel = Library.Channel(settings);
        server = new Kcp(Program.Resolve(settings.Address), Library.Config(settings));
        server.Start((ushort)settings.Port);
        Records.SetSocketBuffers(server.Socket.ReceiveBufferSize, server.Socket.SendBufferSize);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.PollHz);
        while (!isStopping)
        {
            ticker.Wait();
            hasReceived = false;
            server.TickIncoming();
            if (world != null && world.TryBeginTick())
            {
                SendSnapshots(world);
            }
            server.TickOutgoing();
            Echo.CountPass(isIdle: !hasReceived);
            if (settings.PollHz == 0)
            {
                int wait = world == null ? WaitMicroseconds : Math.Min(WaitMicroseconds, world.WaitMicroseconds);
                server.Socket.Poll(wait, SelectMode.SelectRead);
            }
        }
        server.Stop();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static void SendSnapshots(World world)
    {
        for (int client = 0; client < rooms!.Clients; client++)
        {
            if (rooms.TryGet(client, out int player))
            {
                int length = world.Write(client, snapshot);
                server!.Send(player, new ArraySegment<byte>(snapshot, 0, length), ownChannel);
            }
        }
    }

    // The library takes array segments: a message goes back in its own.
    static void OnMessage(int connection, ArraySegment<byte> message, KcpChannel channel)
    {
        hasReceived = true;
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnMessageInRoom(connection, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            bool isMessage = echo.Overlaps(message);
            server!.Send(connection, isMessage ? message : Greeting.ReplyBytes, channel);
        }
    }

    static void OnMessageInRoom(int connection, ArraySegment<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (int member in rooms!.Take(connection, message))
        {
            server!.Send(member, message, ownChannel);
        }
    }
}
