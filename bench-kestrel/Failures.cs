using System.Collections.Concurrent;

/// <summary>How many calls failed since the last drain, by the library's word for each failure.</summary>
static class Failures
{
    static readonly ConcurrentDictionary<string, long> counts = new();

    /// <summary>Counts one.</summary>
    public static void Add(string failure) => counts.AddOrUpdate(failure, 1, (_, count) => count + 1);

    /// <summary>Returns and forgets them.</summary>
    public static Dictionary<string, long> Take()
    {
        var taken = new Dictionary<string, long>();
        foreach (string failure in counts.Keys)
        {
            if (counts.TryRemove(failure, out long count))
            {
                taken[failure] = count;
            }
        }
        return taken;
    }
}
