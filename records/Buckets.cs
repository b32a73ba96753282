using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The histograms in a client's slice record (Histogram.Names); as JSON they are most of a
/// sweep, so their pairs are kept beside a list that is left empty.</summary>
static class Buckets
{
    /// <summary>The buckets of a histogram; none of a server.</summary>
    public static Bucket[] Of(JObject slice, string histogram) =>
        slice["outcomes"] is JObject outcomes && outcomes[histogram] is { } list ? Of(list) : [];

    /// <summary>The buckets that a list stands for.</summary>
    public static Bucket[] Of(JToken list) =>
        list.Annotation<Bucket[]>() ?? [.. list.Select(pair => new Bucket((long)pair[0]!, (long)pair[1]!))];

    /// <summary>A list that stands for these buckets.</summary>
    public static JArray Packed(Bucket[] buckets)
    {
        var list = new JArray();
        list.AddAnnotation(buckets);
        return list;
    }

    /// <summary>Puts the buckets of a slice back into its lists, as they are written.</summary>
    public static void Unpack(JObject slice)
    {
        if (slice["outcomes"] is not JObject outcomes)
            return;
        foreach (var name in Histogram.Names)
            outcomes[name] = ListOf(Of(slice, name));
    }

    /// <summary>A list as it is written.</summary>
    public static JArray ListOf(IEnumerable<Bucket> buckets) =>
        new(buckets.Select(bucket => new JArray(bucket.Lower, bucket.Count)));
}

/// <summary>Reads a histogram into its buckets.</summary>
sealed class BucketsConverter : JsonConverter<IReadOnlyList<Bucket>>
{
    public override bool CanWrite => false;

    public override IReadOnlyList<Bucket> ReadJson(
        JsonReader reader,
        Type objectType,
        IReadOnlyList<Bucket>? existingValue,
        bool hasExistingValue,
        JsonSerializer serializer)
    {
        // What is read is a tree already, so that the list with its annotation can be had.
        JToken list = ((JTokenReader)reader).CurrentToken!;
        reader.Skip();
        return Buckets.Of(list);
    }

    public override void WriteJson(JsonWriter writer, IReadOnlyList<Bucket>? value, JsonSerializer serializer) =>
        throw new NotSupportedException("Histograms are written by benches and merged as lists.");
}
