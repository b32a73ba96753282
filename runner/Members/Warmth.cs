/// <summary>When a library is warm: it has run long enough, its rate no longer rises, and nothing is compiled anew. That alone says
/// much: where CPUs are full the compiler gets little of them, and for seconds a rate is as steady as it is low (gRPC stood at 30,000
/// calls/s for three seconds and then went to 95,000). Paced, at a given rate, what comes says nothing of it, and varies where a link loses.
/// Of millions of lanes each has come round once: before that they are not in flight yet.</summary>
sealed class Warmth(double leastSeconds, bool isPaced = false, long lanes = 0)
{
    /// <summary>How long a look at the rate takes.</summary>
    public const double LookSeconds = 0.3;
    const int RoundTrips = 50_000, LanesASecond = 500_000, Compared = 3;
    const long MostCompiled = 60; // methods in a look; while much is still to be done 100 to 1,000
    const double Rise = 0.05, Longest = 10.0 / 3;

    readonly List<double> rates = [];
    readonly List<long> compiled = []; // methods, of both sides
    long roundTrips;

    /// <summary>Of its own running time, so far.</summary>
    public double Seconds { get; private set; }

    /// <summary>A warm-up that has not grown steady ends here.</summary>
    public double MostSeconds => leastSeconds == 0 ? 0 : leastSeconds * Longest + (lanes <= RoundTrips ? 0 : (double)lanes / LanesASecond);

    /// <summary>Messages/s at the last look; 0 before the first.</summary>
    public double Rate => rates.LastOrDefault();

    /// <summary>Notes how many round trips there were in so many seconds, and how many methods were compiled.</summary>
    public void Add(double seconds, long came, long compiledMethods)
    {
        compiled.Add(compiledMethods);
        Seconds += seconds;
        roundTrips += came;
        rates.Add(came / seconds);
    }

    // Medians, as on a machine that others use a single look says little.
    public bool IsWarm => Seconds >= leastSeconds && rates.Count >= Compared
        && (roundTrips >= Math.Max(RoundTrips, lanes) || Seconds >= 2 * leastSeconds && lanes <= RoundTrips)
        && Medians.Of(compiled.TakeLast(Compared).Select(methods => (double)methods)) <= MostCompiled
        && (isPaced || !Rises);

    bool Rises => rates.Count < 2 * Compared || Medians.Of(rates.TakeLast(Compared)) > (1 + Rise) * Medians.Of(rates.TakeLast(2 * Compared).Take(Compared));

    /// <summary>True when it is warm, or will not get so.</summary>
    public bool IsOver => IsWarm || Seconds >= MostSeconds;
}
