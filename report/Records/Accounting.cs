using Newtonsoft.Json.Linq;

/// <summary>The sums that must add up within one record (CONTRACT.md, "The message").</summary>
static class Accounting
{
    static readonly string[] histograms = ["rtt_ns", "send_lag_ns"];

    /// <summary>What does not add up in a record with sound fields; empty when all does.</summary>
    public static IEnumerable<string> Faults(JObject record)
    {
        foreach (var field in record.Properties())
            if (field.Name is not ("exit_code" or "clock_jump_s")
                && field.Value is JValue { Value: long and < 0 })
                yield return $"{field.Name} is negative.";
        var faults = (string?)record["record"] switch
        {
            "client" => Client(record),
            "server" => Server(record),
            _ => [],
        };
        foreach (var fault in faults) yield return fault;
    }

    static IEnumerable<string> Client(JObject client)
    {
        long Of(string field) => (long)client[field]!;
        // Not LINQ's Sum, which throws where a damaged record overflows it.
        long Sum(params string[] fields) => fields.Aggregate(0L, (sum, field) => sum + Of(field));

        var warmup = Sum("received_warmup", "received_warmup_late", "lost_warmup", "corrupt_warmup",
            "unanswered_warmup");
        if (Of("sent_warmup") != warmup)
            yield return $"sent_warmup is {Of("sent_warmup")}, but its outcomes add up to {warmup}.";
        var window = Sum("received_window", "received_drain", "lost_window", "corrupt_window",
            "unanswered_window");
        if (Of("sent_window") != window)
            yield return $"sent_window is {Of("sent_window")}, but its outcomes add up to {window}.";
        if (Of("completed_window") < Of("received_window")
            || Of("completed_window") > Sum("received_window", "received_warmup"))
            yield return "completed_window is not from received_window to all received by then.";

        var count = Of("rtt_count");
        if (count != Sum("received_window", "received_drain"))
            yield return $"rtt_count is {count}, not received_window + received_drain.";
        var counted = Buckets.Of(client, "rtt_ns").Aggregate(0L, (sum, bucket) => sum + bucket.Count);
        if (counted != count)
            yield return $"rtt_count is {count}, but the buckets of rtt_ns hold {counted}.";
        foreach (var histogram in histograms)
            if (!IsHistogram(client, histogram))
                yield return $"{histogram} is no ascending list of [lower bound, count].";

        if (client["send_lag_ns"]!.Type == JTokenType.Null != ((long)client["settings"]!["rate"]! == 0))
            yield return "send_lag_ns is to be null just where rate is 0.";
        if (Of("idle_passes") > Of("passes")) yield return "idle_passes exceeds passes.";

        var (least, most) = ((long?)client["rtt_min_ns"], (long?)client["rtt_max_ns"]);
        if (least == null != (count == 0) || most == null != (count == 0))
            yield return "rtt_min_ns and rtt_max_ns are to be null just where rtt_count is 0.";
        var mean = (double)Of("rtt_sum_ns") / Math.Max(1, count);
        if (mean < (least ?? 0) || mean > (most ?? 0))
            yield return "rtt_sum_ns / rtt_count is not between rtt_min_ns and rtt_max_ns.";
    }

    static bool IsHistogram(JObject client, string name)
    {
        var buckets = Buckets.Of(client, name);
        return !Buckets.HasOthers(client, name)
            && buckets.All(bucket => bucket.Count > 0 && Histogram.IsLowerBound(bucket.Lower))
            && buckets.Zip(buckets.Skip(1)).All(pair => pair.First.Lower < pair.Second.Lower);
    }

    static IEnumerable<string> Server(JObject server)
    {
        bool Null(string field) => server[field]!.Type == JTokenType.Null;
        if ((long)server["sent"]! > (long)server["received"]!)
            yield return "sent exceeds received.";
        if (Null("received_window") != Null("cost") || Null("sent_window") != Null("cost"))
            yield return "received_window, sent_window and cost are to be null together.";
    }
}
