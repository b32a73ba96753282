using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>How closely the blocks of a sweep are known.</summary>
static partial class Precision
{
    // The settings that the members of a block differ in.
    static readonly string[] ofMembers = ["delivery", "profile", "variant"];

    /// <summary>By the block's name without that of its launch: the widest half-width, as a share, of a ratio of rates
    /// to the plain socket of the block, or where it has none to its first library by name.</summary>
    public static Dictionary<string, double> HalfWidths(IEnumerable<JObject> launchRecords)
    {
        var widths = new Dictionary<string, double>();
        var blocks = launchRecords
            .Where(launch => Rounds.Of(launch) != null)
            .GroupBy(launch =>
                (Block: NameOf((string)launch["block"]!), Security: (string)launch["settings"]!["security"]!)
            );
        foreach (var block in blocks)
        {
            JObject[][] cells =
            [
                .. block
                    .GroupBy(CellOf)
                    .OrderBy(cell => !PlainSocket.IsOf(cell.First()))
                    .ThenBy(cell => cell.Key, StringComparer.Ordinal)
                    .Select(cell => cell.ToArray()),
            ];
            double[] ofBlock =
            [
                .. cells.Skip(1).Select(cell => Turns.Rates(cell, cells[0])?.HalfWidth).OfType<double>(),
            ];
            if (ofBlock.Length > 0)
                widths[block.Key.Block] = Math.Max(ofBlock.Max(), widths.GetValueOrDefault(block.Key.Block));
        }
        return widths;
    }

    static string CellOf(JObject launch) =>
        string.Join(
            '\n',
            ofMembers.Select(setting => (string?)launch["settings"]![setting]).Prepend((string?)launch["library"])
        );

    static string NameOf(string block) => LaunchPattern().Replace(block, "");

    [GeneratedRegex("^r[0-9]+-")]
    private static partial Regex LaunchPattern();
}
