using System.Collections;
using System.Diagnostics;

/// <summary>How .NET runs what the tests start, besides what scripts/test.sh says to all: code is compiled again only
/// after a minute in which nothing new has been called, as most of it ends before.</summary>
static class ShortLived
{
    const string Delay = "DOTNET_TC_CallCountingDelayMs";
    // .NET reads it as hexadecimal: 60,000 ms.
    const string DelayMs = "EA60";

    /// <summary>Says so to a process.</summary>
    public static void Begin(ProcessStartInfo start) => start.Environment.TryAdd(Delay, DelayMs);

    /// <summary>Says so to all that this process starts from now on.</summary>
    public static void BeginChildren() => Environment.SetEnvironmentVariable(Delay, DelayMs);

    /// <summary>The variables of .NET that this process has, and this, as NAME=VALUE, for another machine.</summary>
    public static IEnumerable<string> Variables()
    {
        var all = Environment.GetEnvironmentVariables().Cast<DictionaryEntry>();
        return all.Where(variable => $"{variable.Key}".StartsWith("DOTNET_"))
            .Select(variable => $"{variable.Key}={variable.Value}")
            .Append($"{Delay}={DelayMs}");
    }
}
