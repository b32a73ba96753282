using System.Net.Sockets;
using Riptide;
using Riptide.Transports.Udp;

/// <summary>The server: one thread that updates it and then sleeps, as the library's samples do. What came is answered
/// in the update that hands it over.</summary>
static class Server
{
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        MessageSendMode mode = Library.Mode(settings);
        var service = new Service<Connection>(settings);
        var received = new byte[Message.MostBytes(settings) + 1];
        var transport = new UdpServer(settings.Endpoint.Address, Library.SocketBufferBytes);
        var server = new Riptide.Server(transport);
        server.ClientConnected += (_, connected) => Library.Keep(connected.Client);
        server.ClientDisconnected += (_, ended) => service.OnClosed(ended.Client);
        server.MessageReceived += (_, come) =>
        {
            Connection sender = come.FromConnection;
            int length = Library.Read(come.Message, received);
            foreach (Connection receiver in service.Take(ref sender, received.AsSpan(0, length)))
            {
                server.Send(Library.NewMessage(received, length, mode), receiver);
            }
        };
        // As many as there can be: who was killed keeps its place until it times out.
        server.Start((ushort)settings.Port, Library.MostClients, useMessageHandlers: false);
        Socket socket = Library.SocketOf(transport);
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
        Records.WriteReady(settings);
        int sleepMicroseconds = Library.SleepMs(settings) * 1_000;
        while (true)
        {
            DropEmpty(socket, received);
            server.Update();
            foreach (Service<Connection>.Member player in service.Tick())
            {
                byte[] snapshot = player.Snapshot;
                server.Send(Library.NewMessage(snapshot, snapshot.Length, mode), player.Connection);
            }
            Delay.Sleep(Math.Min(sleepMicroseconds, service.MicrosecondsToTick));
        }
    }

    // The library takes an empty datagram, which anyone may send, for none, and would never see what is behind it.
    static void DropEmpty(Socket socket, byte[] buffer)
    {
        while (socket.Poll(0, SelectMode.SelectRead) && socket.Available == 0)
        {
            socket.Receive(buffer, SocketFlags.None, out _);
        }
    }
}
