using Newtonsoft.Json.Linq;

/// <summary>Holds the benches as built now against those that a sweep began with.</summary>
static class Versions
{
    static readonly string[] compared = ["library_version", "library_sha256", "bench_sha256"];

    /// <summary>Refuses a bench that differs; returns the info records of those that are new.</summary>
    public static JObject[] New(string raw, IEnumerable<JObject> built)
    {
        var known = new Dictionary<string, JObject>();
        foreach (var info in RecordFile.OfKind(raw, "info"))
            known.TryAdd(NameOf(info), info);
        var added = new List<JObject>();
        foreach (var now in built)
        {
            if (known.TryAdd(NameOf(now), now))
            {
                added.Add(now);
                continue;
            }
            var then = known[NameOf(now)];
            foreach (var field in compared)
            {
                if (!JToken.DeepEquals(now[field], then[field]))
                {
                    throw new Failure($"{field} of bench-{NameOf(now)} is {now[field]}, but "
                        + $"{then[field]} in {raw}: a sweep goes on with the benches that it began with.");
                }
            }
        }
        return [.. added];
    }

    static string NameOf(JObject info) => (string)info["library"]!;
}
