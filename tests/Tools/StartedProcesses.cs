using System.Globalization;

[assembly: AssemblyFixture(typeof(StartedProcesses))]

/// <summary>Counts the processes that the tests start, and at their end writes how many these were into the file that
/// scripts/test.sh names. Starting one takes longer than most of what is tested.</summary>
public sealed class StartedProcesses : IDisposable
{
    const string Variable = "TESTS_STARTED_PROCESSES";

    static int count;

    /// <summary>Counts one.</summary>
    public static void Add() => Interlocked.Increment(ref count);

    public void Dispose()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } file)
        {
            File.WriteAllText(file, count.ToString(CultureInfo.InvariantCulture));
        }
    }
}
