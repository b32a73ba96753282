using System.Numerics;

/// <summary>Log-linear counts of durations in nanoseconds: exact below 128 ns, above that 64 buckets for each power of
/// two, so that a value is known within 0.8 % of its bucket's middle. Merges exactly.</summary>
sealed class Histogram
{
    const int SubBucketBits = 6;
    const long MostNs = 60_000_000_000;

    readonly long[] counts = new long[Bucket(MostNs) + 1];

    /// <summary>How many durations were added.</summary>
    public long Count { get; private set; }

    /// <summary>Their sum in nanoseconds, exact.</summary>
    public long SumNs { get; private set; }

    /// <summary>The shortest in nanoseconds, exact; long.MaxValue while empty.</summary>
    public long MinNs { get; private set; } = long.MaxValue;

    /// <summary>The longest in nanoseconds, exact; 0 while empty.</summary>
    public long MaxNs { get; private set; }

    /// <summary>Adds one duration; one of over 60 s falls into the last bucket.</summary>
    public void Add(long ns)
    {
        counts[Bucket(Math.Clamp(ns, 0, MostNs))]++;
        Count++;
        SumNs += ns;
        if (ns < MinNs)
        {
            MinNs = ns;
        }
        if (ns > MaxNs)
        {
            MaxNs = ns;
        }
    }

    /// <summary>Adds another histogram's counts.</summary>
    public void Merge(Histogram other)
    {
        // The sums come before the buckets, as the other may count meanwhile: no quantile then runs past the last
        // bucket.
        Count += other.Count;
        SumNs += other.SumNs;
        MinNs = Math.Min(MinNs, other.MinNs);
        MaxNs = Math.Max(MaxNs, other.MaxNs);
        for (int bucket = 0; bucket < counts.Length; bucket++)
        {
            counts[bucket] += other.counts[bucket];
        }
    }

    /// <summary>Forgets all durations.</summary>
    public void Clear()
    {
        Array.Clear(counts);
        Count = 0;
        SumNs = 0;
        MinNs = long.MaxValue;
        MaxNs = 0;
    }

    /// <summary>Lower bound in nanoseconds of the bucket that holds the quantile (0 to 1); 0 while empty.</summary>
    public long Quantile(double quantile)
    {
        long left = (long)Math.Ceiling(quantile * Count);
        if (left == 0)
        {
            return 0;
        }
        int bucket = 0;
        while (counts[bucket] < left)
        {
            left -= counts[bucket];
            bucket++;
        }
        return LowerNs(bucket);
    }

    /// <summary>The filled buckets as [lower bound in nanoseconds, count], ascending.</summary>
    public IEnumerable<long[]> Sparse()
    {
        for (int bucket = 0; bucket < counts.Length; bucket++)
        {
            if (counts[bucket] > 0)
            {
                yield return [LowerNs(bucket), counts[bucket]];
            }
        }
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
