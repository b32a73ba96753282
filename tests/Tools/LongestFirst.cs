using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

/// <summary>The classes that take a minute and more begin first: one that began last would run on alone, and a class
/// is one thread's work.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    static readonly string[] longest =
    [
        Namespaces.Name,
        nameof(CallsTests),
        nameof(EqualRunnersTests),
        nameof(FaultInBlockTests),
        nameof(ResumeTests),
        nameof(FaultTests),
        nameof(RunnerTests),
        nameof(RoundsTests),
        nameof(LinesTests),
        nameof(StrangerTests),
    ];

    public IReadOnlyCollection<T> OrderTestCollections<T>(IReadOnlyCollection<T> testCollections)
        where T : ITestCollection => [.. testCollections.OrderBy(PlaceOf)];

    // The place in the list; what is not in it comes after all that is.
    static int PlaceOf<T>(T collection) where T : ITestCollection
    {
        var words = collection.TestCollectionDisplayName.Split(' ');
        var place = Array.FindIndex(longest, name => words.Contains(name));
        return place >= 0 ? place : longest.Length;
    }
}
