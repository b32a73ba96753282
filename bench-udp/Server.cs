using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>The echo server: one socket, and one thread that blocks in receive, or in the variant spin looks for what
/// comes without pause, and answers at once; in the profile tuned all together that came together.</summary>
static class Server
{
    static Socket? socket;
    static Rooms<SocketAddress>? rooms;
    static World? world;
    static bool spins;
    // Of the profile tuned: what one call receives, and what one call is to send; null: each message has a call of its
    // own.
    static Arrivals? arrivals;
    static Departures? departures;
    // Those who get what is laid just now, and the array of one of them.
    static SocketAddress[] receivers = [];
    static SocketAddress[] lone = [];
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
        if (settings.Profile == "tuned")
        {
            Batches.ReceiveTrains(socket);
            arrivals = new Arrivals(Batches.MostInCall);
            departures = new Departures(Batches.MostTogether(Program.Resolve(settings.Address))) { Socket = socket };
            lone = [new SocketAddress(socket.AddressFamily)];
        }
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
        Push();
    }

    static void Receive(Socket socket, byte[] buffer, SocketAddress sender)
    {
        if (arrivals != null)
        {
            ReceiveMany(socket, sender);
            return;
        }
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

    static void ReceiveMany(Socket socket, SocketAddress sender)
    {
        bool has = arrivals!.TryReceive(socket, waits: true);
        int error = Batches.Error;
        if (isStopping)
        {
            // What a socket that is closed under the waiting receive has got is an empty message that nobody sent.
            return;
        }
        if (!has)
        {
            if (error == Batches.Interrupted)
            {
                return;
            }
            throw new Failure($"The server cannot receive: {Marshal.GetPInvokeErrorMessage(error)}.");
        }
        while (arrivals.TryTake(out ReadOnlySpan<byte> message))
        {
            arrivals.CopySender(sender);
            OnMessage(socket, message, sender);
        }
        Push();
    }

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
        SocketAddress[] members = rooms!.Take(from, message);
        if (departures != null && members.Length > 0)
        {
            Lay(message, members);
            return;
        }
        foreach (SocketAddress member in members)
        {
            Send(socket, message, member);
        }
    }

    static SocketAddress Copy(SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        Copy(address, copy);
        return copy;
    }

    static void Copy(SocketAddress address, SocketAddress copy)
    {
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        copy.Size = address.Size;
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    static void Send(Socket socket, ReadOnlySpan<byte> message, SocketAddress receiver)
    {
        if (departures != null)
        {
            Lay(message, receiver);
            return;
        }
        try
        {
            socket.SendTo(message, SocketFlags.None, receiver);
        }
        catch (SocketException) when (!isStopping)
        {
            Echo.CountUnsent(message);
        }
    }

    static void Lay(ReadOnlySpan<byte> message, SocketAddress receiver)
    {
        if (receivers != lone || !lone[0].Equals(receiver))
        {
            Close();
            // The receiver's address may be read into the same place again and again.
            Copy(receiver, lone[0]);
        }
        Lay(message, lone);
    }

    // Lays a message to others that the same get, and so many of them that wait to be sent.
    static void Lay(ReadOnlySpan<byte> message, SocketAddress[] all)
    {
        if (receivers != all || !departures!.CanLay(message.Length))
        {
            Close();
            receivers = all;
        }
        if (!departures!.CanLay(message.Length))
        {
            SendLaid();
        }
        departures.Lay(message);
    }

    // Names those who get what is laid just now.
    static void Close()
    {
        if (!departures!.IsOpen)
        {
            return;
        }
        foreach (SocketAddress receiver in receivers)
        {
            if (departures.IsFull)
            {
                SendLaid();
            }
            departures.Address(receiver);
        }
        departures.Close();
    }

    static void Push()
    {
        if (departures != null)
        {
            Close();
            SendLaid();
        }
    }

    static void SendLaid()
    {
        while (!departures!.TrySend(out _))
        {
            int count = departures.Drop(out ReadOnlySpan<byte> all);
            int messageBytes = all.Length / count;
            for (int message = 0; message < count; message++)
            {
                Echo.CountUnsent(all.Slice(message * messageBytes, messageBytes));
            }
        }
    }
}
