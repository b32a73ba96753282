using System.Text.RegularExpressions;

/// <summary>How closely the blocks of a sweep are known.</summary>
static partial class Precision
{
    /// <summary>By the block's name without that of its launch: the widest half-width, as a share, of a ratio to the
    /// baseline of the block and of one between versions of a library; where it has neither, to its first library by
    /// name. Ratios are of rates, and at a given rate of CPU time per message.</summary>
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
            double[] ofBlock = [.. Pairs(cells).Select(HalfWidthOf).OfType<double>()];
            if (ofBlock.Length > 0)
                widths[block.Key.Block] = Math.Max(ofBlock.Max(), widths.GetValueOrDefault(block.Key.Block));
        }
        return widths;
    }

    static IEnumerable<(LaunchRecord[] Cell, LaunchRecord[] Other)> Pairs(LaunchRecord[][] cells)
    {
        (LaunchRecord[], LaunchRecord[])[] versions =
        [
            .. cells
                .Where(cell => !LibraryName.IsPair(cell[0].Library))
                .GroupBy(cell => (LibraryName.LibraryOf(cell[0].Library), WayOf(cell[0])))
                .SelectMany(same => same.Skip(1).Select(cell => (cell, same.First()))),
        ];
        bool isAgainstFirst = versions.Length == 0 || Baseline.IsOf(cells[0][0]);
        return isAgainstFirst ? versions.Union(cells.Skip(1).Select(cell => (cell, cells[0]))) : versions;
    }

    static double? HalfWidthOf((LaunchRecord[] Cell, LaunchRecord[] Other) pair)
    {
        RoundRatio? ratio = pair.Cell[0].Settings.Rate > 0
            ? RoundRatios.Cpu(pair.Cell, pair.Other)
            : RoundRatios.Rates(pair.Cell, pair.Other);
        return ratio?.HalfWidth;
    }

    // By the settings that the members of a block differ in.
    static string CellOf(LaunchRecord launch) => $"{launch.Library}\n{WayOf(launch)}";

    static string WayOf(LaunchRecord launch) =>
        string.Join('\n', launch.Settings.Delivery, launch.Settings.Profile, launch.Settings.Variant);

    static string NameOf(string block) => LaunchPattern().Replace(block, "");

    [GeneratedRegex("^r[0-9]+-")]
    private static partial Regex LaunchPattern();
}
