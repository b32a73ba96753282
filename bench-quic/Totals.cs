/// <summary>What threads have done since the process started: of a server its messages and ticks, of a thread that
/// polls its passes, of streams what was sent and what came. A thread counts in its own, which only grow.</summary>
struct Totals
{
    /// <summary>Messages or calls that a server received.</summary>
    public long Received;
    /// <summary>Answers that a server handed to the library.</summary>
    public long Sent;
    /// <summary>Bytes of the messages that a server received.</summary>
    public long Bytes;

    /// <summary>Messages of a stream that a client handed to the library, or that came to the server whole and new.
    /// </summary>
    public long Streamed;
    /// <summary>Messages of a stream, or inputs of a game, that came changed.</summary>
    public long StreamCorrupt;
    /// <summary>Messages of a stream, or inputs of a game, that had come before.</summary>
    public long StreamRepeated;
    /// <summary>Messages of a stream, or inputs of a game, that came behind a later one.</summary>
    public long StreamDisordered;

    /// <summary>Ticks that a game's server has made.</summary>
    public long Ticks;
    /// <summary>Of these, those that began late.</summary>
    public long TicksLate;
    /// <summary>Ticks that it did not make.</summary>
    public long TicksMissed;

    /// <summary>Passes over the connections.</summary>
    public long Passes;
    /// <summary>Passes in which nothing was sent and nothing came.</summary>
    public long IdlePasses;

    sealed class Box
    {
        public Totals Totals;
    }

    static readonly List<Box> threads = [];
    [ThreadStatic] static Box? own;

    /// <summary>Those of the calling thread.</summary>
    public static ref Totals Own => ref (own ?? AddOwn()).Totals;

    /// <summary>Those of all threads.</summary>
    public static Totals Sum()
    {
        var sum = default(Totals);
        lock (threads)
        {
            foreach (Box thread in threads)
            {
                sum = sum.Plus(thread.Totals, 1);
            }
        }
        return sum;
    }

    /// <summary>What came since an earlier sum.</summary>
    public readonly Totals Since(Totals earlier) => Plus(earlier, -1);

    readonly Totals Plus(Totals other, int sign) => new()
    {
        Received = Received + sign * other.Received,
        Sent = Sent + sign * other.Sent,
        Bytes = Bytes + sign * other.Bytes,
        Streamed = Streamed + sign * other.Streamed,
        StreamCorrupt = StreamCorrupt + sign * other.StreamCorrupt,
        StreamRepeated = StreamRepeated + sign * other.StreamRepeated,
        StreamDisordered = StreamDisordered + sign * other.StreamDisordered,
        Ticks = Ticks + sign * other.Ticks,
        TicksLate = TicksLate + sign * other.TicksLate,
        TicksMissed = TicksMissed + sign * other.TicksMissed,
        Passes = Passes + sign * other.Passes,
        IdlePasses = IdlePasses + sign * other.IdlePasses,
    };

    static Box AddOwn()
    {
        own = new Box();
        lock (threads)
        {
            threads.Add(own);
        }
        return own;
    }
}
