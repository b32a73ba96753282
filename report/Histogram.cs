using System.Numerics;
using Newtonsoft.Json.Linq;

/// <summary>Times merged out of the sparse buckets of any number of records.</summary>
sealed class Histogram
{
    const int SubBucketBits = 6;
    const int LeastBeyond = 10; // fewer times beyond a percentile say nothing of it

    readonly SortedDictionary<long, long> counts = [];

    /// <summary>The merged buckets of client records; exact, as all have the same bounds. Name: rtt_ns
    /// or send_lag_ns.</summary>
    public Histogram(IEnumerable<JObject> clients, string name)
    {
        foreach (var (lower, count) in clients.SelectMany(client => Buckets.Of(client, name))
            .Where(bucket => IsLowerBound(bucket.Lower) && bucket.Count > 0))
            counts[lower] = counts.GetValueOrDefault(lower) + count;
    }

    /// <summary>Quantile in ns, the middle of its bucket; null where too few lie beyond it.</summary>
    public double? Quantile(decimal quantile, int leastBeyond = LeastBeyond)
    {
        var total = counts.Values.Aggregate(0L, (sum, count) => sum + count);
        if (total == 0 || total * (1 - quantile) < leastBeyond) return null;
        var left = (long)Math.Ceiling(quantile * total);
        var lower = counts.First(bucket => (left -= bucket.Value) <= 0).Key;
        return lower + Width(lower) / 2;
    }

    /// <summary>Quantiles in ns of ever more nines, from 0 on in steps of a part of a nine (0, ..., 90 %,
    /// ..., 99 %, ...) for as long as enough lie beyond; empty where there are too few times.</summary>
    public double[] Nines(int stepsANine)
    {
        var total = counts.Values.Aggregate(0L, (sum, count) => sum + count);
        List<double> quantiles = [];
        var passed = 0L;
        foreach (var (lower, count) in counts)
        {
            passed += count;
            // Rounded, as the last bits of a power may differ between processors.
            for (double beyond; (beyond = Math.Round(total * Math.Pow(10, -(double)quantiles.Count / stepsANine), 6))
                >= LeastBeyond && Math.Max(1, total - (long)beyond) <= passed;)
                quantiles.Add(lower + Width(lower) / 2);
        }
        return [.. quantiles];
    }

    /// <summary>True for a bucket's lower bound in ns.</summary>
    public static bool IsLowerBound(long ns) => ns >= 0 && ns % Width(ns) == 0;

    // Exact below 128 ns, else 64 buckets for each power of two.
    static long Width(long lower) =>
        1L << Math.Max(0, BitOperations.Log2((ulong)lower) - SubBucketBits);
}
