/// <summary>A ratio of two libraries measured in the same rounds, with its 95 % interval.</summary>
sealed record RoundRatio(double Value, double Low, double High, int Launches, int Rounds)
{
    /// <summary>So many launches tell how launches differ.</summary>
    public const int LeastLaunches = 5;

    const double LeastOfOne = 0.1;
    const double LeastOfFew = 0.05;

    /// <summary>Of the interval, as a share of the ratio.</summary>
    public double HalfWidth => (High - Low) / 2 / Value;

    /// <summary>True where it says which of the two is more: the interval excludes 1, and where there are few launches
    /// the two also differ by more than equals did from launch to launch (proof/results/copies.md).</summary>
    public bool Ranks =>
        (Low > 1 || High < 1)
        && (!IsOfRoundsAlone || Math.Max(Value, 1 / Value) > 1 + (Launches > 1 ? LeastOfFew : LeastOfOne));

    /// <summary>True where there are too few launches to tell how launches differ.</summary>
    public bool IsOfRoundsAlone => Launches < LeastLaunches;
}
