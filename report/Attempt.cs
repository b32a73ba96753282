using System.Text.RegularExpressions;

/// <summary>A run that was disturbed is measured again, with `-again1` or `-again2` after its id.</summary>
static partial class Attempt
{
    /// <summary>The id of the run that an attempt is of.</summary>
    public static string Run(string runId) => Again().Replace(runId, "");

    /// <summary>0 for the first attempt.</summary>
    public static int Number(string runId) =>
        Again().Match(runId) is { Success: true } again ? int.Parse(again.Groups[1].Value) : 0;

    [GeneratedRegex(@"-again([12])\z")]
    private static partial Regex Again();
}
