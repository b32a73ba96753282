/// <summary>Checks the messages of streams where they arrive. Those of one client are taken one at a time.</summary>
sealed class StreamCheck
{
    // The most that --clients takes; a server by hand is not told how many there are.
    const int MostClients = 100_000;

    readonly Progress[] clients = new Progress[MostClients];

    /// <summary>Whether a message follows a stream, rather than being part of it, and so is to be answered.</summary>
    public static bool IsBehindStream(ReadOnlySpan<byte> message)
    {
        if (message.Length != Message.HeaderBytes)
        {
            return false;
        }
        Header header = Message.Read(message, out bool isIntact);
        return isIntact && header.Slot != Message.OfStream;
    }

    /// <summary>Checks and counts a message of a stream.</summary>
    public void Take(ReadOnlySpan<byte> message)
    {
        ref Totals own = ref Totals.Own;
        if (message.Length < Message.HeaderBytes)
        {
            own.StreamCorrupt++;
            return;
        }
        Header header = Message.Read(message, out bool isIntact);
        if (!isIntact || header.Slot != Message.OfStream || (uint)header.Client >= MostClients)
        {
            own.StreamCorrupt++;
            return;
        }
        switch (clients[header.Client].Take(header.Sequence))
        {
            case Progress.Place.Repeated:
                own.StreamRepeated++;
                return;
            case Progress.Place.Behind:
                own.StreamDisordered++;
                break;
        }
        own.Streamed++;
        own.Bytes += message.Length;
    }
}
