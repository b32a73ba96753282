using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

/// <summary>The classes that take a minute and more begin first: one that began last would run on alone, and a class,
/// or a collection of classes, is one thread's work. All are queued at once, and of those the pool's threads begin with
/// the last.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    static readonly string[] longest =
    [
        Namespaces.Name,
        nameof(VersionsTests),
        nameof(RefusedVersionsTests),
        nameof(AgainstVersionTests),
        nameof(EqualRunnersTests),
        nameof(ResumeTests),
        nameof(PageTests),
        nameof(CallsTests),
        nameof(LinesTests),
        Measured.Name,
        OneBrowser.Name.Split(' ')[^1],
        nameof(RunnerTests),
        nameof(FaultInBlockTests),
        nameof(DeafInBlockTests),
        nameof(StoodStillTests),
        nameof(CallConnectionTests),
        nameof(FaultTests),
        nameof(RoundsTests),
        nameof(TerminalTests),
        nameof(PlanTests),
        nameof(ChanceTests),
        nameof(IndexTests),
        nameof(SideTests),
        nameof(IsolationTests),
        nameof(StreamTests),
    ];

    public IReadOnlyCollection<T> OrderTestCollections<T>(IReadOnlyCollection<T> testCollections)
        where T : ITestCollection => [.. testCollections.OrderByDescending(PlaceOf)];

    // The place in the list of what has one of its words in its name; what has none comes after all that do.
    static int PlaceOf<T>(T collection) where T : ITestCollection
    {
        var words = collection.TestCollectionDisplayName.Split(' ');
        var place = Array.FindIndex(longest, name => words.Contains(name));
        return place >= 0 ? place : longest.Length;
    }
}
