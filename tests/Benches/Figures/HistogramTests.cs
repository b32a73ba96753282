using System.Numerics;

/// <summary>Round trips are counted within 1 %, and counts merge.</summary>
public sealed class HistogramTests
{
    const long LeastNs = 100;
    const long MostNs = 60_000_000_000;

    [Theory, InlineData(0.5), InlineData(0.9), InlineData(0.99), InlineData(0.999), InlineData(1)]
    public void A_percentile_is_within_1_percent_of_the_exact_one(double quantile)
    {
        var values = Values(seed: 1, count: 100_000);
        var histogram = Of(values);
        Array.Sort(values);
        var exact = values[(int)Math.Ceiling(quantile * values.Length) - 1];
        Assert.InRange(Middle(histogram.Quantile(quantile)), exact * 0.99, exact * 1.01);
    }

    [Fact]
    public void Every_value_lies_in_its_bucket_and_within_1_percent_of_its_middle()
    {
        foreach (var value in Values(seed: 2, count: 10_000).Concat([LeastNs, 127, 128, 129, 255, 256, MostNs]))
        {
            var bucket = Assert.Single(Of([value]).Filled());
            Assert.InRange(value, bucket[0], bucket[0] + Width(bucket[0]) - 1);
            Assert.InRange(Middle(bucket[0]), value * 0.99, value * 1.01);
        }
    }

    [Fact]
    public void Values_below_128_ns_are_exact() =>
        Assert.All(Enumerable.Range(0, 128), ns => Assert.Equal([ns, 1L], Assert.Single(Of([ns]).Filled())));

    [Fact]
    public void Values_over_a_minute_fall_in_the_last_bucket_and_keep_their_sum()
    {
        var histogram = Of([MostNs * 3]);
        Assert.InRange(MostNs, Assert.Single(histogram.Filled())[0], MostNs);
        Assert.Equal(MostNs * 3, histogram.SumNs);
    }

    [Fact]
    public void Merging_is_the_same_as_adding_all()
    {
        var first = Values(seed: 3, count: 5_000);
        var second = Values(seed: 4, count: 700);
        var merged = Of(first);
        var all = Of([.. first, .. second]);
        merged.Merge(Of(second));
        merged.Merge(new Histogram());
        AssertSame(all, merged);
    }

    // Each window begins with what the last one left.
    [Fact]
    public void One_that_was_cleared_is_as_a_new_one()
    {
        var values = Values(seed: 5, count: 1_000);
        var cleared = Of(Values(seed: 6, count: 1_000));
        cleared.Clear();
        AssertSame(new Histogram(), cleared);
        foreach (var value in values)
        {
            cleared.Add(value);
        }
        AssertSame(Of(values), cleared);
    }

    [Fact]
    public void Lower_bounds_ascend_without_gaps()
    {
        var buckets = Of([.. Enumerable.Range(0, 1 << 16)]).Filled();
        long[] bounds = [.. buckets.Select(bucket => bucket[0])];
        Assert.All(bounds.Zip(bounds.Skip(1)), pair => Assert.Equal(pair.First + Width(pair.First), pair.Second));
    }

    [Fact]
    public void An_empty_histogram_has_no_buckets()
    {
        Assert.Empty(new Histogram().Filled());
        Assert.Equal(0, new Histogram().Quantile(0.5));
    }

    static void AssertSame(Histogram expected, Histogram histogram)
    {
        Assert.Equal(expected.Filled(), histogram.Filled());
        Assert.Equal(expected.SumNs, histogram.SumNs);
    }

    static Histogram Of(params IEnumerable<long> values)
    {
        var histogram = new Histogram();
        foreach (var value in values)
        {
            histogram.Add(value);
        }
        return histogram;
    }

    // Evenly spread over the powers of ten from 100 ns to 60 s.
    static long[] Values(int seed, int count)
    {
        var random = new Random(seed);
        var values = new long[count];
        for (var value = 0; value < count; value++)
        {
            values[value] = (long)(LeastNs * Math.Pow((double)MostNs / LeastNs, random.NextDouble()));
        }
        return values;
    }

    /// <summary>Width in ns of the bucket from a lower bound on, as docs/records.md gives it for rtt_ns.</summary>
    internal static long Width(long lower) => lower < 128 ? 1 : 1L << (BitOperations.Log2((ulong)lower) - 6);

    static double Middle(long lower) => lower + (Width(lower) - 1) / 2.0;
}
