/// <summary>What the cells at given rates say together of a library with so many clients: its capacity, how long
/// round trips take at parts of it, and the highest rate that keeps to the sweep's SLO.</summary>
sealed class Ladder
{
    static readonly decimal[] quantiles = [0.5m, 0.99m, 0.999m];

    readonly Cell[] rungs; // by rate
    readonly Cell? closedLoop;

    Ladder(IEnumerable<Cell> rungs, Cell? closedLoop)
    {
        this.rungs = [.. rungs.OrderBy(cell => cell.Rate)];
        this.closedLoop = closedLoop;
    }

    /// <summary>Writes the table of all of a section; none where there is neither a percentage nor an SLO.</summary>
    public static void Write(Page page, Cell[] closed, Cell[] atRate, Slo? slo)
    {
        var percents = atRate.Select(Percent).OfType<int>().Distinct().Order().ToArray();
        if (percents.Length == 0 && slo == null)
            return;
        page.Line("\n#### Ladder\n");
        page.Table(
            [
                "library",
                "clients",
                "in flight",
                "capacity msgs/s",
                .. percents.Select(percent => $"at {percent} %: p50 / p99 / p99.9 µs"),
                .. slo == null
                    ? Array.Empty<string>()
                    : [$"highest msgs/s with {Text.Markdown(slo.Words)}", "next rate"],
            ],
            atRate
                .GroupBy(cell => (cell.Name, cell.Clients, cell.Parallel))
                .Select(rungs =>
                    new Ladder(
                        rungs,
                        closed.FirstOrDefault(cell => (cell.Name, cell.Clients, cell.Parallel) == rungs.Key)
                    ).Row(percents, slo)
                ),
            figures: true
        );
    }

    /// <summary>The cell of the highest rate that keeps to it; null where none does.</summary>
    public static Cell? Highest(IEnumerable<Cell> rungs, Slo slo) =>
        rungs.Where(cell => Missed(cell, slo) == null).MaxBy(cell => cell.Rate);

    string[] Row(int[] percents, Slo? slo) =>
        [
            .. Section.Names(rungs[0]),
            closedLoop == null
                ? Text.Missing
                : Column.Struck(closedLoop, Text.Number(closedLoop.Throughput?.Median)),
            .. percents.Select(percent => RoundTrips(rungs.FirstOrDefault(cell => Percent(cell) == percent))),
            .. slo == null ? Array.Empty<string>() : HighestAndNext(slo),
        ];

    static string RoundTrip(Cell cell, decimal quantile) =>
        Column.Struck(cell, Text.Number(cell.RoundTripNs(quantile) / 1e3), isLatency: true);

    static string RoundTrips(Cell? cell) =>
        cell == null
            ? Text.Missing
            : string.Join(" / ", quantiles.Select(quantile => RoundTrip(cell, quantile)));

    // The rate, and of the next one why it is not that.
    string[] HighestAndNext(Slo slo)
    {
        var missed = rungs.Select(cell => Missed(cell, slo)).ToArray();
        var highest = Array.IndexOf(rungs, Highest(rungs, slo));
        var below = highest < 0 ? -1 : Array.FindIndex(missed, 0, highest, why => why != null);
        var next = highest + 1 == rungs.Length ? "none higher" : Rung(highest + 1);
        var found = "none measured meets it";
        if (highest >= 0)
            found = (highest + 1 == rungs.Length ? "≥ " : "") + Text.Number(rungs[highest].Rate);
        return [found, below < 0 ? next : $"{next}, but below it {Rung(below)}"];

        string Rung(int index) => $"{Text.Number(rungs[index].Rate)}: {Text.Markdown(missed[index]!)}";
    }

    // Null where it keeps to it. What did not come to its rate says nothing of it.
    static string? Missed(Cell cell, Slo slo)
    {
        if (cell.Failures.Length > 0)
            return "failed";
        return cell.Invalid.Concat(cell.InvalidForLatency).FirstOrDefault() is { } invalid
            ? $"invalid: {invalid}"
            : slo.Missed(cell.RoundTripNs, LossPercent(cell));
    }

    // Of the messages that were due: lost, changed, not answered or not sent.
    static double? LossPercent(Cell cell)
    {
        var lost = cell.Launches.Sum(launch => launch.Lost);
        var notSent = cell.Launches.Sum(launch => launch.NotSent);
        return 100 * Launch.Ratio(lost + notSent, cell.Launches.Sum(launch => launch.Sent) + notSent);
    }

    // As the sweep planned it; null of a rate that was given as a number.
    static int? Percent(Cell cell) =>
        cell.Launches.Select(launch => launch.PercentOfCapacity).FirstOrDefault(percent => percent != null);
}
