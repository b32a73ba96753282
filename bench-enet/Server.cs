using ENet;

/// <summary>The server: one host and one thread, as in ENet-CSharp's README. Service blocks until something comes; its
/// next call sends the answers to all that it handed over. What goes to a room is one packet, whose references ENet
/// counts.</summary>
static class Server
{
    // Two peers of one host are the same if their IDs are. Peer itself is compared by reflection, by which the end of
    // all clients takes 20 times as long.
    readonly record struct Connection(Peer Peer) : IEquatable<Connection>
    {
        public bool Equals(Connection other) => Peer.ID == other.Peer.ID;

        public override int GetHashCode() => (int)Peer.ID;
    }

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
        var service = new Service<Connection>(settings);
        // Every Service walks all peers: there are no more of them than clients.
        host.Create(Library.AddressOf(settings), settings.Clients, 1, 0, 0, Library.SocketBufferBytes);
        var sockets = new SocketSet(Library.SocketOf(host));
        Records.WriteReady(settings);
        while (true)
        {
            int microseconds = service.MicrosecondsToTick;
            if (microseconds < 1_000)
            {
                // Service waits for whole milliseconds.
                sockets.Wait(microseconds);
            }
            int wait = Math.Min(WaitMilliseconds, microseconds / 1_000);
            if (host.Service(wait, out Event taken) > 0)
            {
                do
                {
                    Take(service, taken, broadcasts);
                }
                while (host.CheckEvents(out taken) > 0);
            }
            List<Service<Connection>.Member> players = service.Tick();
            foreach (Service<Connection>.Member player in players)
            {
                Send(player.Connection.Peer, player.Snapshot);
            }
            if (players.Count > 0)
            {
                host.Flush();
            }
        }
    }

    static unsafe void Take(Service<Connection> service, Event taken, bool broadcasts)
    {
        var sender = new Connection(taken.Peer);
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
        ReadOnlySpan<Connection> receivers = service.Take(ref sender, message);
        if (broadcasts && receivers.Length > 1)
        {
            Broadcast(receivers, message);
        }
        else
        {
            foreach (Connection receiver in receivers)
            {
                Send(receiver.Peer, message);
            }
        }
        packet.Dispose();
    }

    static void Broadcast(ReadOnlySpan<Connection> receivers, ReadOnlySpan<byte> message)
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
        for (int place = 0; place < audience.Length; place++)
        {
            audience[place] = receivers[place].Peer;
        }
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
