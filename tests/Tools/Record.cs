using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Records read back from JSON lines.</summary>
static class Record
{
    static readonly JsonLoadSettings strict = new()
    {
        DuplicatePropertyNameHandling = DuplicatePropertyNameHandling.Error,
    };

    /// <summary>One line as a record; a field given twice is refused.</summary>
    public static JObject Parse(string line)
    {
        using var reader = new JsonTextReader(new StringReader(line)) { DateParseHandling = DateParseHandling.None };
        var record = JObject.Load(reader, strict);
        Assert.False(reader.Read(), $"More than one object in the line '{line}'");
        return record;
    }

    /// <summary>The whole lines of a file that may still be written.</summary>
    public static JObject[] In(string path)
    {
        if (!File.Exists(path))
            return [];
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var text = new StreamReader(file).ReadToEnd();
        var whole = text[..(text.LastIndexOf('\n') + 1)];
        return [.. whole.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Parse)];
    }

    /// <summary>The name of a record.</summary>
    public static string KindOf(JObject record) => (string)record["record"]!;

    /// <summary>The one record of a kind.</summary>
    public static JObject Single(IEnumerable<JObject> records, string kind) =>
        Assert.Single(records, record => KindOf(record) == kind);

    /// <summary>All records of a kind of a side, in their order.</summary>
    public static JObject[] All(IEnumerable<JObject> records, string side, string kind) =>
        [.. records.Where(record => KindOf(record) == kind && (string?)record["side"] == side)];

    /// <summary>The one record of a kind of a side.</summary>
    public static JObject Of(IEnumerable<JObject> records, string side, string kind) =>
        Assert.Single(All(records, side, kind));

    /// <summary>All slices of a side, in their order.</summary>
    public static JObject[] Slices(IEnumerable<JObject> records, string side) => All(records, side, "slice");

    /// <summary>The one slice of a side in a phase.</summary>
    public static JObject Slice(IEnumerable<JObject> records, string side, string phase) =>
        Assert.Single(Slices(records, side), slice => (string?)slice["phase"] == phase);

    /// <summary>The sum of counts of a record; those of a slice's outcomes with or without their path, as in
    /// outcomes.lost.</summary>
    public static long Sum(JObject record, params string[] fields) => fields.Sum(field => CountOf(record, field));

    /// <summary>The sum of counts of several.</summary>
    public static long Sum(IEnumerable<JObject> records, params string[] fields) =>
        records.Sum(record => Sum(record, fields));

    /// <summary>Asserts the sums that docs/records.md ("The message") promises of a client's slice.</summary>
    public static void AssertAddsUp(JObject slice)
    {
        var outcomes = slice["outcomes"]!;
        var answered = Sum(slice, "received");
        var givenUp = Sum(
            slice,
            "outcomes.lost",
            "outcomes.corrupt",
            "outcomes.failed",
            "outcomes.unanswered");
        Assert.Equal((long)slice["sent"]!, answered + givenUp);
        Assert.True(Sum(slice, "outcomes.unanswered") >= 0);

        var buckets = outcomes["rtt_ns"]!.ToArray();
        // A bench's own record has no phase; of the runner's those of what is measured keep round trips.
        var isKept = (string?)slice["phase"] is null or "rounds" or "window";
        Assert.Equal(isKept ? answered : 0, buckets.Sum(bucket => (long)bucket[1]!));
        long[] bounds = [.. buckets.Select(bucket => (long)bucket[0]!)];
        Assert.Equal(bounds.Distinct().Order(), bounds);
    }

    /// <summary>Asserts that a window of clients in rooms adds up, and that all that was due came to all, and nothing
    /// foreign.</summary>
    public static void AssertAllDelivered(JObject window)
    {
        AssertAddsUp(window);
        Assert.True(Sum(window, "outcomes.deliveries") > 0);
        Assert.Equal(Sum(window, "outcomes.deliveries_due"), Sum(window, "outcomes.deliveries"));
        Assert.Equal(0, Sum(window, "outcomes.foreign"));
    }

    /// <summary>The middle in ns of the bucket that holds a quantile of a client's slice's round trips.</summary>
    public static double QuantileNs(JObject slice, double quantile)
    {
        var rank = (long)Math.Ceiling(quantile * Sum(slice, "received"));
        var counted = 0L;
        foreach (var bucket in slice["outcomes"]!["rtt_ns"]!)
        {
            counted += (long)bucket[1]!;
            if (counted < rank)
                continue;
            var lower = (long)bucket[0]!;
            return lower + (HistogramTests.Width(lower) - 1) / 2.0;
        }
        throw new InvalidOperationException($"The buckets hold {counted} round trips, not {rank}.");
    }

    /// <summary>How many round trips of a slice took longer than this, as its buckets tell.</summary>
    public static long CountOver(JObject slice, double ns)
    {
        var over = slice["outcomes"]!["rtt_ns"]!.Where(bucket => (long)bucket[0]! > ns);
        return over.Sum(bucket => (long)bucket[1]!);
    }

    static long CountOf(JObject record, string field)
    {
        var count = record.SelectToken(field) ?? record.SelectToken($"outcomes.{field}", errorWhenNoMatch: true);
        return (long)count!;
    }
}
