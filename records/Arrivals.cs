/// <summary>What rates are of: the answers that came to clients or, of a stream, the messages that came to the server,
/// each by the clock of the side that they came to.</summary>
static class Arrivals
{
    /// <summary>What came to a side in a slice of its own; of a server of what is answered, and of a stream's clients,
    /// nothing.</summary>
    public static long To(SliceRecord slice) => slice.Outcomes?.Completed ?? slice.Streamed;

    /// <summary>The same a second; null where it had no time.</summary>
    public static double? Rate(SliceRecord slice) =>
        slice.ElapsedNs > 0 ? 1e9 * To(slice) / slice.ElapsedNs : null;

    /// <summary>What a stream must not have, of what both sides counted in all slices. Null: it has nothing of
    /// that.</summary>
    /// <param name="delivery">As settings have it.</param>
    /// <param name="sent">Messages that the clients handed to the library.</param>
    /// <param name="received">The sum of one of the server's counts over its slices.</param>
    public static string? Fault(string delivery, long sent, Func<Func<SliceRecord, long>, long> received)
    {
        long streamed = received(slice => slice.Streamed);
        long repeated = received(slice => slice.StreamRepeated);
        long corrupt = received(slice => slice.StreamCorrupt);
        long disordered = received(slice => slice.StreamDisordered);
        if (streamed > sent)
            return $"clients sent {sent:N0} messages, the server received {streamed:N0}";
        if (delivery == "unreliable")
            return null;
        var wrong = sent - streamed + repeated + corrupt + (delivery == "reliable-ordered" ? disordered : 0);
        return wrong == 0
            ? null
            : $"{delivery} delivery lost {sent - streamed:N0}, repeated {repeated:N0}, changed {corrupt:N0} and "
                + $"disordered {disordered:N0} messages of the stream";
    }
}
