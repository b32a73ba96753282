/// <summary>The clients without any network: what one of them sends to its room is delivered at once to all of the
/// room. In a closed loop with one message in flight per client.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Exchange exchange = new(settings, load);
    readonly int[][] rooms = RoomsOf(settings);
    // What was begun since the last poll, and the bytes of each.
    readonly Queue<(int Index, byte[] Message)> sent = [];
    readonly Stack<byte[]> buffers = [];

    static int[][] RoomsOf(Settings settings)
    {
        ILookup<int, int> members = Enumerable.Range(0, settings.Clients).ToLookup(settings.RoomOf);
        return [.. Enumerable.Range(0, settings.Clients).Select(client => members[settings.RoomOf(client)].ToArray())];
    }

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < settings.Clients; index++)
        {
            load.OnOpen(index);
        }
    }

    /// <summary>Keeps a message until the next poll.</summary>
    public void Begin(Due due)
    {
        byte[] written = exchange.Write(due);
        byte[] message = buffers.TryPop(out byte[]? free) ? free : new byte[settings.PayloadBytes];
        written.CopyTo(message, 0);
        sent.Enqueue((due.Index, message));
    }

    /// <summary>Whether a client may send more of a stream: there is no network that could be full.</summary>
    public bool HasRoom(int index) => true;

    /// <summary>Delivers what was begun.</summary>
    public void Poll(int microseconds)
    {
        if (sent.Count == 0)
        {
            Thread.Sleep(TimeSpan.FromMicroseconds(microseconds));
        }
        for (int left = sent.Count; left > 0; left--)
        {
            (int index, byte[] message) = sent.Dequeue();
            // The answer to the first message, by which a client joins, is for it alone.
            foreach (int member in load.IsConnected(index) ? rooms[index] : [index])
            {
                exchange.OnMessage(member, message);
            }
            buffers.Push(message);
        }
    }

    /// <summary>Closes all connections.</summary>
    public void Close() => sent.Clear();
}
