using Newtonsoft.Json.Linq;

/// <summary>The slices of a side, added up by phase: a phase is one slice record, whatever it was made of.</summary>
sealed class PhaseSums
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "drain", "end"];
    // Of what cannot be added: the most, the least, or what came last.
    static readonly string[] most = ["pause_ns", "rtt_max_ns", "rss_peak_bytes", "threads", "receive_queue_peak_bytes"];
    static readonly string[] latest = ["v", "slice", "client_machine", "rss_bytes"];
    static readonly string[] losses = ["lost", "corrupt", "unanswered"];
    const string Least = "rtt_min_ns";

    readonly Dictionary<string, JObject> sums = [];
    readonly Dictionary<string, SortedDictionary<long, long>> histograms = [];
    readonly Dictionary<string, (long, long, long, long)> taken = [];

    /// <summary>Adds a slice record that has its phase.</summary>
    public void Add(JObject slice)
    {
        var phase = (string)slice["phase"]!;
        foreach (var name in Histogram.Names) Keep(phase, name, slice);
        if (!sums.TryGetValue(phase, out var sum)) sums[phase] = slice; else Add(sum, slice);
    }

    /// <summary>Those of each phase that there was, in the order of the phases; numbered so.</summary>
    public IEnumerable<JObject> All => phases.Where(sums.ContainsKey).Select((phase, number) =>
    {
        var slice = sums[phase];
        slice["slice"] = number;
        if (slice["outcomes"] is JObject outcomes)
            foreach (var name in Histogram.Names)
                outcomes[name] = Buckets.ListOf(histograms[phase + name].Select(bucket => (bucket.Key, bucket.Value)));
        return slice;
    });

    /// <summary>That of a phase, with its histograms; null where there is none.</summary>
    public JObject? Of(string phase) => All.FirstOrDefault(slice => (string?)slice["phase"] == phase);

    /// <summary>What came to a phase since this was called last.</summary>
    public (long ElapsedNs, long Completed, long Lost, long CpuNs) Take(string phase)
    {
        var sum = sums[phase];
        var outcomes = sum["outcomes"] as JObject;
        var (elapsed, completed, lost, cpu) = taken.GetValueOrDefault(phase);
        var now = taken[phase] = ((long)sum["elapsed_ns"]!, (long?)outcomes?["completed"] ?? 0,
            outcomes == null ? 0 : losses.Sum(loss => (long)outcomes[loss]!), (long)sum["cpu_user_ns"]! + (long)sum["cpu_system_ns"]!);
        return (now.Item1 - elapsed, now.Item2 - completed, now.Item3 - lost, now.Item4 - cpu);
    }

    static void Add(JObject sum, JObject slice)
    {
        foreach (var field in sum.Properties())
            switch (field.Value, slice[field.Name])
            {
                case (JObject part, JObject other): Add(part, other); break;
                case (JValue a, JValue b): field.Value = Merged(field.Name, a, b); break;
            }
    }

    static JValue Merged(string name, JValue a, JValue b) => a.Value == null || b.Value == null
        // A round trip that did not come takes none away; a counter that is not told makes the sum unknown.
        ? name.StartsWith("rtt_") ? a.Value == null ? b : a : JValue.CreateNull()
        : latest.Contains(name) || a.Value is string ? b
        : most.Contains(name) ? (long)a > (long)b ? a : b
        : name == Least ? (long)a < (long)b ? a : b
        : a.Value is long x && b.Value is long y ? new(x + y) : new((double)a + (double)b);

    void Keep(string phase, string name, JObject slice)
    {
        if (slice["outcomes"] is not JObject outcomes) return;
        if (!histograms.TryGetValue(phase + name, out var buckets)) histograms[phase + name] = buckets = [];
        foreach (var (lower, count) in Buckets.Of(slice, name)) buckets[lower] = buckets.GetValueOrDefault(lower) + count;
        outcomes[name] = new JArray();
    }
}
