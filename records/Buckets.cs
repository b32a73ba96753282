using Newtonsoft.Json.Linq;

/// <summary>The histograms in a client's slice record (rtt_ns, send_lag_ns); as JSON they are most of a
/// sweep, so their pairs are kept beside a list that is left empty.</summary>
static class Buckets
{
    /// <summary>The pairs of lower bound in ns and count of a histogram; none of a server.</summary>
    public static (long Lower, long Count)[] Of(JObject slice, string histogram) =>
        List(slice, histogram) is not { } list
            ? []
            : list.Annotation<(long, long)[]>()
                ?? [.. list.OfType<JArray>().Select(bucket => ((long)bucket[0], (long)bucket[1]))];

    /// <summary>True where the list has entries that are no pairs.</summary>
    public static bool HasOthers(JObject slice, string histogram) =>
        List(slice, histogram)?.Any(entry => entry is not JArray) == true;

    /// <summary>A list that stands for these pairs.</summary>
    public static JArray Packed((long Lower, long Count)[] pairs)
    {
        var list = new JArray();
        list.AddAnnotation(pairs);
        return list;
    }

    /// <summary>Puts the pairs of a slice back into its lists, as they are written.</summary>
    public static void Unpack(JObject slice)
    {
        if (slice["outcomes"] is not JObject outcomes)
            return;
        foreach (var name in Histogram.Names)
            outcomes[name] = ListOf(Of(slice, name));
    }

    /// <summary>A list as it is written.</summary>
    public static JArray ListOf(IEnumerable<(long Lower, long Count)> pairs) =>
        new(pairs.Select(pair => new JArray(pair.Lower, pair.Count)));

    static JToken? List(JObject slice, string histogram) => (slice["outcomes"] as JObject)?[histogram];
}
