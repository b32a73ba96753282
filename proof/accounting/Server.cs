using System.Net;
using System.Net.Sockets;

/// <summary>bench-udp's server without its counting: what comes goes back.</summary>
static class Server
{
    static Socket socket = null!;
    static volatile bool stopping;

    public static int? ReceiveQueueBytes() => null;

    public static void Run(Settings settings)
    {
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        var buffer = new byte[Load.BufferBytes(settings)];
        var sender = new SocketAddress(address.AddressFamily);
        socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = Library.SocketBufferBytes,
            SendBufferSize = Library.SocketBufferBytes,
        };
        socket.Bind(address);
        Stats.WriteReady();
        try
        {
            while (!stopping)
                socket.SendTo(buffer.AsSpan(0, socket.ReceiveFrom(buffer, SocketFlags.None, sender)),
                    SocketFlags.None, sender);
        }
        catch (Exception fault) when (stopping && fault is SocketException or ObjectDisposedException)
        {
            // Stop closed the socket under the waiting receive.
        }
    }

    public static void Stop()
    {
        stopping = true;
        socket.Dispose();
    }
}
