using Newtonsoft.Json.Linq;

/// <summary>The slices of a side, added up by phase: a phase is one slice record, whatever it was made of.</summary>
sealed class PhaseSums
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "drain", "end"];
    // Of what cannot be added: the most, the least, or what came last.
    static readonly string[] most = ["pause_ns", "rtt_max_ns", "rss_peak_bytes", "threads", "receive_queue_peak_bytes"];
    static readonly string[] latest = ["v", "slice", "client_machine", "rss_bytes"];
    const string Least = "rtt_min_ns";

    readonly Dictionary<string, JObject> sums = [];
    readonly Dictionary<string, SortedDictionary<long, long>> histograms = [];
    readonly Dictionary<string, SliceFigures> last = [];

    /// <summary>Adds a slice record that has its phase.</summary>
    public void Add(JObject slice)
    {
        var phase = (string)slice["phase"]!;
        last[phase] = SliceFigures.Of(slice);
        foreach (var name in Histogram.Names) Keep(phase, name, slice);
        if (!sums.TryGetValue(phase, out var sum)) sums[phase] = slice; else Add(sum, slice);
    }

    /// <summary>True where there is a slice of a phase.</summary>
    public bool Has(string phase) => sums.ContainsKey(phase);

    /// <summary>Those of each phase that there was, in the order of the phases; numbered so.</summary>
    public IEnumerable<JObject> All => phases.Where(Has).Select((phase, number) =>
    {
        var slice = Of(phase);
        slice["slice"] = number;
        return slice;
    });

    /// <summary>That of a phase that there was, with its histograms.</summary>
    public JObject Of(string phase)
    {
        if (sums[phase]["outcomes"] is JObject outcomes)
            foreach (var name in Histogram.Names)
                outcomes[name] = Buckets.ListOf(histograms[phase + name].Select(bucket => (bucket.Key, bucket.Value)));
        return sums[phase];
    }

    /// <summary>What came last to a phase that there was.</summary>
    public SliceFigures Last(string phase) => last[phase];

    /// <summary>One of a client's outcomes, in these phases; none: in all.</summary>
    public long Sum(string outcome, params string[] of) => sums.Where(sum => of.Length == 0 || of.Contains(sum.Key))
        .Sum(sum => (long)sum.Value["outcomes"]![outcome]!);

    /// <summary>One of a side's own counts, in all phases.</summary>
    public long Count(string field) => sums.Values.Sum(sum => (long)sum[field]!);

    /// <summary>How often calls failed, by kind, in all phases.</summary>
    public IEnumerable<(string Kind, long Count)> Failures => sums.Values.SelectMany(sum => ((JObject)sum["outcomes"]!["failures"]!).Properties())
        .Select(failure => (failure.Name, (long)failure.Value));

    static void Add(JObject sum, JObject slice)
    {
        // A kind of failure that came later.
        foreach (var field in slice.Properties().Where(field => sum[field.Name] == null)) sum[field.Name] = new JValue(0L);
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
