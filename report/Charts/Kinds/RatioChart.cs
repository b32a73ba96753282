/// <summary>Throughput as times the plain socket's of the same rounds against clients, with the 95 % intervals: a panel
/// for each number of messages in flight, in which the plain socket is the line at 1. A lower bound of the library is
/// hollow.</summary>
static class RatioChart
{
    /// <summary>Draws it; empty where nothing was measured in turn with a plain socket.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly([.. subject.Cells.Where(cell => cell.ToPlain != null)
            .GroupBy(cell => cell.Parallel).OrderBy(group => group.Key)], Charts.MostPanels);
        return [.. groups.Select(group => LinesPanel.Of(
            $"Throughput, {subject.Delivery}, {group.Key:N0} in flight a client", $"clients ({subject.Settings})",
            "times the plain socket's messages/s", [.. group.Select(cell => Reading.Of(cell, cell.ToPlain!))],
            subject.Looks, Panel.WidthOf(groups.Length), group.First().PlainSocket!.Name))];
    }
}
