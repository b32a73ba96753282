using System.Net;
using System.Net.Sockets;

/// <summary>The echo server: one socket, and one thread that blocks in receive and answers at once.</summary>
static class Server
{
    static Socket? socket;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        socket = Listen(settings);
        var buffer = new byte[Message.BufferBytes(settings)];
        var sender = new SocketAddress(socket.AddressFamily);
        var ticker = new Ticker(settings.TickHz);
        Records.WriteReady(settings);
        try
        {
            while (!isStopping)
            {
                ticker.Wait();
                do
                {
                    int length = socket.ReceiveFrom(buffer, SocketFlags.None, sender);
                    OnMessage(socket, buffer.AsSpan(0, length), sender);
                }
                // With ticks it takes all that has gathered.
                while (settings.TickHz > 0 && socket.Poll(0, SelectMode.SelectRead));
            }
        }
        catch (Exception fault) when (isStopping && fault is SocketException or ObjectDisposedException)
        {
            // Stop closed the socket under the waiting receive.
        }
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop()
    {
        isStopping = true;
        socket?.Dispose();
    }

    static Socket Listen(Settings settings)
    {
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        var listening = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = Library.SocketBufferBytes,
            SendBufferSize = Library.SocketBufferBytes,
        };
        listening.Bind(address);
        Records.SetSocketBuffers(listening.ReceiveBufferSize, listening.SendBufferSize);
        return listening;
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    static void OnMessage(Socket socket, ReadOnlySpan<byte> message, SocketAddress sender)
    {
        ReadOnlySpan<byte> echo = Echo.Of(message);
        if (echo.IsEmpty)
        {
            return;
        }
        try
        {
            socket.SendTo(echo, SocketFlags.None, sender);
        }
        catch (SocketException) when (!isStopping)
        {
            Echo.CountUnsent();
        }
    }
}
