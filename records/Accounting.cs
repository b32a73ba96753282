using Newtonsoft.Json.Linq;

/// <summary>The sums that must add up within one record (docs/records.md, "The message").</summary>
static class Accounting
{
    /// <summary>What does not add up in a record with sound fields; empty when all does.</summary>
    public static IEnumerable<string> Faults(AnyRecord record)
    {
        var json = record.Json;
        // One slice may have unanswered below 0; the report checks the sum over all phases.
        foreach (var part in new[] { json, json["outcomes"], json["outside"] }.OfType<JObject>())
        {
            foreach (var field in part.Properties())
            {
                if (
                    field.Name is not ("exit_code" or "clock_jump_s" or "unanswered")
                    && field.Value is JValue { Value: long and < 0 or double and < 0 }
                )
                {
                    yield return $"{field.Path} is negative.";
                }
            }
        }
        if (record is not SliceRecord slice)
            yield break;
        if (slice.IsOfServer == (slice.Outcomes != null))
        {
            yield return "outcomes is to be null just of a server.";
        }
        else if (slice.Outcomes is { } outcomes)
        {
            foreach (var fault in OfClient(slice, outcomes))
                yield return fault;
        }
    }

    static IEnumerable<string> OfClient(SliceRecord slice, OutcomesPart outcomes)
    {
        var ended = slice.Received + outcomes.WithoutAnswer;
        if (slice.Sent != ended)
            yield return $"sent is {slice.Sent}, but its outcomes add up to {ended}.";

        // Not LINQ's Sum, which throws where a damaged record overflows it.
        var count = outcomes.RttNs.Aggregate(0L, (sum, bucket) => sum + bucket.Count);
        var isLeftOut = count == 0 && !SliceRecord.KeepsTimes(slice.Phase);
        if (count != slice.Received && !isLeftOut)
            yield return $"The buckets of outcomes.rtt_ns hold {count}, not received.";
        foreach (var name in Histogram.Names.Where(name => !IsHistogram(Buckets.Of(slice.Json, name))))
            yield return $"outcomes.{name} is no ascending list of [lower bound, count].";
        if (slice.Received == 0 != (outcomes.RttSumNs == 0))
            yield return "outcomes.rtt_sum_ns is to be 0 just where nothing was received.";
    }

    static bool IsHistogram(IReadOnlyList<Bucket> buckets) =>
        buckets.All(bucket => bucket.Count > 0 && Histogram.IsLowerBound(bucket.Lower))
        && buckets.Zip(buckets.Skip(1)).All(pair => pair.First.Lower < pair.Second.Lower);
}
