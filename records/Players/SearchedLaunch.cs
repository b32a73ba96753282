/// <summary>What came of a launch of a search for the most players.</summary>
/// <param name="Players">The clients that it had.</param>
/// <param name="Missed">Why it does not keep to the SLO; null: it does.</param>
/// <param name="IsFinal">Whether another launch would end the same way, as the library cannot do such a load.</param>
/// <param name="WallS">How long it took.</param>
sealed record SearchedLaunch(int Players, string? Missed, bool IsFinal, double WallS);
