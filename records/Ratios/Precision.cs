using System.Text.RegularExpressions;

/// <summary>How closely the blocks of a sweep are known.</summary>
static partial class Precision
{
    /// <summary>By the block's name without that of its launch: the widest half-width, as a share, of a ratio of rates
    /// to the baseline of the block, or where it has none to its first library by name.</summary>
    public static Dictionary<string, double> HalfWidths(IEnumerable<LaunchRecord> launchRecords)
    {
        var widths = new Dictionary<string, double>();
        var blocks = launchRecords
            .Where(launch => Rounds.Of(launch) != null)
            .GroupBy(launch => (Block: NameOf(launch.Block!), launch.Settings.Security));
        foreach (var block in blocks)
        {
            LaunchRecord[][] cells =
            [
                .. block
                    .GroupBy(CellOf)
                    .OrderBy(cell => !Baseline.IsOf(cell.First()))
                    .ThenBy(cell => cell.Key, StringComparer.Ordinal)
                    .Select(cell => cell.ToArray()),
            ];
            double[] ofBlock =
            [
                .. cells.Skip(1).Select(cell => RoundRatios.Rates(cell, cells[0])?.HalfWidth).OfType<double>(),
            ];
            if (ofBlock.Length > 0)
                widths[block.Key.Block] = Math.Max(ofBlock.Max(), widths.GetValueOrDefault(block.Key.Block));
        }
        return widths;
    }

    // By the settings that the members of a block differ in.
    static string CellOf(LaunchRecord launch) =>
        string.Join(
            '\n',
            launch.Library,
            launch.Settings.Delivery,
            launch.Settings.Profile,
            launch.Settings.Variant);

    static string NameOf(string block) => LaunchPattern().Replace(block, "");

    [GeneratedRegex("^r[0-9]+-")]
    private static partial Regex LaunchPattern();
}
