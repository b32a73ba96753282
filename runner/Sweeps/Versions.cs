/// <summary>Holds the benches as built now against those that a sweep began with.</summary>
static class Versions
{
    /// <summary>Refuses a bench that differs; returns the info records of those that are new.</summary>
    public static InfoRecord[] New(string raw, IEnumerable<InfoRecord> built)
    {
        var known = new Dictionary<string, InfoRecord>();
        foreach (var info in RecordFile.OfKind<InfoRecord>(raw))
        {
            known.TryAdd(info.Library, info);
        }
        var added = new List<InfoRecord>();
        foreach (var now in built)
        {
            if (known.TryAdd(now.Library, now))
            {
                added.Add(now);
                continue;
            }
            var then = known[now.Library];
            AssertSame("library_version", now.LibraryVersion, then.LibraryVersion);
            AssertSame("library_sha256", now.LibrarySha256, then.LibrarySha256);
            AssertSame("bench_sha256", now.BenchSha256, then.BenchSha256);

            void AssertSame(string field, string value, string recorded)
            {
                if (value != recorded)
                {
                    throw new Failure($"{field} of bench-{now.Library} is {value}, but "
                        + $"{recorded} in {raw}: a sweep goes on with the benches that it began with.");
                }
            }
        }
        return [.. added];
    }
}
