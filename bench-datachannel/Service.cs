/// <summary>Decides what a server does with a message: on which connections it is sent. An echo goes back unread. In
/// rooms a client joins by its first message, which goes back, too. Any thread may use it.</summary>
/// <param name="settings">Those of the server.</param>
/// <param name="keep">How a connection is kept beyond the call that hands it over; null: as it is.</param>
sealed partial class Service<TConnection>(Settings settings, Func<TConnection, TConnection>? keep = null)
    where TConnection : notnull
{
    /// <summary>A client that has joined.</summary>
    public sealed class Member(int client, int room, TConnection connection)
    {
        /// <summary>Where it is.</summary>
        public readonly TConnection Connection = connection;
        /// <summary>Of a game: what it is to be sent at this tick.</summary>
        public byte[] Snapshot = [];

        internal readonly int Client = client;
        internal readonly int Room = room;
        internal readonly Progress Inputs = new();
    }

    // The most that --clients takes. What names a client above that is no message of this bench.
    const int MostClients = 100_000;

    readonly bool isEcho = settings.Work == Settings.Echo;
    readonly bool isBroadcast = settings.Work == Settings.Broadcast;
    readonly bool isStream = settings.Work == Settings.Stream;
    readonly Lock joining = new();
    // By number of client.
    Member?[] members = [];
    // By room, the connections of those who are in it. A room's array is replaced, never changed.
    TConnection[][] rooms = [];

    /// <summary>Takes a message, and returns the connections that it is to be sent on.</summary>
    public ReadOnlySpan<TConnection> Take(ref TConnection sender, ReadOnlySpan<byte> message)
    {
        Tally tally = Window.Now;
        if (isEcho)
        {
            tally[Count.Received]++;
            tally[Count.Sent]++;
            return new ReadOnlySpan<TConnection>(ref sender);
        }
        Header header = default;
        bool isIntact = message.Length >= Message.HeaderBytes;
        if (isIntact)
        {
            header = Message.Read(message, out isIntact);
        }
        if (!isIntact || (uint)header.Client >= MostClients)
        {
            tally[Count.StreamCorrupt]++;
            return [];
        }
        // In rooms a client joins by a message of its own kind, in a stream by its first one, which is no OfStream.
        if (header.Kind > 0 || isStream && header.Kind == 0)
        {
            Join(header, sender);
            if (!isStream)
            {
                tally[Count.Received]++;
                tally[Count.Sent]++;
            }
            return new ReadOnlySpan<TConnection>(ref sender);
        }
        if (header.Kind == Message.Leaving)
        {
            Leave(header.Client, sender);
            return [];
        }
        if (header.Client >= members.Length || members[header.Client] is not { } member)
        {
            // Its sender has left, or has not joined.
            return [];
        }
        if (isBroadcast)
        {
            TConnection[] audience = rooms[member.Room];
            tally[Count.Received]++;
            tally[Count.Sent] += audience.Length;
            return audience;
        }
        TakeStreamed(member, header, tally);
        TakeInput(member, header, tally);
        return [];
    }

    /// <summary>Takes out the client whose connection has ended.</summary>
    public void OnClosed(TConnection connection)
    {
        for (int client = 0; client < members.Length; client++)
        {
            Leave(client, connection);
        }
    }

    // See Stream.cs and Game.cs, in benches whose library has these works.
    partial void TakeStreamed(Member member, Header header, Tally tally);
    partial void TakeInput(Member member, Header header, Tally tally);

    // A client that joins once more, because the answer to its first try was late, takes its own place.
    void Join(Header header, TConnection connection)
    {
        lock (joining)
        {
            Remove(header.Client);
            TConnection kept = keep == null ? connection : keep(connection);
            var member = new Member(header.Client, Math.Max(0, header.Kind - 1), kept);
            EnsureLength(ref members, header.Client + 1);
            EnsureLength(ref rooms, member.Room + 1);
            rooms[member.Room] = [.. rooms[member.Room] ?? [], member.Connection];
            Volatile.Write(ref members[header.Client], member);
        }
    }

    // A client may have joined again by another connection before the end of this one is seen.
    void Leave(int client, TConnection connection)
    {
        lock (joining)
        {
            if (client < members.Length && members[client] is { } member && member.Connection.Equals(connection))
            {
                Remove(client);
            }
        }
    }

    void Remove(int client)
    {
        if (client < members.Length && members[client] is { } member)
        {
            members[client] = null;
            rooms[member.Room] = Array.FindAll(rooms[member.Room], other => !other.Equals(member.Connection));
        }
    }

    static void EnsureLength<T>(ref T[] array, int length)
    {
        if (array.Length < length)
        {
            Array.Resize(ref array, Math.Max(length, 2 * array.Length));
        }
    }
}

/// <summary>Which of the numbered messages of one client have come.</summary>
sealed class Progress
{
    /// <summary>How many messages back, from the last one on, are known to have come or not.</summary>
    public const int Remembered = 64;

    /// <summary>The number of the last one.</summary>
    public int Last { get; private set; }

    /// <summary>Bit n: the message n before the last one has come.</summary>
    public ulong Came { get; private set; }

    /// <summary>Takes a message, and counts one that had come before or comes behind a later one. Returns false where
    /// it had come before.</summary>
    public bool TryTake(int number, Tally tally)
    {
        int ahead = number - Last;
        if (ahead > 0)
        {
            Came = (ahead < Remembered ? Came << ahead : 0) | 1;
            Last = number;
            return true;
        }
        ulong bit = ahead > -Remembered ? 1UL << -ahead : 0;
        if ((Came & bit) != 0)
        {
            tally[Count.StreamRepeated]++;
            return false;
        }
        Came |= bit;
        tally[Count.StreamDisordered]++;
        return true;
    }
}
