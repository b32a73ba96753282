using System.Collections.Concurrent;

[assembly: AssemblyFixture(typeof(StartedProcesses))]

/// <summary>Counts the processes that the tests start, and at their end writes how many each class started into the
/// file that scripts/test.sh names. Starting one takes longer than most of what is tested.</summary>
public sealed class StartedProcesses : IDisposable
{
    const string Variable = "TESTS_STARTED_PROCESSES";

    // By the name of the class that started them.
    static readonly ConcurrentDictionary<string, int> counts = [];

    /// <summary>Counts one.</summary>
    public static void Add() => counts.AddOrUpdate(StartedBy, 1, (_, count) => count + 1);

    static string StartedBy => TestContext.Current.TestClass?.TestClassSimpleName ?? "all";

    public void Dispose()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } file)
        {
            File.WriteAllLines(file, counts.Select(of => $"{of.Value} {of.Key}"));
        }
    }
}
