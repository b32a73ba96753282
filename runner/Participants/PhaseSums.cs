using Newtonsoft.Json.Linq;

/// <summary>What a side counted, added up by phase: a phase is one slice record, whatever it was made of.</summary>
sealed class PhaseSums
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "other", "end"];
    // What cannot be added: of these the most counts, or what came last, or the least.
    static readonly string[] most = ["pause_ns", "rtt_max_ns", "rss_peak_bytes", "threads", "receive_queue_peak_bytes"];
    static readonly string[] latest = ["v", "slice", "client_machine", "rss_bytes"];
    const string Least = "rtt_min_ns";

    readonly Dictionary<string, JObject> sums = [];
    readonly Dictionary<string, SortedDictionary<long, long>> histograms = [];
    readonly Dictionary<string, SliceFigures> last = [];

    /// <summary>Adds a slice record to its phase.</summary>
    public void Add(JObject slice)
    {
        string phase = (string)slice["phase"]!;
        last[phase] = SliceFigures.Of(slice);
        foreach (string name in Histogram.Names)
        {
            KeepHistogram(phase, name, slice);
        }
        if (sums.TryGetValue(phase, out JObject? sum))
        {
            Add(sum, slice);
        }
        else
        {
            sums[phase] = slice;
        }
    }

    /// <summary>True where something was added to a phase.</summary>
    public bool Has(string phase) => sums.ContainsKey(phase);

    /// <summary>Those of each phase that there was, in the order of the phases; numbered so.</summary>
    public IEnumerable<JObject> All
    {
        get
        {
            int number = 0;
            foreach (string phase in phases.Where(Has))
            {
                JObject slice = Of(phase);
                slice["slice"] = number;
                number++;
                yield return slice;
            }
        }
    }

    /// <summary>That of a phase that there was, with its histograms.</summary>
    public JObject Of(string phase)
    {
        JObject sum = sums[phase];
        if (sum["outcomes"] is JObject outcomes)
        {
            foreach (string name in Histogram.Names)
            {
                outcomes[name] = Buckets.ListOf(histograms[phase + name].Select(bucket => (bucket.Key, bucket.Value)));
            }
        }
        return sum;
    }

    /// <summary>What came last to a phase that there was.</summary>
    public SliceFigures Last(string phase) => last[phase];

    /// <summary>One of a client's outcomes, in these phases; none: in all.</summary>
    public long Sum(string outcome, params string[] of)
    {
        return sums
            .Where(sum => of.Length == 0 || of.Contains(sum.Key))
            .Sum(sum => (long)sum.Value["outcomes"]![outcome]!);
    }

    /// <summary>One of a side's own counts, in all phases.</summary>
    public long Count(string field) => sums.Values.Sum(sum => (long)sum[field]!);

    /// <summary>How often calls failed, by kind, in all phases.</summary>
    public IEnumerable<(string Kind, long Count)> Failures => sums.Values
        .SelectMany(sum => ((JObject)sum["outcomes"]!["failures"]!).Properties())
        .Select(failure => (failure.Name, (long)failure.Value));

    static void Add(JObject sum, JObject slice)
    {
        // A kind of failure that came later.
        foreach (JProperty field in slice.Properties().Where(field => sum[field.Name] == null))
        {
            sum[field.Name] = new JValue(0L);
        }
        foreach (JProperty field in sum.Properties())
        {
            switch (field.Value, slice[field.Name])
            {
                case (JObject part, JObject other):
                    Add(part, other);
                    break;
                case (JObject, JValue { Value: null }):
                    field.Value = JValue.CreateNull();
                    break;
                case (JValue a, JValue b):
                    field.Value = Merged(field.Name, a, b);
                    break;
            }
        }
    }

    static JValue Merged(string name, JValue a, JValue b)
    {
        if (a.Value == null || b.Value == null)
        {
            // A round trip that did not come takes none away; a counter that is not told makes the sum unknown.
            bool isRoundTrip = name.StartsWith("rtt_", StringComparison.Ordinal);
            return !isRoundTrip ? JValue.CreateNull() : a.Value == null ? b : a;
        }
        if (latest.Contains(name) || a.Value is string)
        {
            return b;
        }
        if (most.Contains(name))
        {
            return (long)a > (long)b ? a : b;
        }
        if (name == Least)
        {
            return (long)a < (long)b ? a : b;
        }
        return a.Value is long x && b.Value is long y ? new JValue(x + y) : new JValue((double)a + (double)b);
    }

    void KeepHistogram(string phase, string name, JObject slice)
    {
        if (slice["outcomes"] is not JObject outcomes)
        {
            return;
        }
        if (!histograms.TryGetValue(phase + name, out SortedDictionary<long, long>? buckets))
        {
            buckets = [];
            histograms[phase + name] = buckets;
        }
        foreach (var (lower, count) in Buckets.Of(slice, name))
        {
            buckets[lower] = buckets.GetValueOrDefault(lower) + count;
        }
        outcomes[name] = new JArray();
    }
}
