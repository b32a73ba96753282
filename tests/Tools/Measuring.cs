/// <summary>The tests whose figures matter: one at a time, when all others are over.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Measuring
{
    /// <summary>Its name.</summary>
    public const string Name = "measuring";
}
