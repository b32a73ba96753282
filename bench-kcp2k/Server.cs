using System.Net;
using System.Net.Sockets;
using kcp2k;

/// <summary>The server: one KcpServer, and one thread that blocks in its socket, for a millisecond at most, and
/// ticks.</summary>
static class Server
{
    // The library binds to every address and keeps its socket to subclasses.
    sealed class Kcp(IPAddress address, Action<int, ArraySegment<byte>, KcpChannel> data, Action<int> ended,
        KcpConfig config)
        : KcpServer(_ => { }, data, ended, (_, _, _) => { }, config)
    {
        public Socket Socket => socket;

        public override void Start(ushort port)
        {
            socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
            {
                Blocking = false,
                ReceiveBufferSize = config.RecvBufferSize,
                SendBufferSize = config.SendBufferSize,
            };
            socket.Bind(new IPEndPoint(address, port));
        }
    }

    // A tenth of the interval, so that waiting adds little to it.
    const int WaitMicroseconds = 1_000;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Library.Silence();
        KcpChannel channel = Library.Channel(settings);
        var service = new Service<int>(settings);
        Kcp server = null!;
        server = new Kcp(
            settings.Endpoint.Address,
            // The library takes array segments: a message goes back in its own.
            (connection, message, _) =>
            {
                foreach (int receiver in service.Take(ref connection, message))
                {
                    server.Send(receiver, message, channel);
                }
            },
            service.OnClosed,
            Library.Config(settings));
        server.Start((ushort)settings.Port);
        Records.SocketBuffers = (server.Socket.ReceiveBufferSize, server.Socket.SendBufferSize);
        var sockets = new SocketSet(server.Socket);
        Records.WriteReady(settings);
        while (true)
        {
            sockets.Wait(Math.Min(WaitMicroseconds, service.MicrosecondsToTick));
            server.TickIncoming();
            foreach (Service<int>.Member player in service.Tick())
            {
                server.Send(player.Connection, player.Snapshot, channel);
            }
            server.TickOutgoing();
        }
    }
}
