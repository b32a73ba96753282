/// <summary>When a library is warm: it has run long enough, its rate no longer rises, and nothing is compiled anew.
/// A steady rate alone says little: where CPUs are full the compiler gets little of them, and for seconds a rate is as
/// steady as it is low (gRPC stood at 30,000 calls/s for three seconds and then went to 95,000). At a given rate what
/// comes says nothing at all, as it follows the schedule, and varies where a link loses. Where there are more slots
/// than LeastRoundTrips each has to have been in flight once.</summary>
sealed class Warmth(double leastSeconds, bool isPaced = false, long slots = 0)
{
    /// <summary>How long a look at the rate takes.</summary>
    public const double LookSeconds = 0.3;
    /// <summary>Where there are many slots, so many more are in flight each second.</summary>
    public const int SlotsASecond = 500_000;
    const int LeastRoundTrips = 50_000;
    // By the median of so many looks.
    const int LooksCompared = 3;
    // Methods in a look; while much is still to be done there are 100 to 1,000.
    const long MostCompiled = 60;
    const double Rise = 0.05;
    const double MostTimesLeastSeconds = 10.0 / 3;
    // At 3,000 messages/s .NET compiles what is hot for 2 to 4 s, however short the least is.
    const double LeastMostPacedSeconds = 5;

    readonly List<double> rates = [];
    // Methods, of both sides.
    readonly List<long> compiled = [];
    long roundTrips;

    /// <summary>Of its own running time, so far.</summary>
    public double Seconds { get; private set; }

    /// <summary>A warm-up that has not grown steady ends here.</summary>
    public double MostSeconds
    {
        get
        {
            if (leastSeconds == 0)
            {
                return 0;
            }
            double forSlots = HasFewSlots ? 0 : (double)slots / SlotsASecond;
            double least = isPaced ? LeastMostPacedSeconds : 0;
            return Math.Max(least, leastSeconds * MostTimesLeastSeconds) + forSlots;
        }
    }

    /// <summary>Messages/s at the last look; 0 before the first.</summary>
    public double Rate => rates.LastOrDefault();

    /// <summary>Notes how many round trips there were in so many seconds, and how many methods were
    /// compiled.</summary>
    public void Add(double seconds, long came, long compiledMethods)
    {
        compiled.Add(compiledMethods);
        Seconds += seconds;
        roundTrips += came;
        rates.Add(came / seconds);
    }

    /// <summary>True when it is warm. By medians, as on a machine that others use a single look says little.</summary>
    public bool IsWarm => Seconds >= leastSeconds
        && rates.Count >= LooksCompared
        && HasEnoughRoundTrips
        && Medians.Of(compiled.TakeLast(LooksCompared).Select(methods => (double)methods)) <= MostCompiled
        && (isPaced || !Rises);

    /// <summary>True when it is warm, or will not get so.</summary>
    public bool IsOver => IsWarm || Seconds >= MostSeconds;

    bool HasFewSlots => slots <= LeastRoundTrips;

    bool HasEnoughRoundTrips => roundTrips >= Math.Max(LeastRoundTrips, slots)
        || HasFewSlots && Seconds >= 2 * leastSeconds;

    bool Rises
    {
        get
        {
            if (rates.Count < 2 * LooksCompared)
            {
                return true;
            }
            double now = Medians.Of(rates.TakeLast(LooksCompared));
            double before = Medians.Of(rates.TakeLast(2 * LooksCompared).Take(LooksCompared));
            return now > (1 + Rise) * before;
        }
    }
}
