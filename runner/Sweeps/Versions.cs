/// <summary>Holds the benches as built now against those that a sweep began with.</summary>
static class Versions
{
    static readonly string[] fields = ["library_version", "library_sha256", "bench_sha256"];

    /// <summary>Refuses a bench that differs; returns the info records of those that are new.</summary>
    public static InfoRecord[] New(string raw, InfoRecord[] built)
    {
        var known = RecordFile.OfKind<InfoRecord>(raw)
            .DistinctBy(info => info.Library)
            .ToDictionary(info => info.Library, info => info.Json);
        foreach (var now in built)
        {
            var then = known.GetValueOrDefault(now.Library) ?? now.Json;
            if (fields.FirstOrDefault(field => (string?)now.Json[field] != (string?)then[field]) is { } other)
            {
                throw new Failure($"{other} of bench-{now.Library} is {now.Json[other]}, but "
                    + $"{then[other]} in {raw}: a sweep goes on with the benches that it began with.");
            }
        }
        return [.. built.Where(now => !known.ContainsKey(now.Library))];
    }
}
