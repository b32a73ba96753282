using Newtonsoft.Json.Linq;

/// <summary>The histogram of a client record (rtt_ns); as JSON it is most of a sweep.</summary>
static class Buckets
{
    /// <summary>Its pairs of lower bound in ns and count.</summary>
    public static (long Lower, long Count)[] Of(JObject client) =>
        client.Annotation<(long, long)[]>() ?? [.. client["rtt_ns"]!.OfType<JArray>()
            .Select(bucket => ((long)bucket[0], (long)bucket[1]))];

    /// <summary>True where the list has entries that are no pairs.</summary>
    public static bool HasOthers(JObject client) => client["rtt_ns"]!.Any(entry => entry is not JArray);

    /// <summary>Keeps the pairs of a record beside it, in place of the list.</summary>
    public static void Pack(JObject client)
    {
        if (HasOthers(client)) return;
        client.AddAnnotation(Of(client));
        client["rtt_ns"] = new JArray();
    }
}
