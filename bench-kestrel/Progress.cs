using System.Numerics;

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

    /// <summary>Of so many, up to the furthest, is known whether they have come.</summary>
    public const int Remembered = 64;

    int furthest;
    // Bit n: the message n before the furthest has come.
    ulong arrived;

    /// <summary>Takes all up to a number for such that have come.</summary>
    public void Begin(int number)
    {
        furthest = number;
        arrived = ulong.MaxValue;
    }

    /// <summary>How many have not come of those that are not remembered any more once a number is taken.</summary>
    public readonly int ForgottenBy(int number)
    {
        int ahead = number - furthest;
        if (ahead <= 0)
        {
            return 0;
        }
        ulong leaving = ahead < Remembered ? arrived >> (Remembered - ahead) : arrived;
        return ahead - BitOperations.PopCount(leaving);
    }

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
