using ENet;

/// <summary>The echo server: one host and one thread; Service blocks until something is there and sends, at its next
/// call, the answers to all that it handed over. What goes to a room is one packet, which ENet counts references to.
/// </summary>
static class Server
{
    // Two of a host are the same where their places in it are.
    sealed class ByPlace : EqualityComparer<Peer>
    {
        public override bool Equals(Peer one, Peer other) => one.ID == other.ID;

        public override int GetHashCode(Peer peer) => (int)peer.ID;
    }

    const int WaitMilliseconds = 100;

    static readonly Host host = new();
    static Rooms<Peer>? rooms;
    static World? world;
    static byte[] snapshot = [];
    static PacketFlags flags;
    static bool isLoop;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<Peer>(settings, new ByPlace()) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        snapshot = new byte[Message.BufferBytes(settings)];
        isLoop = settings.Variant == Library.Loop;
        Listen(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.PollHz);
        while (!isStopping)
        {
            if (world != null)
            {
                Play(world);
                continue;
            }
            if (settings.TickHz == 0)
            {
                TakeEvents(WaitMilliseconds);
                continue;
            }
            ticker.Wait();
            bool any = TakeEvents(waitMilliseconds: 0);
            // The next Service, which sends too, would come a tick later.
            host.Flush();
            Echo.CountPass(isIdle: !any);
        }
        host.Dispose();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static void Listen(Settings settings)
    {
        ENet.Library.Initialize();
        flags = Library.Flags(settings);
        var address = new Address { Port = (ushort)settings.Port };
        address.SetIP(Program.Resolve(settings.Address).ToString());
        // Every Service walks all peers: there are no more of them than clients.
        host.Create(address, settings.Clients, 1, 0, 0, Library.SocketBufferBytes);
    }

    // Takes inputs until a tick is due, and sends each player its snapshot.
    static void Play(World world)
    {
        TakeEvents(world.WaitMicroseconds / 1_000);
        if (!world.TryBeginTick())
        {
            return;
        }
        for (int client = 0; client < rooms!.Clients; client++)
        {
            if (rooms.TryGet(client, out Peer player))
            {
                int length = world.Write(client, snapshot);
                Send(player, snapshot.AsSpan(0, length));
            }
        }
        host.Flush();
    }

    static bool TakeEvents(int waitMilliseconds)
    {
        if (host.Service(waitMilliseconds, out Event taken) <= 0)
        {
            return false;
        }
        do
        {
            if (taken.Type == EventType.Receive)
            {
                OnMessage(taken.Peer, taken.Packet);
            }
            else if (taken.Type != EventType.Connect)
            {
                // The host gives the same peer to the next who connects.
                rooms?.End(taken.Peer);
            }
        }
        while (host.CheckEvents(out taken) > 0);
        return true;
    }

    static unsafe void OnMessage(Peer peer, Packet packet)
    {
        var message = new ReadOnlySpan<byte>((void*)packet.Data, packet.Length);
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnMessageInRoom(peer, message);
        }
        else
        {
            ReadOnlySpan<byte> echo = Echo.Answer(message);
            if (!echo.IsEmpty)
            {
                Send(peer, echo);
            }
        }
        packet.Dispose();
    }

    static void OnMessageInRoom(Peer peer, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        Peer[] members = rooms!.Take(peer, message);
        if (members.Length == 0)
        {
            return;
        }
        Packet packet = NewPacket(message);
        if (isLoop)
        {
            foreach (Peer member in members)
            {
                Send(member, ref packet, message);
            }
            DisposeUnsent(packet);
        }
        else if (members.Length == host.PeersCount)
        {
            host.Broadcast(0, ref packet);
        }
        else
        {
            host.Broadcast(0, ref packet, members);
        }
    }

    static void Send(Peer peer, ReadOnlySpan<byte> message)
    {
        Packet packet = NewPacket(message);
        if (!Send(peer, ref packet, message))
        {
            DisposeUnsent(packet);
        }
    }

    static bool Send(Peer peer, ref Packet packet, ReadOnlySpan<byte> message)
    {
        bool isSent = peer.Send(0, ref packet);
        if (!isSent)
        {
            Echo.CountUnsent(message);
        }
        return isSent;
    }

    static unsafe Packet NewPacket(ReadOnlySpan<byte> message)
    {
        var packet = default(Packet);
        fixed (byte* bytes = message)
        {
            packet.Create((nint)bytes, message.Length, flags);
        }
        return packet;
    }

    // ENet frees what it has sent; what no peer took is left to the caller.
    static void DisposeUnsent(Packet packet)
    {
        if (!packet.HasReferences)
        {
            packet.Dispose();
        }
    }
}
