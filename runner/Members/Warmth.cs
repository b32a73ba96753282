/// <summary>When clients are warm: they have run long enough, and their rate no longer rises.</summary>
sealed class Warmth(double leastSeconds)
{
    /// <summary>How long a look at the rate takes.</summary>
    public const double LookSeconds = 0.3;
    const int RoundTrips = 50_000, Compared = 3;
    const double Rise = 0.05, Longest = 10.0 / 3;

    readonly List<double> rates = [];
    long roundTrips;

    /// <summary>Of its own running time, so far.</summary>
    public double Seconds { get; private set; }

    /// <summary>A warm-up that has not grown steady ends here.</summary>
    public double MostSeconds => leastSeconds * Longest;

    /// <summary>Messages/s at the last look; 0 before the first.</summary>
    public double Rate => rates.LastOrDefault();

    /// <summary>Notes how many round trips there were in so many seconds.</summary>
    public void Add(double seconds, long came)
    {
        Seconds += seconds;
        roundTrips += came;
        rates.Add(came / seconds);
    }

    // Medians, as on a machine that others use a single look says little.
    public bool IsWarm => Seconds >= leastSeconds && rates.Count >= 2 * Compared
        && (roundTrips >= RoundTrips || Seconds >= 2 * leastSeconds)
        && Medians.Of(rates.TakeLast(Compared)) <= (1 + Rise) * Medians.Of(rates.TakeLast(2 * Compared).Take(Compared));

    /// <summary>True when it is warm, or will not get so.</summary>
    public bool IsOver => IsWarm || Seconds >= MostSeconds;
}
