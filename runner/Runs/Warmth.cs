/// <summary>When clients are warm: they have had the time and the round trips, and three rates in a row
/// agree.</summary>
sealed class Warmth(RunSettings settings)
{
    /// <summary>From one look to the next.</summary>
    public const double StepSeconds = 0.3;
    const int RoundTrips = 50_000, Steady = 3;
    const double Within = 0.05, Longest = 10.0 / 3;

    readonly List<(double At, long Received)> looks = [(0, 0)];

    /// <summary>A warm-up that has not grown steady ends here.</summary>
    public double MostSeconds => settings.WarmupSeconds * Longest;

    /// <summary>Notes how many round trips there were after so many seconds.</summary>
    public void Add(double seconds, long received) => looks.Add((seconds, received));

    public bool IsWarm
    {
        get
        {
            if (looks.Count <= Steady || looks[^1].At < settings.WarmupSeconds || looks[^1].Received < Least) return false;
            double[] rates = [.. looks.Zip(looks.Skip(1), (a, b) => (b.Received - a.Received) / (b.At - a.At)).TakeLast(Steady)];
            return rates.Max() - rates.Min() <= Within * rates.Max();
        }
    }

    // A given rate may be too low for as many: then nearly all of its shortest warm-up.
    double Least => settings.Rate == 0 ? RoundTrips : Math.Min(RoundTrips, 0.9 * settings.Rate * settings.WarmupSeconds);
}
