using System.Numerics;

/// <summary>Times merged out of the sparse buckets of any number of records.</summary>
sealed class Histogram
{
    /// <summary>Those of a client's slice record.</summary>
    public static readonly string[] Names =
        ["rtt_ns", "send_lag_ns", "delivery_ns"];

    const int SubBucketBits = 6;
    const int LeastBeyond = 10; // fewer times beyond a percentile say nothing of it

    readonly (long Lower, long UpTo)[] buckets; // with how many times there are up to each's end

    /// <summary>The merged buckets of any number of records; exact, as all have the same bounds.</summary>
    public Histogram(IEnumerable<Bucket> all)
    {
        var counts = new SortedDictionary<long, long>();
        foreach (var (lower, count) in all)
        {
            if (IsLowerBound(lower) && count > 0)
                counts[lower] = counts.GetValueOrDefault(lower) + count;
        }
        List<(long Lower, long UpTo)> summed = [];
        var sum = 0L;
        foreach (var (lower, count) in counts)
        {
            sum += count;
            summed.Add((lower, sum));
        }
        buckets = [.. summed];
    }

    /// <summary>Quantile in ns, the middle of its bucket; null where too few lie beyond it.</summary>
    public double? Quantile(decimal quantile, int leastBeyond = LeastBeyond)
    {
        if (Total == 0 || Total * (1 - quantile) < leastBeyond)
            return null;
        var rank = (long)Math.Ceiling(quantile * Total);
        var first = 0;
        var last = buckets.Length - 1; // of those that may hold it
        while (first < last)
        {
            if (buckets[(first + last) / 2].UpTo < rank)
                first = (first + last) / 2 + 1;
            else
                last = (first + last) / 2;
        }
        var lower = buckets[first].Lower;
        return lower + Width(lower) / 2;
    }

    /// <summary>How many are at most so long, as near as a bucket.</summary>
    public long CountUpTo(long ns) => buckets.LastOrDefault(bucket => bucket.Lower <= ns).UpTo;

    /// <summary>The sum in ns of so many, the largest; each counts as its bucket's upper end.</summary>
    public double SumOfLargestNs(long many)
    {
        var sum = 0.0;
        var before = Math.Max(0, Total - many);
        foreach (var (lower, upTo) in buckets.Where(bucket => bucket.UpTo > before))
        {
            sum += (double)(upTo - before) * (lower + Width(lower));
            before = upTo;
        }
        return sum;
    }

    /// <summary>Quantiles in ns of ever more nines, from 0 on in steps of a part of a nine (0, ..., 90 %,
    /// ..., 99 %, ...) for as long as enough lie beyond; empty where there are too few times.</summary>
    public double[] Nines(int stepsANine)
    {
        List<double> quantiles = [];
        foreach (var (lower, upTo) in buckets)
        {
            while (IsWithin(upTo))
                quantiles.Add(lower + Width(lower) / 2);
        }
        return [.. quantiles];

        // True where the next quantile is of one of so many times, and enough lie beyond it.
        bool IsWithin(long upTo)
        {
            // Rounded, as the last bits of a power may differ between processors.
            var beyond = Math.Round(Total * Math.Pow(10, -(double)quantiles.Count / stepsANine), 6);
            return beyond >= LeastBeyond && Math.Max(1, Total - (long)beyond) <= upTo;
        }
    }

    long Total => buckets.Length == 0 ? 0 : buckets[^1].UpTo;

    /// <summary>True for a bucket's lower bound in ns.</summary>
    public static bool IsLowerBound(long ns) => ns >= 0 && ns % Width(ns) == 0;

    // Exact below 128 ns, else 64 buckets for each power of two.
    static long Width(long lower) => 1L << Math.Max(0, BitOperations.Log2((ulong)lower) - SubBucketBits);
}
