/// <summary>What a sweep measures beyond its planned launches, to be as precise as was asked for.</summary>
static class Further
{
    /// <summary>The next launch of each block of which a ratio is not yet known as closely as `until` says, the widest
    /// first and as many as `at_most` has time for; and why. None of a block whose last launch gave no ratio.</summary>
    /// <param name="launches">The `launch` records so far.</param>
    /// <param name="begun">The ids of the runs so far, those that did not measure among them.</param>
    public static (PlannedLaunch[] Launches, string Why) Of(
        PlannedBlock[] blocks, SweepSettings settings, LaunchRecord[] launches, IEnumerable<string> begun)
    {
        if (settings.UntilShare is not { } until)
        {
            return ([], "");
        }
        var widths = Precision.HalfWidths(launches);
        var wallS = launches.ToLookup(launch => launch.RunId, launch => launch.WallS);
        var interleaved = launches
            .Where(launch => Rounds.Of(launch) != null)
            .Select(launch => launch.Block)
            .ToHashSet();
        var begunOf = begun.Select(PlannedCell.Of).ToLookup(run => run.Cell, run => run.Launch ?? 0);

        // Each launch of a block took its time once, whatever the number of its libraries.
        double SpentS(PlannedLaunch launch) => launch.RunIds.SelectMany(id => wallS[id]).DefaultIfEmpty().Max();
        PlannedLaunch[] Begun(PlannedBlock block) =>
        [
            .. block.Members
                .SelectMany(member => begunOf[member.Name])
                .Distinct()
                .Order()
                .Select(number => new PlannedLaunch(block, number)),
        ];

        var spentS = blocks.SelectMany(Begun).Sum(SpentS);
        var next = new List<PlannedLaunch>();
        var wide = blocks
            .Where(block => widths.GetValueOrDefault(block.Name) > until)
            .OrderByDescending(block => widths[block.Name]);
        foreach (var block in wide)
        {
            var last = Begun(block)[^1];
            if (!interleaved.Contains(last.Id))
            {
                continue;
            }
            if (spentS >= settings.AtMostSeconds)
            {
                break;
            }
            spentS += SpentS(last);
            next.Add(last with { Number = last.Number + 1 });
        }
        if (next.Count == 0)
        {
            return ([], "");
        }
        var widest = next[0].Block;
        var why = $"half-width {Text.Number(100 * widths[widest.Name])} % of {widest.LoadTitle} is over "
            + $"{settings.Until[..^1]} %: one more launch of {Text.Count(next.Count, "block")}";
        return ([.. next], why);
    }
}
