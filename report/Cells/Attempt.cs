using System.Text.RegularExpressions;

/// <summary>A run that was disturbed is measured again, with `-again1` or `-again2` after its id.</summary>
static partial class Attempt
{
    /// <summary>The id of the run that an attempt is of.</summary>
    public static string Run(string runId) => Again().Replace(runId, "");

    /// <summary>0 for the first attempt.</summary>
    public static int Number(string runId) =>
        Again().Match(runId) is { Success: true } again ? int.Parse(again.Groups[1].Value) : 0;

    /// <summary>The part of the capacity in % that a run was planned at; null where its id names none.</summary>
    public static int? PercentOf(string runId) => PercentPattern().Match(Run(runId)) is { Success: true } percent
        ? int.Parse(percent.Groups[1].Value) : null;

    [GeneratedRegex(@"-again([12])\z")]
    private static partial Regex Again();

    [GeneratedRegex(@"-at-([0-9]{1,3})pct\z")]
    private static partial Regex PercentPattern();
}
