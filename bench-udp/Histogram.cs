using System.Numerics;

/// <summary>Log-linear counts of durations in nanoseconds: exact below 128 ns, above that 64 buckets for each power of
/// two, so a value is known within 0.8 % of its bucket's middle. Merges exactly.</summary>
sealed class Histogram
{
    const int SubBucketBits = 6;
    const long MostNs = 60_000_000_000;

    readonly long[] counts = new long[Bucket(MostNs) + 1];

    /// <summary>Extremes and sum in nanoseconds, exact; Min is long.MaxValue while empty.</summary>
    public long Count, SumNs, MinNs = long.MaxValue, MaxNs;

    /// <summary>Counts one duration; what is over 60 s falls in the last bucket.</summary>
    public void Add(long ns)
    {
        counts[Bucket(Math.Clamp(ns, 0, MostNs))]++;
        Count++;
        SumNs += ns;
        if (ns < MinNs) MinNs = ns;
        if (ns > MaxNs) MaxNs = ns;
    }

    /// <summary>Adds another histogram's counts.</summary>
    public void Merge(Histogram other)
    {
        (Count, SumNs) = (Count + other.Count, SumNs + other.SumNs); // before its buckets: it may count meanwhile
        for (var i = 0; i < counts.Length; i++) counts[i] += other.counts[i];
        (MinNs, MaxNs) = (Math.Min(MinNs, other.MinNs), Math.Max(MaxNs, other.MaxNs));
    }

    /// <summary>Lower bound in ns of the bucket that holds quantile q; 0 while empty.</summary>
    public long Quantile(double q)
    {
        var (left, bucket) = ((long)Math.Ceiling(q * Count), 0);
        while (left > 0 && (left -= counts[bucket]) > 0) bucket++;
        return LowerNs(bucket);
    }

    /// <summary>The filled buckets as [lower bound in ns, count], ascending.</summary>
    public IEnumerable<long[]> Sparse() =>
        Enumerable.Range(0, counts.Length).Where(i => counts[i] > 0).Select(i => new[] { LowerNs(i), counts[i] });

    static int Bucket(long ns)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)ns) - SubBucketBits);
        return (shift << SubBucketBits) + (int)(ns >> shift);
    }

    static long LowerNs(int bucket)
    {
        var shift = Math.Max(0, (bucket >> SubBucketBits) - 1);
        return (long)(bucket - (shift << SubBucketBits)) << shift;
    }
}
