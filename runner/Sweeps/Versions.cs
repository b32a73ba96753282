using Newtonsoft.Json.Linq;

/// <summary>Holds the benches as built now against those that a sweep began with.</summary>
static class Versions
{
    static readonly string[] compared = ["library_version", "library_sha256", "bench_sha256"];

    /// <summary>Refuses a bench that differs; the info record of one that is new is appended.</summary>
    public static void Check(string raw, IEnumerable<Line> built)
    {
        var known = new Dictionary<string, JObject>();
        foreach (var info in RecordFile.OfKind(raw, "info")) known.TryAdd(NameOf(info), info);
        var added = new List<JObject>();
        foreach (var line in built)
        {
            if ((string?)line.Record?["record"] != "info")
                throw new Failure($"stdin:{line.Number}: "
                    + (line.Faults.FirstOrDefault() ?? "The line is no info record."), Program.WrongUsage);
            var now = line.Record;
            if (known.TryAdd(NameOf(now), now))
            {
                added.Add(now);
                continue;
            }
            var then = known[NameOf(now)];
            foreach (var field in compared)
                if (!JToken.DeepEquals(now[field], then[field]))
                    throw new Failure($"{field} of bench-{NameOf(now)} is {now[field]}, but "
                        + $"{then[field]} in {raw}: a sweep goes on with the benches that it began with.");
        }
        if (added.Count > 0) RecordFile.Append(raw, added);
    }

    static string NameOf(JObject info) => (string)info["library"]!;
}
