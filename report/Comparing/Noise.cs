using MathNet.Numerics.Statistics;
using Newtonsoft.Json.Linq;

/// <summary>A machine's own noise floor: how far apart the figures of two halves of a cell's launches
/// come to lie, though nothing but chance is between them. Of an interleaved sweep it is one of ratios to the plain
/// socket, else of what was measured separately.</summary>
sealed class Noise
{
    const int Splits = 1_000;
    const int LeastLaunches = 2 * Rule.LeastLaunches;
    const double Quantile = 0.95;

    readonly JObject machine;
    readonly Cell[] cells;
    readonly (Cell Cell, string Reason)[] leftOut;
    readonly Judged[] judged;
    readonly Change[][] splits; // each of all cells
    readonly bool isInterleaved;
    readonly double floor;
    readonly LeastChange leastChange;
    readonly double calledShare;
    readonly double splitsWithCallShare;

    /// <summary>Measures the floor out of a sweep in which every cell has at least 10 launches.</summary>
    public Noise(Sweep sweep, string source)
    {
        machine = Fingerprint.Of(sweep.Machines, source);
        if (sweep.Machines.Select(record => record.RunId).Distinct().Count() > 1)
            throw new Failure($"{source} holds more than one sweep.", Exit.WrongUsage);
        var ordered = Comparison.Ordered(sweep.Cells, cell => cell, Cell.Varying(sweep.Cells));
        isInterleaved = ordered.Any(Judged.IsRatio);
        leftOut = [.. ordered.Select(cell => (cell, Reason: ReasonAgainst(cell)!)).Where(cell => cell.Reason != null)];
        cells = [.. ordered.Except(leftOut.Select(cell => cell.Cell))];
        if (cells.Length == 0)
        {
            throw new Failure(
                $"{source} has no cell with a noise floor" + (leftOut.Length == 0 ? "." : $": {leftOut[0].Reason}."),
                Exit.WrongUsage
            );
        }
        judged = [.. cells.Select(Judged.Of)];

        var random = new Random(Resamples.Seed);
        splits = [.. Enumerable.Range(0, Splits).Select(_ => judged.Select(cell => cell.OfHalves(random)).ToArray())];
        floor = FloorOf(splits.SelectMany(split => split));

        leastChange = LeastChanges.Of(machine).Or(floor, isInterleaved, "this machine").For(isInterleaved);
        var called = splits
            .Select(split => Rule.Called([.. split.Select(change => (change, leastChange.Value))]))
            .ToArray();
        calledShare = called.Average(split => split.Count(cell => cell) / (double)split.Length);
        splitsWithCallShare = called.Count(split => split.Contains(true)) / (double)Splits;
    }

    int Launches => cells.Sum(cell => cell.Launches.Length);

    /// <summary>What noise.json holds.</summary>
    public JObject ToJson() =>
        RecordFile.ToJson(
            new
            {
                V = Contract.Version,
                Interleaved = isInterleaved,
                NoiseFloor = floor,
                Cells = cells.Length,
                Launches,
                Splits,
                FalseAlarmRate = calledShare,
                Machine = machine,
            }
        );

    /// <summary>The same in words, and by cell.</summary>
    public string ToMarkdown()
    {
        var page = new Page();
        page.Line("# Noise floor of this machine");
        page.Line(
            $"\nThe noise floor is **{Percent(floor)}**: in 95 of 100 random splits of a cell's "
                + "launches into halves, their "
                + (isInterleaved ? "ratios to the baseline" : "medians")
                + " differ by less."
        );
        page.Line(
            $"Measured on {Text.Count(cells.Length, "cell")}, {Text.Count(Launches, "launch", "es")}, "
                + $"{Splits:N0} splits; {Text.Count(leftOut.Length, "cell")} left out."
        );
        page.Line(
            $"A comparison of sweeps measured {(isInterleaved ? "interleaved" : "separately")} calls a change over "
                + $"{Text.Markdown(leastChange.ToString())}. Between these halves, where nothing changed, its rule"
                + (isInterleaved ? ", applied to the launches' medians," : "")
                + $" called {Percent(calledShare)} of all cells, and one "
                + $"or more in {Percent(splitsWithCallShare)} of the splits."
        );
        page.Line("Halves of one sweep share its hour: two sweeps may differ by more.\n");
        var varying = Cell.Varying(cells);
        page.Table(
            [.. Comparison.NameColumns, "figure", "launches", "median", "spread (CV)", "noise floor"],
            cells.Select((_, i) => Row(i, varying)),
            figures: true
        );
        if (leftOut.Length > 0)
            page.Line("\nLeft out:\n");
        foreach (var (cell, reason) in leftOut)
        {
            page.Line(
                $"- {Text.Markdown(cell.Name)} {cell.Kind}, {Text.Count(cell.Clients, "client")}"
                    + $" x {cell.Parallel:N0}, {Text.Markdown(cell.InWords(Cell.Varying([.. cells, cell])))}: "
                    + Text.Markdown(reason)
            );
        }
        return page.ToString();
    }

    string[] Row(int i, HashSet<string> varying) =>
        [
            Comparison.Names(cells[i], varying),
            judged[i].Name,
            $"{cells[i].Launches.Length:N0}",
            Text.Number(judged[i].Median),
            judged[i].Cv is { } cv ? Percent(cv) : Text.Missing,
            Percent(FloorOf(splits.Select(split => split[i]))),
        ];

    // Interleaved, the figures of the baselines are those of the hour, and those at a given rate are none of rounds.
    string? ReasonAgainst(Cell cell)
    {
        if (ComparedCell.Unfit(cell, LeastLaunches) is { } unfit)
            return unfit;
        if (!isInterleaved || Judged.IsRatio(cell))
            return null;
        return cell.IsBaseline ? "a baseline" : "not interleaved with a baseline";
    }

    static double FloorOf(IEnumerable<Change> changes) =>
        SortedArrayStatistics.Quantile([.. changes.Select(change => Math.Abs(change.Value - 1)).Order()], Quantile);

    static string Percent(double share) => $"{Text.Number(100 * share)} %";
}
