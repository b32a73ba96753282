using Newtonsoft.Json.Linq;

/// <summary>The sums that must add up within one record (CONTRACT.md, "The message").</summary>
static class Accounting
{
    /// <summary>The outcomes of messages that got no sound answer.</summary>
    public static readonly string[] Losses = ["lost", "corrupt", "failed", "timed_out", "unanswered"];

    /// <summary>What does not add up in a record with sound fields; empty when all does.</summary>
    public static IEnumerable<string> Faults(JObject record)
    {
        foreach (var part in new[] { record, record["outcomes"], record["outside"] }.OfType<JObject>())
        {
            foreach (var field in part.Properties())
            {
                if (
                    field.Name is not ("exit_code" or "clock_jump_s" or "idle_ns")
                    && field.Value is JValue { Value: long and < 0 }
                )
                {
                    yield return $"{field.Path} is negative.";
                }
            }
        }
        if ((string?)record["record"] != "slice")
            yield break;
        if ((long)record["idle_passes"]! > (long)record["passes"]!)
            yield return "idle_passes exceeds passes.";
        if ((string?)record["side"] == "client" != record["outcomes"] is JObject)
        {
            yield return "outcomes is to be null just of a server.";
        }
        else if (record["outcomes"] is JObject outcomes)
        {
            foreach (var fault in OfClient(record, outcomes))
                yield return fault;
        }
    }

    static IEnumerable<string> OfClient(JObject slice, JObject outcomes)
    {
        long Of(string outcome) => (long)outcomes[outcome]!;
        var sent = (long)slice["sent"]!;
        var received = (long)slice["received"]!;
        var ended = received + Of("received_late") + Losses.Sum(Of);
        if (sent != ended)
            yield return $"sent is {sent}, but its outcomes add up to {ended}.";
        if (Of("completed") < received)
            yield return "outcomes.completed is less than received.";

        // Not LINQ's Sum, which throws where a damaged record overflows it.
        var count = Buckets.Of(slice, "rtt_ns").Aggregate(0L, (sum, bucket) => sum + bucket.Count);
        if (count != received + Of("received_late"))
            yield return $"The buckets of outcomes.rtt_ns hold {count}, not received + received_late.";
        foreach (var histogram in Histogram.Names)
        {
            if (!IsHistogram(slice, histogram))
                yield return $"outcomes.{histogram} is no ascending list of [lower bound, count].";
        }

        var least = (long?)outcomes["rtt_min_ns"];
        var most = (long?)outcomes["rtt_max_ns"];
        if (least == null != (count == 0) || most == null != (count == 0))
            yield return "outcomes.rtt_min_ns and rtt_max_ns are to be null just where nothing was received.";
        var mean = (double)Of("rtt_sum_ns") / Math.Max(1, count);
        if (mean < (least ?? 0) || mean > (most ?? 0))
            yield return "The mean of outcomes.rtt_sum_ns is not between rtt_min_ns and rtt_max_ns.";
    }

    static bool IsHistogram(JObject slice, string name)
    {
        var buckets = Buckets.Of(slice, name);
        return !Buckets.HasOthers(slice, name)
            && buckets.All(bucket => bucket.Count > 0 && Histogram.IsLowerBound(bucket.Lower))
            && buckets.Zip(buckets.Skip(1)).All(pair => pair.First.Lower < pair.Second.Lower);
    }
}
