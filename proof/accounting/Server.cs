using System.Net;
using System.Net.Sockets;

/// <summary>bench-udp's server without its counting: what comes goes back.</summary>
static class Server
{
    static Socket? socket;

    public static void Run(Settings settings)
    {
        var buffer = new byte[Message.BufferBytes(settings)];
        var sender = new SocketAddress(AddressFamily.InterNetwork);
        socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = Library.SocketBufferBytes,
            SendBufferSize = Library.SocketBufferBytes,
        };
        socket.Bind(new IPEndPoint(Program.Resolve(settings.Address), settings.Port));
        Records.WriteReady(settings);
        try
        {
            while (true)
            {
                int length = socket.ReceiveFrom(buffer, SocketFlags.None, sender);
                ReadOnlySpan<byte> message = buffer.AsSpan(0, length);
                socket.SendTo(Greeting.IsRequest(message) ? Greeting.ReplyBytes : message, SocketFlags.None, sender);
            }
        }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
        {
            // Stop closed the socket under the waiting receive.
        }
    }

    public static void Stop() => socket?.Dispose();
}
