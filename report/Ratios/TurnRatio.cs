/// <summary>A ratio of two libraries measured in the same rounds, with its 95 % interval.</summary>
sealed record TurnRatio(double Value, double Low, double High, int Launches, int Rounds)
{
    /// <summary>So many launches tell how launches differ.</summary>
    public const int LeastLaunches = 5;

    /// <summary>Of the interval, as a share of the ratio.</summary>
    public double HalfWidth => (High - Low) / 2 / Value;

    /// <summary>True where the interval says which of the two is more.</summary>
    public bool Excludes1 => Low > 1 || High < 1;

    /// <summary>True where there are too few launches to tell how launches differ.</summary>
    public bool IsOfRoundsAlone => Launches < LeastLaunches;
}
