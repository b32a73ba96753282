/// <summary>Resident memory of the server and of all clients at the window's end against clients, with the
/// fewest messages in flight of those that were measured with most numbers of clients.</summary>
static class MemoryChart
{
    const double BytesPerMiB = 1 << 20;

    /// <summary>Draws it; empty where there is but one number of clients.</summary>
    public static Panel[] Of(Subject subject)
    {
        static int Sizes(IEnumerable<Cell> cells) => cells.Select(cell => cell.Clients).Distinct().Count();
        var cells = subject.Cells.GroupBy(cell => cell.Parallel).OrderBy(group => group.Key).MaxBy(Sizes);
        if (cells == null || Sizes(cells) < 2)
            return [];
        (string Side, Func<Launch, double?> Bytes)[] sides =
        [
            ("server", launch => launch.ServerRssBytes),
            ("clients", launch => launch.ClientRssBytes),
        ];
        var readings = sides
            .Select(side =>
                (
                    side.Side,
                    Readings: cells
                        .Select(cell => Reading.Of(cell, Statistic.Of(cell.Launches.Select(side.Bytes)), BytesPerMiB))
                        .OfType<Reading>()
                        .ToArray()
                )
            )
            .Where(side => side.Readings.Length > 0)
            .ToArray();
        return
        [
            .. readings.Select(side =>
                LinesPanel.Of(
                    $"Memory of the {side.Side}, {subject.Kind}, {cells.Key:N0} in flight a client",
                    $"clients{subject.InBrackets}",
                    "resident MiB",
                    side.Readings,
                    subject.Looks,
                    Panel.WidthOf(readings.Length)
                )
            ),
        ];
    }
}
