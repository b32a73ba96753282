using System.Net;
using System.Net.Sockets;

/// <summary>The echo server: one socket, one thread that blocks in receive and answers at once.</summary>
static class Server
{
    static Socket? socket;
    static SocketAddress sender = null!;
    static byte[] buffer = [];
    static int tickHz;
    static long tickAt;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        try
        {
            while (!stopping) Poll(socket!);
        }
        catch (Exception fault) when (stopping && fault is SocketException or ObjectDisposedException)
        {
            // Stop closed the socket under the waiting receive.
        }
    }

    static void Start(Settings settings)
    {
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        buffer = new byte[Load.BufferBytes(settings)];
        sender = new SocketAddress(address.AddressFamily);
        tickHz = settings.TickHz;
        socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = Library.SocketBufferBytes,
            SendBufferSize = Library.SocketBufferBytes,
        };
        socket.Bind(address);
        Records.SocketBufferBytes = (socket.ReceiveBufferSize, socket.SendBufferSize);
    }

    // Blocks until a datagram is there; with ticks, takes then all that have gathered.
    static void Poll(Socket socket)
    {
        Load.Tick(tickHz, ref tickAt);
        do
        {
            OnMessage(socket, buffer.AsSpan(0, socket.ReceiveFrom(buffer, SocketFlags.None, sender)));
        }
        while (tickHz > 0 && socket.Poll(0, SelectMode.SelectRead));
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    static void OnMessage(Socket socket, ReadOnlySpan<byte> message)
    {
        var echo = Load.Echo(message);
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
            try
            {
                socket.SendTo(echo, SocketFlags.None, sender);
            }
            catch (SocketException) when (!stopping)
            {
                Records.Unsent();
            }
    }

    public static void Stop()
    {
        stopping = true;
        socket?.Dispose();
    }
}
