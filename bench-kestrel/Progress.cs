/// <summary>What has come of a row of numbered messages at one receiver.</summary>
struct Progress
{
    /// <summary>How a message stands to those before it.</summary>
    public enum Place
    {
        /// <summary>The furthest so far.</summary>
        Ahead,
        /// <summary>Behind a later one.</summary>
        Behind,
        /// <summary>It was there before.</summary>
        Repeated,
    }

    const int Remembered = 64;

    int furthest;
    // Bit n: the message n before the furthest has come.
    ulong arrived;

    /// <summary>Takes a message by its number, from 1.</summary>
    public Place Take(int number)
    {
        // Also right where the numbers have wrapped around.
        int ahead = number - furthest;
        if (ahead > 0)
        {
            arrived = ahead < Remembered ? arrived << ahead | 1 : 1;
            furthest = number;
            return Place.Ahead;
        }
        // What lies further back than is remembered may be a repeat; it counts as behind.
        ulong bit = ahead > -Remembered ? 1UL << -ahead : 0;
        if ((arrived & bit) != 0)
        {
            return Place.Repeated;
        }
        arrived |= bit;
        return Place.Behind;
    }
}
