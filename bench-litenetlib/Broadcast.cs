/// <summary>What the clients of one load send to their rooms, and what they make of what arrives. A message is due by
/// the load and in flight until all of its room have it who do not stand apart. All clients of a process share its
/// clock, so each delivery is timed from when its message was due.</summary>
sealed class Broadcast
{
    // Memory for what has come of each client at each other of its room.
    const long MostPairs = 16_000_000;
    // Of so many is known whether one comes twice.
    const int MostParallel = 64;

    readonly Load load;
    readonly int firstApart;
    readonly byte[] content;
    readonly int mostInRoom;
    // Of each client of this load, the first of its room and how many that has: to work them out takes as long as all
    // else that is done for a delivery.
    readonly (int First, int Size)[] rooms;
    // Of each client of this load, one for each client of its room.
    readonly Progress[] received;
    // In a closed loop threads send side by side, so that nothing is known of the order of a client's messages.
    readonly bool isOrderKnown;

    public Broadcast(Settings settings, Load load, byte[] content)
    {
        this.load = load;
        this.content = content;
        var plan = new RoomPlan(settings);
        firstApart = plan.FirstApart;
        rooms = [.. Enumerable.Range(load.FirstClient, load.Clients)
            .Select(client => (plan.FirstOf(client), plan.SizeOf(client)))];
        mostInRoom = plan.MostInRoom;
        received = new Progress[(long)load.Clients * mostInRoom];
        isOrderKnown = settings.Rate > 0 || settings.Parallel == 1;
    }

    /// <summary>The limit of rooms that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if ((long)settings.OwnClients * new RoomPlan(settings).MostInRoom > MostPairs)
        {
            return $"Clients times the clients of a room may be at most {MostPairs}.";
        }
        return settings.Rate == 0 && settings.Parallel > MostParallel
            ? $"A broadcast has at most {MostParallel} messages in flight per client."
            : null;
    }

    /// <summary>The next message that is due now, written into a buffer, and the client, from 0 in this load, that
    /// sends it; returns its length, 0 for none. For the thread that paces.</summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        if (!load.TryBegin(out int slot))
        {
            return 0;
        }
        client = load.ClientOf(slot);
        return Write(buffer, slot, client);
    }

    /// <summary>Takes what arrived at a client. Returns the length of the message that is to be sent now, which is
    /// written into a buffer, and the client, from 0 in this load, that sends it; 0 for none.</summary>
    public int OnMessage(int client, ReadOnlySpan<byte> message, Span<byte> next, long now, out int sender)
    {
        sender = client;
        if (load.FirstClient + client >= firstApart)
        {
            return 0;
        }
        Window.Tallies own = Window.Own;
        Tally arrived = own.Of(Window.Has(now));
        if (message.Length != content.Length)
        {
            arrived.Foreign++;
            return 0;
        }
        Header header = Message.Read(message, out bool isIntact);
        (int firstOfRoom, int size) = rooms[client];
        int place = header.Client - firstOfRoom;
        bool isOfRoom = (uint)place < (uint)size && header.Client < firstApart;
        if (!isOfRoom || Load.Of(header.Client) is not { } from || !from.HasSlot(header.Slot)
            || !isIntact && header.DueAt != from.DueAtOf(header.Slot))
        {
            arrived.Foreign++;
            return 0;
        }
        Tally due = own.Of(Window.Has(header.DueAt));
        var stands = Progress.Place.Ahead;
        if (isIntact)
        {
            stands = received[client * mostInRoom + place].Take(header.Sequence);
            if (stands == Progress.Place.Repeated)
            {
                due.DeliveriesRepeated++;
                return 0;
            }
        }
        if (!from.TryDeliver(header.Slot, header.Sequence, isIntact, now, out bool isLast))
        {
            if (isIntact)
            {
                arrived.LateArrivals++;
            }
            else
            {
                arrived.Foreign++;
            }
            return 0;
        }
        arrived.Bytes += message.Length;
        if (isIntact)
        {
            due.Deliveries++;
            if (stands == Progress.Place.Behind && isOrderKnown)
            {
                due.DeliveriesDisordered++;
            }
            due.DeliveryDelays.Add(Window.Ns(now - header.DueAt));
        }
        else
        {
            due.DeliveriesCorrupt++;
        }
        if (!isLast)
        {
            return 0;
        }
        if (from != load)
        {
            // The thread of those clients sends what is theirs.
            from.LetGo(header.Slot);
            return 0;
        }
        sender = header.Client - load.FirstClient;
        return load.TryBeginNext(header.Slot, now) ? Write(next, header.Slot, sender) : 0;
    }

    int Write(Span<byte> buffer, int slot, int client)
    {
        Message.Write(buffer, content, new Header
        {
            Client = load.FirstClient + client,
            Slot = slot,
            Sequence = load.SequenceOf(slot),
            DueAt = load.DueAtOf(slot),
        });
        return content.Length;
    }
}
