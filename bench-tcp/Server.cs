using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>The echo server: one thread passes over its non-blocking connections and answers each message at once; when
/// none has any it blocks in Select over all of them and the listener, or in the variant spin looks again.</summary>
static class Server
{
    const int SelectMicroseconds = 100_000;

    // From so many connections on Select allocates its list of descriptors: a short spin comes first, which often
    // spares it.
    const int SelectAllocates = 80;
    static readonly long spinTicks = Stopwatch.Frequency / 20_000;

    static readonly List<Connection> connections = [];
    static readonly List<Socket> selected = [];
    // In rooms those in which messages lie that wait for more.
    static readonly List<Connection> holding = [];
    static Rooms<Connection>? rooms;
    static World? world;
    static bool spins;
    static SslServerAuthenticationOptions? tls;
    // What is sent next: its length and the message.
    static byte[] frame = [];
    // 0 while messages come.
    static long idleSince;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<Connection>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        tls = settings.Security == "tls" ? Tls.ServerOptions(settings) : null;
        frame = new byte[Connection.LengthBytes + Message.BufferBytes(settings)];
        spins = settings.Variant == Library.Spin;
        Socket listener = Listen(settings);
        var ticker = new Ticker(settings.PollHz);
        Records.WriteReady(settings);
        while (!isStopping)
        {
            ticker.Wait();
            SendSnapshots();
            bool any = Poll();
            if (spins)
            {
                Echo.CountPass(isIdle: !any);
            }
            if (any)
            {
                idleSince = 0;
            }
            else if (settings.PollHz > 0)
            {
                Accept(listener, settings);
            }
            else if (!IsSpinning())
            {
                Wait(listener);
                Accept(listener, settings);
            }
        }
        listener.Dispose();
        connections.ForEach(connection => connection.Dispose());
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static Socket Listen(Settings settings)
    {
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        Socket listening = Connection.NewSocket(address, settings);
        listening.Bind(address);
        listening.Listen();
        return listening;
    }

    // One receive per connection and pass, so that no client starves the others.
    static bool Poll()
    {
        bool any = false;
        for (int index = connections.Count - 1; index >= 0; index--)
        {
            try
            {
                any |= Receive(connections[index]);
            }
            catch (Exception fault) when (fault is Failure or IOException)
            {
                // The client is gone, or sends what is no message of these settings.
                rooms?.End(connections[index]);
                connections[index].Dispose();
                connections.RemoveAt(index);
            }
        }
        PushHeld();
        return any;
    }

    static bool Receive(Connection connection)
    {
        if (!connection.TryReceive())
        {
            return false;
        }
        while (connection.TryTake(out ReadOnlySpan<byte> message))
        {
            if (rooms != null && !Greeting.IsRequest(message))
            {
                OnMessageInRoom(connection, message);
                continue;
            }
            ReadOnlySpan<byte> echo = Echo.Answer(message);
            if (!echo.IsEmpty)
            {
                echo.CopyTo(frame.AsSpan(Connection.LengthBytes));
                connection.Send(frame, echo.Length);
            }
        }
        connection.Push();
        return true;
    }

    static void OnMessageInRoom(Connection connection, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        Connection[] audience = rooms!.Take(connection, message);
        message.CopyTo(frame.AsSpan(Connection.LengthBytes));
        foreach (Connection member in audience)
        {
            SendInRoom(member, message.Length);
        }
    }

    static void SendSnapshots()
    {
        if (world == null || !world.TryBeginTick())
        {
            return;
        }
        for (int client = 0; client < rooms!.Clients; client++)
        {
            if (rooms.TryGet(client, out Connection player))
            {
                int length = world.Write(client, frame.AsSpan(Connection.LengthBytes));
                SendInRoom(player, length);
            }
        }
        PushHeld();
    }

    // A room does not wait for one who does not read: it is put out.
    static void SendInRoom(Connection member, int length)
    {
        bool wasHolding = member.IsHolding;
        try
        {
            if (!member.HasRoom())
            {
                throw new Failure("A client does not read.");
            }
            member.Send(frame, length);
        }
        catch (Exception fault) when (fault is Failure or IOException)
        {
            Echo.CountUnsent(frame.AsSpan(Connection.LengthBytes, length));
            PutOut(member);
        }
        if (!wasHolding && member.IsHolding)
        {
            holding.Add(member);
        }
    }

    static void PushHeld()
    {
        foreach (Connection member in holding)
        {
            try
            {
                member.Push();
            }
            catch (Exception fault) when (fault is Failure or IOException)
            {
                PutOut(member);
            }
        }
        holding.Clear();
    }

    // Its receive sees the end.
    static void PutOut(Connection member)
    {
        rooms!.End(member);
        member.End();
    }

    static bool IsSpinning()
    {
        long now = Stopwatch.GetTimestamp();
        if (idleSince == 0)
        {
            idleSince = now;
        }
        return connections.Count >= SelectAllocates && now - idleSince < spinTicks;
    }

    static void Wait(Socket listener)
    {
        if (spins)
        {
            // Who spins lets others have its CPU: the clients may be waiting for it.
            Thread.Yield();
            return;
        }
        selected.Clear();
        foreach (Connection connection in connections)
        {
            selected.Add(connection.Socket);
        }
        selected.Add(listener);
        int untilTick = world?.WaitMicroseconds ?? SelectMicroseconds;
        Socket.Select(selected, null, null, Math.Min(SelectMicroseconds, untilTick));
    }

    static void Accept(Socket listener, Settings settings)
    {
        while (listener.Poll(0, SelectMode.SelectRead))
        {
            Socket? accepted = null;
            try
            {
                accepted = listener.Accept();
                connections.Add(new Connection(accepted, settings, tls));
            }
            catch (Exception fault)
                when (fault is SocketException or IOException or AuthenticationException or Failure)
            {
                // The client left or speaks no TLS, or no file can be opened for it.
                accepted?.Dispose();
                return;
            }
        }
    }
}
