using System.Net.Sockets;
using System.Net;

/// <summary>The server: one socket, and one thread that blocks in receive, or in the variant spin looks for what comes
/// without pause, and answers at once.</summary>
static class Server
{
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Socket socket = Library.NewSocket(settings);
        socket.Bind(settings.Endpoint);
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
        var service = new Service<SocketAddress>(settings, keep: Copy);
        var buffer = new byte[Message.MostBytes(settings)];
        var sender = new SocketAddress(socket.AddressFamily);
        var sockets = new SocketSet(socket);
        bool blocks = settings.Variant != Library.Spin && settings.Work != Settings.Game;
        Records.WriteReady(settings);
        while (true)
        {
            int microseconds = settings.Variant == Library.Spin ? 0 : service.MicrosecondsToTick;
            if (blocks || sockets.Wait(microseconds).Length > 0)
            {
                int length = socket.ReceiveFrom(buffer, SocketFlags.None, sender);
                ReadOnlySpan<byte> message = buffer.AsSpan(0, length);
                foreach (SocketAddress receiver in service.Take(ref sender, message))
                {
                    Send(socket, receiver, message);
                }
            }
            foreach (Service<SocketAddress>.Member player in service.Tick())
            {
                Send(socket, player.Connection, player.Snapshot);
            }
        }
    }

    // The sender's address is read into the same place again and again.
    static SocketAddress Copy(SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    static void Send(Socket socket, SocketAddress receiver, ReadOnlySpan<byte> message)
    {
        try
        {
            socket.SendTo(message, SocketFlags.None, receiver);
        }
        catch (SocketException)
        {
            Window.Now[Count.Sent]--;
        }
    }
}
