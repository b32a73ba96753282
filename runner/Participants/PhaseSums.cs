using Newtonsoft.Json.Linq;

/// <summary>What a side counted, added up by phase: a phase is one slice record, whatever it was made of.</summary>
sealed class PhaseSums
{
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "other", "end"];

    readonly Dictionary<string, JObject> sums = [];
    readonly Dictionary<string, SortedDictionary<long, long>> histograms = [];
    readonly Dictionary<string, SliceFigures> last = [];

    /// <summary>Adds a slice record to its phase.</summary>
    public void Add(JObject slice)
    {
        string phase = (string)slice["phase"]!;
        foreach (string name in Histogram.Names)
        {
            KeepHistogram(phase, name, slice);
        }
        last[phase] = SliceFigures.Of(RecordFile.As<SliceRecord>(slice));
        if (sums.TryGetValue(phase, out JObject? sum))
        {
            Add(sum, slice, "slice");
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
                var buckets = histograms[phase + name].Select(bucket => new Bucket(bucket.Key, bucket.Value));
                outcomes[name] = Buckets.ListOf(buckets);
            }
        }
        return sum;
    }

    /// <summary>The same as a record.</summary>
    public SliceRecord Slice(string phase) => RecordFile.As<SliceRecord>(Of(phase));

    /// <summary>What came last to a phase that there was.</summary>
    public SliceFigures Last(string phase) => last[phase];

    /// <summary>One of a client's outcomes, in these phases; none: in all.</summary>
    public long Sum(Func<OutcomesPart, long> count, params string[] of)
    {
        return sums.Keys
            .Where(phase => of.Length == 0 || of.Contains(phase))
            .Sum(phase => count(Counts(phase).Outcomes!));
    }

    /// <summary>One of a side's own counts, in all phases.</summary>
    public long Count(Func<SliceRecord, long> count) => sums.Keys.Sum(phase => count(Counts(phase)));

    /// <summary>How often calls failed, by kind, in all phases.</summary>
    public IEnumerable<KeyValuePair<string, long>> Failures =>
        sums.Keys.SelectMany(phase => Counts(phase).Outcomes!.Failures);

    // That of a phase without its histograms.
    SliceRecord Counts(string phase) => RecordFile.As<SliceRecord>(sums[phase]);

    // Adds up the fields of a record or of a part of it, as its type in records/Kinds declares it.
    static void Add(JObject sum, JObject slice, string table)
    {
        foreach (Contract.Field field in Contract.FieldsOf(table))
        {
            switch (sum[field.Name], slice[field.Name])
            {
                case (JObject part, JObject other) when field.Part != null:
                    Add(part, other, field.Part);
                    break;
                case (JObject counts, JObject others) when field.Merges != null:
                    AddCounts(counts, others);
                    break;
                case (JObject, JValue { Value: null }):
                    sum[field.Name] = JValue.CreateNull();
                    break;
                case (JValue a, JValue b) when field.Merges != null:
                    sum[field.Name] = Merged(field.Merges, a, b);
                    break;
            }
        }
    }

    // How often something was counted, by its name, which may be new.
    static void AddCounts(JObject counts, JObject others)
    {
        foreach (JProperty other in others.Properties())
        {
            counts[other.Name] = ((long?)counts[other.Name] ?? 0) + (long)other.Value;
        }
    }

    static JValue Merged(MergesAttribute merges, JValue a, JValue b)
    {
        if (a.Value == null || b.Value == null)
        {
            return JValue.CreateNull();
        }
        return merges.How switch
        {
            Merge.Last => b,
            Merge.Greatest => (double)a > (double)b ? a : b,
            _ when a.Value is long x && b.Value is long y => new JValue(x + y),
            _ => new JValue((double)a + (double)b),
        };
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
        // Histograms of which no figure is made would nearly double some files.
        foreach (var (lower, count) in SliceRecord.KeepsTimes(phase) ? Buckets.Of(slice, name) : [])
        {
            buckets[lower] = buckets.GetValueOrDefault(lower) + count;
        }
        outcomes[name] = new JArray();
    }
}
