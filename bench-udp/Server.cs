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
                if (settings.TickHz == 0)
                {
                    Receive(socket, buffer, sender);
                    continue;
                }
                ticker.Wait();
                while (socket.Poll(0, SelectMode.SelectRead))
                {
                    Receive(socket, buffer, sender);
                }
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

    static void Receive(Socket socket, byte[] buffer, SocketAddress sender)
    {
        int length;
        try
        {
            length = socket.ReceiveFrom(buffer, SocketFlags.None, sender);
        }
        catch (SocketException fault) when (fault.SocketErrorCode == SocketError.ConnectionReset)
        {
            // Windows says so that a client of before is gone.
            return;
        }
        OnMessage(socket, buffer.AsSpan(0, length), sender);
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    static void OnMessage(Socket socket, ReadOnlySpan<byte> message, SocketAddress sender)
    {
        ReadOnlySpan<byte> echo = Echo.Answer(message);
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
            Echo.CountUnsent(echo);
        }
    }
}
