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

    /// <summary>A rate over a link as its round trips allow: a closed loop makes no more messages per second than its
    /// slots over the mean round trip, whatever happens to come just before a short window ends.</summary>
    public static double? AsRoundTripsAllow(double? rate, LaunchSettings settings, IEnumerable<SliceRecord> clients)
    {
        if (settings.Link == null || settings.Rate > 0 || !Works.Of(settings.Work).IsAnswered)
            return rate;
        SliceRecord[] all = [.. clients.Where(client => client.Outcomes != null)];
        double answered = all.Sum(client => (double)client.Received);
        double roundTripsNs = all.Sum(client => (double)client.Outcomes!.RttSumNs);
        return roundTripsNs > 0 && rate is { } most
            ? Math.Min(most, 1e9 * settings.Slots * answered / roundTripsNs)
            : rate;
    }

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
