using System.Numerics;

/// <summary>What is counted, of calls as of messages. Each message that a client sends ends in exactly one way: it is
/// Received, Lost, Corrupt or Failed. What is left of those sent is still unanswered.</summary>
enum Count
{
    /// <summary>Of clients: messages sent; this and all down to NotSent are counted by when messages were due. Of a
    /// server: answers sent.</summary>
    Sent,
    /// <summary>Messages that were answered; of a server: messages that came.</summary>
    Received,
    /// <summary>Messages that were given up, because no answer came in time. Records writes the counts from here to
    /// Deliveries as outcomes of clients.</summary>
    Lost,
    /// <summary>Messages that came back changed, or calls that returned a wrong result.</summary>
    Corrupt,
    /// <summary>Calls that the library says have failed.</summary>
    Failed,
    /// <summary>Messages that were due at a given rate while the one before them in their slot was still in flight.
    /// </summary>
    NotSent,
    /// <summary>Answers; this and all down to Foreign are counted by when they came.</summary>
    Completed,
    /// <summary>Answers to messages that had been given up.</summary>
    LateArrivals,
    /// <summary>Answers to messages that had been answered.</summary>
    Duplicates,
    /// <summary>Arrivals that are no message of this connection.</summary>
    Foreign,
    /// <summary>In rooms: what should come to clients, of a broadcast by when its messages were due.</summary>
    DeliveriesDue,
    /// <summary>What came of these.</summary>
    Deliveries,
    /// <summary>Messages of streams: those that clients sent, or those that came to a server whole for the first time.
    /// </summary>
    Streamed,
    /// <summary>Of a server of any work but echo: messages that came changed, or that no client can have sent.
    /// </summary>
    StreamCorrupt,
    /// <summary>Messages of streams, or inputs of a game, that had come before.</summary>
    StreamRepeated,
    /// <summary>Messages of streams, or inputs of a game, that came behind a later one.</summary>
    StreamDisordered,
    /// <summary>Ticks that a game's server made.</summary>
    Ticks,
    /// <summary>Ticks that began late, by over a tenth of their period.</summary>
    TicksLate,
    /// <summary>Ticks that it did not make, as the next one was due.</summary>
    TicksMissed,
}

/// <summary>What one thread has counted and timed, or all together.</summary>
sealed class Tally
{
    /// <summary>All that is counted.</summary>
    public static readonly Count[] All = Enum.GetValues<Count>();

    readonly long[] counts = new long[All.Length];

    /// <summary>From when a message was due until its answer was there.</summary>
    public readonly Histogram RoundTrips = new();
    /// <summary>At a given rate, from when a message was due until it was sent.</summary>
    public readonly Histogram SendLags = new();
    /// <summary>Of a broadcast, from when a message was due until a client had it; of a game, by how much the time
    /// between two snapshots differs from the plan.</summary>
    public readonly Histogram Deliveries = new();

    /// <summary>Messages that have ended.</summary>
    public long Ended => this[Count.Received] + this[Count.Lost] + this[Count.Corrupt] + this[Count.Failed];

    /// <summary>One of the counts.</summary>
    public ref long this[Count count] => ref counts[(int)count];

    /// <summary>Adds what another has counted.</summary>
    public void Merge(Tally other)
    {
        for (int count = 0; count < counts.Length; count++)
        {
            counts[count] += other.counts[count];
        }
        RoundTrips.Merge(other.RoundTrips);
        SendLags.Merge(other.SendLags);
        Deliveries.Merge(other.Deliveries);
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        Array.Clear(counts);
        RoundTrips.Clear();
        SendLags.Clear();
        Deliveries.Clear();
    }
}

/// <summary>Log-linear counts of durations in nanoseconds: exact below 128 ns, above that 64 buckets for each power of
/// two, so that a value is known within 0.8 % of its bucket's middle. Merges exactly.</summary>
sealed class Histogram
{
    const int SubBucketBits = 6;
    const long MostNs = 60_000_000_000;

    // Made by the first duration, as most threads time nothing.
    long[] counts = [];

    /// <summary>Their sum in nanoseconds, exact.</summary>
    public long SumNs { get; private set; }

    /// <summary>Adds one duration; one of over 60 s falls into the last bucket.</summary>
    public void Add(long ns)
    {
        if (counts.Length == 0)
        {
            counts = new long[Bucket(MostNs) + 1];
        }
        counts[Bucket(Math.Clamp(ns, 0, MostNs))]++;
        SumNs += ns;
    }

    /// <summary>Adds another histogram's durations.</summary>
    public void Merge(Histogram other)
    {
        if (counts.Length < other.counts.Length)
        {
            counts = new long[other.counts.Length];
        }
        for (int bucket = 0; bucket < other.counts.Length; bucket++)
        {
            counts[bucket] += other.counts[bucket];
        }
        SumNs += other.SumNs;
    }

    /// <summary>Forgets all durations.</summary>
    public void Clear()
    {
        Array.Clear(counts);
        SumNs = 0;
    }

    /// <summary>Lower bound in nanoseconds of the bucket that holds the quantile (0 to 1); 0 while empty.</summary>
    public long Quantile(double quantile)
    {
        long left = (long)Math.Ceiling(quantile * counts.Sum());
        int bucket = 0;
        while (left > 0 && counts[bucket] < left)
        {
            left -= counts[bucket];
            bucket++;
        }
        return LowerNs(bucket);
    }

    /// <summary>The filled buckets as [lower bound in nanoseconds, count], ascending.</summary>
    public long[][] Filled()
    {
        return [.. counts.Index().Where(bucket => bucket.Item > 0).Select(bucket => new[] { LowerNs(bucket.Index),
            bucket.Item })];
    }

    static int Bucket(long ns)
    {
        int shift = Math.Max(0, BitOperations.Log2((ulong)ns) - SubBucketBits);
        return (shift << SubBucketBits) + (int)(ns >> shift);
    }

    static long LowerNs(int bucket)
    {
        int shift = Math.Max(0, (bucket >> SubBucketBits) - 1);
        return (long)(bucket - (shift << SubBucketBits)) << shift;
    }
}
