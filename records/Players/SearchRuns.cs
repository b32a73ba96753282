using System.Text.RegularExpressions;

/// <summary>The runs of searches for players, among those of a sweep: their ids say which search and step they are of.
/// </summary>
static partial class SearchRuns
{
    /// <summary>What stands before the players in the id of such a run.</summary>
    public const string OfPlayers = "-players";

    /// <summary>The id of a launch of a search that began with a cell of that name, with so many players.</summary>
    public static string IdOf(int launch, string cell, int players) => $"s{launch}-{cell}{OfPlayers}{players}";

    /// <summary>Of the id of such a run: its launch, the name of the cell that the search began with and the players;
    /// null of others.</summary>
    public static (int Launch, string Cell, int Players)? Of(string runId)
    {
        var parts = Step().Match(runId);
        return parts.Success
            ? (int.Parse(parts.Groups["launch"].Value), parts.Groups["name"].Value,
                int.Parse(parts.Groups["players"].Value))
            : null;
    }

    [GeneratedRegex("^s(?<launch>[0-9]{1,9})-(?<name>.*)-players(?<players>[0-9]{1,9})$")]
    private static partial Regex Step();
}
