/// <summary>The rooms of a server: to which connections a client's message goes. Any thread may use it. Connections
/// that are structs without an equality of their own, which would be boxed, need a comparer.</summary>
sealed class Rooms<TConnection>(Settings settings, IEqualityComparer<TConnection>? comparer = null)
{
    readonly IEqualityComparer<TConnection> same = comparer ?? EqualityComparer<TConnection>.Default;
    readonly RoomPlan plan = new(settings);
    readonly Lock changing = new();
    // Of each room, by its first client, the connections that are in it. An array is replaced, never changed.
    readonly TConnection[]?[] rooms = new TConnection[]?[settings.Clients];
    // Of each client, where it has joined.
    readonly TConnection[] connections = new TConnection[settings.Clients];
    readonly bool[] hasJoined = new bool[settings.Clients];

    /// <summary>The clients that there may be: as many as --clients.</summary>
    public int Clients => settings.Clients;

    /// <summary>Takes a message of a client, but for greetings and inputs of a game, and tells to whom the server sends
    /// it: one that joins goes back to its sender, others to all that are in its room.</summary>
    public TConnection[] Take(TConnection sender, ReadOnlySpan<byte> message)
    {
        if (message.Length < Message.HeaderBytes)
        {
            return [];
        }
        Header header = Message.Peek(message);
        if ((uint)header.Client >= (uint)Clients)
        {
            return [];
        }
        switch (header.Slot)
        {
            case Message.Joining:
                Join(header.Client, sender);
                return [sender];
            case Message.Leaving:
                Leave(header.Client, sender);
                return [];
            default:
                TConnection[] audience = Volatile.Read(ref rooms[plan.FirstOf(header.Client)]) ?? [];
                ref Totals own = ref Totals.Own;
                own.Received++;
                own.Bytes += message.Length;
                own.Sent += audience.Length;
                return audience;
        }
    }

    /// <summary>Takes out the client that has joined by a connection which has ended, so that the room does not hold
    /// what the library may use for another.</summary>
    public void End(TConnection connection)
    {
        lock (changing)
        {
            for (int client = 0; client < Clients; client++)
            {
                if (hasJoined[client] && same.Equals(connections[client], connection))
                {
                    TakeOut(client);
                }
            }
        }
    }

    /// <summary>The connection of a client that has joined and not left.</summary>
    public bool TryGet(int client, out TConnection connection)
    {
        bool isThere = Volatile.Read(ref hasJoined[client]);
        connection = connections[client];
        return isThere;
    }

    // A client that joins once more, as where the answer to its first try came late, takes its own place.
    void Join(int client, TConnection connection)
    {
        lock (changing)
        {
            TakeOut(client);
            int room = plan.FirstOf(client);
            connections[client] = connection;
            Volatile.Write(ref hasJoined[client], true);
            Volatile.Write(ref rooms[room], [.. rooms[room] ?? [], connection]);
        }
    }

    // Where servers take messages on several threads, it may have joined again by another connection before this one is
    // seen to leave.
    void Leave(int client, TConnection connection)
    {
        lock (changing)
        {
            if (same.Equals(connections[client], connection))
            {
                TakeOut(client);
            }
        }
    }

    void TakeOut(int client)
    {
        if (!hasJoined[client])
        {
            return;
        }
        hasJoined[client] = false;
        TConnection left = connections[client];
        int room = plan.FirstOf(client);
        Volatile.Write(ref rooms[room], Array.FindAll(rooms[room]!, other => !same.Equals(other, left)));
    }
}
