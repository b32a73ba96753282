/// <summary>Throughput against clients: a panel for each number of messages in flight. A lower bound of the
/// library is hollow.</summary>
static class ThroughputChart
{
    /// <summary>Draws it; empty where nothing was measured.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly([.. subject.Cells.Where(cell => cell.Throughput?.Median > 0)
            .GroupBy(cell => cell.Parallel).OrderBy(group => group.Key)], Charts.MostPanels);
        return [.. groups.Select(group => LinesPanel.Of(
            $"Throughput, {subject.Delivery}, {group.Key:N0} in flight a client", $"clients ({subject.Settings})",
            "messages/s", [.. group.Select(cell => Reading.Of(cell, cell.Throughput,
                isLowerBound: cell.Bound == Bottleneck.Client)).OfType<Reading>()],
            subject.Looks, Panel.WidthOf(groups.Length)))];
    }
}
