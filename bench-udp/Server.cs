using System.Net;
using System.Net.Sockets;

/// <summary>The echo server: one socket, and one thread that blocks in receive, or in the variant spin looks for what
/// comes without pause, and answers at once.</summary>
static class Server
{
    static Socket? socket;
    static Rooms<SocketAddress>? rooms;
    static World? world;
    static bool spins;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<SocketAddress>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        spins = settings.Variant == Library.Spin;
        socket = Listen(settings);
        var buffer = new byte[Message.BufferBytes(settings)];
        var sender = new SocketAddress(socket.AddressFamily);
        var ticker = new Ticker(settings.TickHz);
        Records.WriteReady(settings);
        try
        {
            while (!isStopping)
            {
                if (world != null)
                {
                    Play(socket, buffer, sender);
                    continue;
                }
                if (spins && settings.TickHz == 0)
                {
                    Look(socket, buffer, sender);
                    continue;
                }
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

    // Who spins lets others have its CPU: the clients may be waiting for it.
    static void Look(Socket socket, byte[] buffer, SocketAddress sender)
    {
        bool has = socket.Poll(0, SelectMode.SelectRead);
        Echo.CountPass(!has);
        if (has)
        {
            Receive(socket, buffer, sender);
        }
        else
        {
            Thread.Yield();
        }
    }

    // Takes inputs until a tick is due, and sends each player its snapshot.
    static void Play(Socket socket, byte[] buffer, SocketAddress sender)
    {
        if (spins)
        {
            Look(socket, buffer, sender);
        }
        else if (socket.Poll(world!.WaitMicroseconds, SelectMode.SelectRead))
        {
            Receive(socket, buffer, sender);
        }
        if (!world!.TryBeginTick())
        {
            return;
        }
        for (int client = 0; client < rooms!.Clients; client++)
        {
            if (rooms.TryGet(client, out SocketAddress player))
            {
                int length = world.Write(client, buffer);
                Send(socket, buffer.AsSpan(0, length), player);
            }
        }
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
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnMessageInRoom(socket, message, sender);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            Send(socket, echo, sender);
        }
    }

    static void OnMessageInRoom(Socket socket, ReadOnlySpan<byte> message, SocketAddress sender)
    {
        bool isAboutRoom = Message.IsAboutRoom(message);
        if (world != null && !isAboutRoom)
        {
            world.Take(message);
            return;
        }
        // The sender's address is read into the same place again and again.
        SocketAddress from = isAboutRoom ? Copy(sender) : sender;
        foreach (SocketAddress member in rooms!.Take(from, message))
        {
            Send(socket, message, member);
        }
    }

    static SocketAddress Copy(SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }

    static void Send(Socket socket, ReadOnlySpan<byte> message, SocketAddress receiver)
    {
        try
        {
            socket.SendTo(message, SocketFlags.None, receiver);
        }
        catch (SocketException) when (!isStopping)
        {
            Echo.CountUnsent(message);
        }
    }
}
