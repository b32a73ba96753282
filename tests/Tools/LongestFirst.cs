using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

/// <summary>The classes that take a minute and more begin first: one that began last would run on alone, and a class is
/// one thread's work.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    static readonly string[] longest =
        [Namespaces.Name, .. new[] { typeof(CallsTests), typeof(EqualRunnersTests), typeof(FaultInBlockTests), typeof(ResumeTests),
            typeof(FaultTests), typeof(RunnerTests), typeof(RoundsTests), typeof(LinesTests), typeof(StrangerTests) }.Select(type => type.Name)];

    public IReadOnlyCollection<T> OrderTestCollections<T>(IReadOnlyCollection<T> collections) where T : ITestCollection =>
        [.. collections.OrderBy(PlaceOf)];

    static int PlaceOf<T>(T collection) where T : ITestCollection => Array.FindIndex(longest, name =>
        collection.TestCollectionDisplayName.Split(' ').Contains(name)) is >= 0 and var place ? place : longest.Length;
}
