using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

/// <summary>The classes that take a minute and more begin first: one that began last would run on alone, and a class
/// is one thread's work.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    static readonly string[] longest =
    [
        nameof(EqualRunnersTests),
        nameof(CallsTests),
        nameof(MachinesTests),
        nameof(HostsTests),
        nameof(ResumeTests),
        nameof(RunnerTests),
        nameof(FaultInBlockTests),
        nameof(DeafInBlockTests),
        nameof(CallConnectionTests),
        nameof(IndexTests),
        nameof(FaultTests),
        nameof(LinesTests),
        nameof(PageTests),
        nameof(TerminalTests),
        nameof(RoundsTests),
        nameof(SideTests),
        nameof(IsolationTests),
        nameof(StreamTests),
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
