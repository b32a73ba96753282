/// <summary>The table of the cells that were asked for a rate: what came of it, and how long round
/// trips took from the time at which each message was due.</summary>
static class AtRate
{
    static readonly string[] columns =
    [
        "library",
        "clients",
        "parallel",
        "msgs/s offered",
        "msgs/s achieved",
        "p50 µs",
        "p99 µs",
        "p99.9 µs",
        "send lag p99 µs",
        "lost %",
        "lost % kernel / library",
        "not sent",
        "latency",
        "notes",
    ];

    /// <summary>Writes it.</summary>
    public static void Write(Page page, Cell[] cells, long? repeats)
    {
        page.Line("\n#### At a given rate\n");
        page.Table(
            [.. columns.Select(title => cells[0].Work.InWords(title))],
            cells.Select(cell => Row(cell, repeats)),
            figures: true,
            "latency"
        );
    }

    static string[] Row(Cell cell, long? repeats) =>
        [
            .. Section.Names(cell),
            $"{cell.Rate:N0}",
            cell.Measured ? Section.Struck(cell.Invalid.Length > 0, Text.Number(cell.Throughput?.Median)) : "failed",
            Section.RoundTrip(cell, 0.5m),
            Section.RoundTrip(cell, 0.99m),
            Section.RoundTrip(cell, 0.999m),
            Text.Number(cell.SendLagNs(0.99m) / 1e3),
            Text.Number(cell.LostPercent()),
            Section.LostBy(cell),
            cell.Measured ? $"{cell.Launches.Sum(launch => launch.NotSent):N0}" : Text.Missing,
            Latency(cell),
            Section.Notes(cell, repeats),
        ];

    static string Latency(Cell cell)
    {
        if (!cell.Measured)
            return Text.Missing;
        return cell.IsDrawn ? "valid" : "invalid";
    }
}
