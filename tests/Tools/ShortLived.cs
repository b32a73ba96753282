using System.Diagnostics;

/// <summary>How .NET starts what the tests start. It ends so early that what would make it faster later costs a third
/// of its CPU time and more.</summary>
static class ShortLived
{
    /// <summary>The variable by which code is compiled again after a minute in which nothing new has been called.
    /// </summary>
    public const string Late = "DOTNET_TC_CallCountingDelayMs";

    /// <summary>Variables of its environment.</summary>
    public static readonly (string Name, string Value)[] Variables =
    [
        ("DOTNET_TieredCompilation", "1"),
        ("DOTNET_TieredPGO", "0"),
        (Late, "EA60"),
        // Memory that holds code is not mapped twice, and no thread collects garbage beside the others.
        ("DOTNET_EnableWriteXorExecute", "0"),
        ("DOTNET_gcConcurrent", "0"),
    ];

    /// <summary>Sets those that the test itself has not set.</summary>
    public static void Begin(ProcessStartInfo start)
    {
        foreach (var (name, value) in Variables)
        {
            start.Environment.TryAdd(name, value);
        }
    }

    /// <summary>Sets them in this process, for what it starts itself.</summary>
    public static void BeginChildren()
    {
        foreach (var (name, value) in Variables)
        {
            Environment.SetEnvironmentVariable(name, value);
        }
    }
}
