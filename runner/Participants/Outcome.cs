using Newtonsoft.Json.Linq;

/// <summary>How a window went, in a few words; of the slices of all sides.</summary>
sealed class Outcome(JObject[] windows)
{
    readonly JObject[] clients = [.. windows.Where(window => window["outcomes"] is JObject)];

    /// <summary>Messages/s answered or, of a stream, received.</summary>
    public double Rate => windows.Sum(window => Carried.Rate(window) ?? 0);

    /// <summary>Such as "41,200 msg/s  396 Mbit/s", of a stream of such messages.</summary>
    public string OfStream(int payloadBytes) => $"{Text.Number(Rate)} msg/s  {Text.Number(Rate * payloadBytes * 8 / 1e6)} Mbit/s";

    /// <summary>Such as "41,200 msg/s  p99 3.10 ms  lost 0.2 %"; what: msg or calls.</summary>
    public string InWords(string what)
    {
        var (sent, lost) = (clients.Sum(window => (double)window["sent"]!), Lost);
        var words = $"{Text.Number(Rate)} {what}/s  p99 {Text.Duration(RoundTripNs(0.99m))}";
        return lost > 0 ? $"{words}  lost {Text.Number(100 * lost / sent)} %" : words;
    }

    double Lost => clients.Sum(window =>
        Accounting.Losses.Sum(loss => (double)window["outcomes"]![loss]!));

    double? RoundTripNs(decimal quantile) =>
        new Histogram(clients, "rtt_ns").Quantile(quantile);
}
