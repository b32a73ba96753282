using System.Net;
using System.Net.Sockets;
using kcp2k;

/// <summary>The echo server: one KcpServer, ticked by one thread that waits in its socket at most
/// as long as the library's shortest interval allows.</summary>
static class Server
{
    // A tenth of the interval, so that waiting adds little to it; poll knows whole milliseconds.
    const int WaitUs = 1_000;

    // The library binds to every address and keeps its socket to subclasses.
    sealed class Kcp(IPAddress address, KcpConfig config)
        : KcpServer(_ => { }, OnMessage, _ => { }, (_, _, _) => { }, config)
    {
        public Socket Socket => socket;

        public override void Start(ushort port)
        {
            var bound = config.DualMode ? address.MapToIPv6() : address;
            socket = new Socket(bound.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
            {
                Blocking = false,
                ReceiveBufferSize = config.RecvBufferSize,
                SendBufferSize = config.SendBufferSize,
            };
            if (config.DualMode) socket.DualMode = true;
            socket.Bind(new IPEndPoint(bound, port));
        }
    }

    static readonly byte[] buffer = new byte[Load.HelloBytes];
    static Kcp server = null!;
    static bool any;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        var tickAt = 0L;
        while (!stopping)
        {
            Load.Tick(settings.TickHz, ref tickAt);
            Poll();
            if (settings.TickHz == 0) server.Socket.Poll(WaitUs, SelectMode.SelectRead);
        }
        server.Stop();
    }

    static void Start(Settings settings)
    {
        Library.Silence();
        server = new Kcp(Program.Resolve(settings.Address), Library.Config(settings));
        server.Start((ushort)settings.Port);
        Records.SocketBufferBytes = (server.Socket.ReceiveBufferSize, server.Socket.SendBufferSize);
    }

    static void Poll()
    {
        any = false;
        server.Tick();
        Records.Pass(idle: !any);
    }

    // The library takes array segments: the message goes back in its own, a hello in ours.
    static void OnMessage(int connection, ArraySegment<byte> message, KcpChannel channel)
    {
        any = true;
        var echo = Load.Echo(message);
        var left = echo.IsEmpty ? 0 : Records.Answers;
        if (!echo.Overlaps(message))
        {
            echo.CopyTo(buffer);
            message = new(buffer, 0, echo.Length);
        }
        while (left-- > 0) server.Send(connection, message, channel);
    }

    public static void Stop() => stopping = true;
}
