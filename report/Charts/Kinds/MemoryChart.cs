/// <summary>Resident memory of the server and of all clients at the window's end against clients, with the
/// fewest messages in flight of those that were measured with most numbers of clients.</summary>
static class MemoryChart
{
    const double BytesPerMiB = 1 << 20;

    /// <summary>Its panels; none where there is but one number of clients.</summary>
    public static Panel[] Of(Subject subject)
    {
        static int Sizes(IEnumerable<Cell> cells) => cells.Select(cell => cell.Clients).Distinct().Count();
        var cells = subject.Cells.GroupBy(cell => cell.Parallel).OrderBy(group => group.Key).MaxBy(Sizes);
        if (cells == null || Sizes(cells) < 2)
        {
            return [];
        }
        return
        [
            .. PanelsOf("server", launch => launch.ServerRssBytes),
            .. PanelsOf("clients", launch => launch.ClientRssBytes),
        ];

        IEnumerable<Panel> PanelsOf(string side, Func<Launch, double?> bytes)
        {
            Reading[] readings =
            [
                .. cells
                    .Select(cell => Reading.Of(cell, Statistic.Of(cell.Launches.Select(bytes)), BytesPerMiB))
                    .OfType<Reading>(),
            ];
            if (readings.Length > 0)
            {
                yield return ClientsPanel.Of(
                    subject.Title($"memory of the {side}", Charts.PerClient(cells.First())),
                    "resident MiB",
                    readings,
                    subject.Looks
                );
            }
        }
    }
}
