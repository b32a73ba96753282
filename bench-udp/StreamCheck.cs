/// <summary>Checks the messages of streams where they arrive. Those of one client are taken one at a time.</summary>
sealed class StreamCheck
{
    // What has come of a client's stream.
    struct Progress
    {
        public int Furthest;
        // Bit n: the message n before the furthest has come.
        public ulong Arrived;
    }

    // The most that --clients takes; a server by hand is not told how many there are.
    const int MostClients = 100_000;
    const int Remembered = 64;

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
        ref Progress progress = ref clients[header.Client];
        // Also right where the numbers have wrapped around.
        int ahead = header.Sequence - progress.Furthest;
        if (ahead > 0)
        {
            progress.Arrived = ahead < Remembered ? progress.Arrived << ahead | 1 : 1;
            progress.Furthest = header.Sequence;
        }
        else
        {
            // What lies further back than is remembered may be a repeat; it counts as disordered.
            ulong bit = ahead > -Remembered ? 1UL << -ahead : 0;
            if ((progress.Arrived & bit) != 0)
            {
                own.StreamRepeated++;
                return;
            }
            progress.Arrived |= bit;
            own.StreamDisordered++;
        }
        own.Streamed++;
        own.Bytes += message.Length;
    }
}
