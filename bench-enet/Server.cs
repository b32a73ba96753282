using ENet;

/// <summary>The server: one host and one thread, as in ENet-CSharp's README. Service blocks until something comes; its
/// next call sends the answers to all that it handed over. What goes to a room is one packet, whose references ENet
/// counts.</summary>
static class Server
{
    // ENet-CSharp's README has as many.
    const int WaitMilliseconds = 15;

    static readonly Host host = new();
    static PacketFlags flags;
    static Peer[] audience = [];

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        ENet.Library.Initialize();
        flags = Library.Flags(settings);
        bool broadcasts = settings.Work == Settings.Broadcast && settings.Variant != Library.Loop;
        var service = new Service<Peer>(settings);
        // Every Service walks all peers: there are no more of them than clients.
        host.Create(Library.AddressOf(settings), settings.Clients, 1, 0, 0, Library.SocketBufferBytes);
        Records.WriteReady(settings);
        while (true)
        {
            int wait = Math.Min(WaitMilliseconds, service.MicrosecondsToTick / 1_000);
            if (host.Service(wait, out Event taken) > 0)
            {
                do
                {
                    Take(service, taken, broadcasts);
                }
                while (host.CheckEvents(out taken) > 0);
            }
            List<Service<Peer>.Member> players = service.Tick();
            foreach (Service<Peer>.Member player in players)
            {
                Send(player.Connection, player.Snapshot);
            }
            if (players.Count > 0)
            {
                host.Flush();
            }
        }
    }

    static unsafe void Take(Service<Peer> service, Event taken, bool broadcasts)
    {
        Peer sender = taken.Peer;
        if (taken.Type != EventType.Receive)
        {
            if (taken.Type != EventType.Connect)
            {
                // The host gives the same peer to the next who connects.
                service.OnClosed(sender);
            }
            return;
        }
        Packet packet = taken.Packet;
        var message = new ReadOnlySpan<byte>((void*)packet.Data, packet.Length);
        ReadOnlySpan<Peer> receivers = service.Take(ref sender, message);
        if (broadcasts && receivers.Length > 1)
        {
            Broadcast(receivers, message);
        }
        else
        {
            foreach (Peer receiver in receivers)
            {
                Send(receiver, message);
            }
        }
        packet.Dispose();
    }

    static void Broadcast(ReadOnlySpan<Peer> receivers, ReadOnlySpan<byte> message)
    {
        Packet packet = Library.NewPacket(message, flags);
        if (receivers.Length == host.PeersCount)
        {
            host.Broadcast(0, ref packet);
            return;
        }
        if (audience.Length != receivers.Length)
        {
            audience = new Peer[receivers.Length];
        }
        receivers.CopyTo(audience);
        host.Broadcast(0, ref packet, audience);
    }

    static void Send(Peer peer, ReadOnlySpan<byte> message)
    {
        Packet packet = Library.NewPacket(message, flags);
        if (!peer.Send(0, ref packet))
        {
            // ENet frees what it has sent.
            packet.Dispose();
            Window.Now[Count.Sent]--;
        }
    }
}
