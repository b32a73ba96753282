/// <summary>How a window went, in a few words; of the slices of all sides.</summary>
sealed class WindowSummary(SliceRecord[] windows)
{
    readonly OutcomesPart[] ofClients = [.. windows.Select(window => window.Outcomes).OfType<OutcomesPart>()];

    /// <summary>Messages/s answered or, of a stream, received.</summary>
    public double Rate => windows.Sum(window => Arrivals.Rate(window) ?? 0);

    /// <summary>Such as "41,200 msg/s  396 Mbit/s", of a stream of messages of so many bytes.</summary>
    public string OfStream(int payloadBytes)
    {
        double mbit = Rate * payloadBytes * 8 / 1e6;
        return $"{Text.Number(Rate)} msg/s  {Text.Number(mbit)} Mbit/s";
    }

    /// <summary>Such as "41,200 msg/s  p99 3.10 ms  lost 0.2 %"; unit: msg or calls.</summary>
    public string InWords(string unit)
    {
        double? p99Ns = new Histogram(ofClients.SelectMany(outcomes => outcomes.RttNs)).Quantile(0.99m);
        string words = $"{Text.Number(Rate)} {unit}/s  p99 {Text.Duration(p99Ns)}";
        double sent = windows.Where(window => !window.IsOfServer).Sum(window => (double)window.Sent);
        double lost = ofClients.Sum(outcomes => (double)outcomes.WithoutAnswer);
        return lost > 0 ? $"{words}  lost {Text.Number(100 * lost / sent)} %" : words;
    }
}
