using Newtonsoft.Json.Linq;

/// <summary>Records of version 10, which all sweeps were written in that are committed, as records of this version.
/// </summary>
static class Version10
{
    /// <summary>The version.</summary>
    public const long Number = 10;

    static readonly string[] ofReady = ["hello_ns"];

    static readonly string[] ofSlice =
        ["bytes", "passes", "idle_passes", "gc0_count", "gc1_count", "gc2_count", "gc_longest_pause_ns"];

    static readonly string[] ofOutcomes =
    [
        "received_late", "timed_out", "in_flight_ns", "idle_ns", "pause_ns", "rtt_min_ns", "rtt_max_ns",
        "deliveries_missing", "deliveries_corrupt", "deliveries_repeated", "deliveries_disordered",
        "deliveries_in_time", "leaves", "connections_lost", "input_waits", "input_wait_ns", "spread_ns", "jitter_ns",
        "join_ns",
    ];

    static readonly string[] ofSettings = ["client_threads", "events_percent"];

    /// <summary>Changes a record, if it is one of version 10.</summary>
    public static void Upgrade(JObject record)
    {
        if (record["v"] is not JValue { Value: Number })
        {
            return;
        }
        record["v"] = Contract.Version;
        switch ((string?)record["record"])
        {
            case "ready":
                Remove(record, ofReady);
                break;
            case "slice":
                if (record["outcomes"] is JObject outcomes)
                {
                    UpgradeOutcomes(record, outcomes);
                }
                if (record["outside"] is JObject outside)
                {
                    outside["cpu_quota_periods"] ??= JValue.CreateNull();
                    outside["cpu_throttled_periods"] ??= JValue.CreateNull();
                }
                Remove(record, ofSlice);
                break;
            case "launch":
                record["trouble"] ??= JValue.CreateNull();
                break;
        }
        if (record["settings"] is JObject settings)
        {
            Remove(settings, ofSettings);
        }
    }

    static void UpgradeOutcomes(JObject slice, JObject outcomes)
    {
        Move(outcomes, "received_late", slice, "received");
        Move(outcomes, "timed_out", outcomes, "lost");
        // Of a game alone there are jitters, and of a broadcast alone delays.
        if (outcomes["jitter_ns"] is JArray { Count: > 0 } jitters)
        {
            outcomes["delivery_ns"]!.Replace(jitters.DeepClone());
        }
        Remove(outcomes, ofOutcomes);
    }

    static void Move(JObject from, string field, JObject to, string sum)
    {
        if (from[field] is JValue { Value: long more } && to[sum] is JValue { Value: long count })
        {
            to[sum] = count + more;
        }
    }

    static void Remove(JObject from, string[] fields)
    {
        foreach (string field in fields)
        {
            from.Remove(field);
        }
    }
}
