using Newtonsoft.Json.Linq;

/// <summary>How a window went, in a few words; of the slices of all client machines.</summary>
sealed class Outcome(JObject[] windows)
{
    /// <summary>Messages/s answered.</summary>
    public double Rate => windows.Sum(window => (double)window["outcomes"]!["completed"]! / (double)window["elapsed_ns"]! * 1e9);

    /// <summary>Such as "41,200 msg/s  p99 3.10 ms  lost 0.2 %"; what: msg or calls.</summary>
    public string InWords(string what)
    {
        var (sent, lost) = (windows.Sum(window => (double)window["sent"]!), Lost);
        var words = $"{Text.Number(Rate)} {what}/s  p99 {Text.Duration(RoundTripNs(0.99m))}";
        return lost > 0 ? $"{words}  lost {Text.Number(100 * lost / sent)} %" : words;
    }

    double Lost => windows.Sum(window =>
        Accounting.Losses.Sum(loss => (double)window["outcomes"]![loss]!));

    double? RoundTripNs(decimal quantile) =>
        new Histogram(windows, "rtt_ns").Quantile(quantile);
}
