using Newtonsoft.Json.Linq;

/// <summary>What rates are of: the answers that came to clients or, of a stream, the messages that came to the server,
/// each by the clock of the side that they came to.</summary>
static class Arrivals
{
    /// <summary>The work that is not answered.</summary>
    public const string Stream = "stream";

    /// <summary>True of the settings of a stream.</summary>
    public static bool IsStream(JToken settings) => (string?)settings["work"] == Stream;

    /// <summary>What came to a side in a slice of its own; of a server of what is answered, and of a stream's clients,
    /// nothing.</summary>
    public static long To(JObject slice) =>
        slice["outcomes"] is JObject outcomes ? (long)outcomes["completed"]! : (long?)slice["streamed"] ?? 0;

    /// <summary>The same a second; null where it had no time.</summary>
    public static double? Rate(JObject slice) =>
        (long)slice["elapsed_ns"]! is > 0 and var ns ? 1e9 * To(slice) / ns : null;

    /// <summary>What a stream must not have: sent and received: what both sides counted in all slices, the server's by
    /// field. Null: it has nothing of that.</summary>
    public static string? Fault(string delivery, long sent, Func<string, long> received)
    {
        var came = received("streamed");
        var repeated = received("stream_repeated");
        var corrupt = received("stream_corrupt");
        var disordered = received("stream_disordered");
        if (came > sent)
            return $"clients sent {sent:N0} messages, the server received {came:N0}";
        if (delivery == "unreliable")
            return null;
        var wrong = sent - came + repeated + corrupt + (delivery == "reliable-ordered" ? disordered : 0);
        return wrong == 0
            ? null
            : $"{delivery} delivery lost {sent - came:N0}, repeated {repeated:N0}, changed {corrupt:N0} and disordered "
                + $"{disordered:N0} messages of the stream";
    }
}
