/// <summary>How a window went, in a few words; of the slices of all sides.</summary>
sealed class WindowSummary(SliceRecord[] windows, LaunchSettings settings)
{
    /// <summary>Messages/s answered or, of a stream, received.</summary>
    public double Rate =>
        Arrivals.AsRoundTripsAllow(windows.Sum(window => Arrivals.Rate(window) ?? 0), settings, windows) ?? 0;

    /// <summary>Such as "41,200 msg/s  396 Mbit/s", of a stream of messages of so many bytes.</summary>
    public string OfStream(int payloadBytes)
    {
        double mbit = Rate * payloadBytes * 8 / 1e6;
        return $"{Text.Number(Rate)} msg/s  {Text.Number(mbit)} Mbit/s";
    }

    /// <summary>Such as "41,200 msg/s  p99 3.10 ms  lost 0.2 %"; in rooms with deliveries too, and the p99 of a
    /// broadcast is that of these; of a game with its late ticks.</summary>
    public string InWords(Work work)
    {
        var figures = new ServiceFigures(settings, windows);
        List<string> words = [$"{Text.Number(Rate)} {work.Unit}/s"];
        if (work.HasRooms)
        {
            words.Add($"{Text.Number(figures.DeliveriesASecond)} deliveries/s");
        }
        words.Add($"p99 {Text.Duration(figures.Delays.Quantile(0.99m))}");
        if (figures.LossPercent is > 0 and var lost)
        {
            words.Add($"lost {Text.Number(lost)} %");
        }
        if (figures.LateTicksPercent is > 0 and var late)
        {
            words.Add($"late ticks {Text.Number(late)} %");
        }
        return string.Join("  ", words);
    }
}
