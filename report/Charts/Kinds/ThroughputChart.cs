/// <summary>Throughput against clients: a panel for each number of messages in flight.</summary>
static class ThroughputChart
{
    /// <summary>Its panels; none where nothing was measured.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure)
    {
        var groups = Charts.Evenly(
            [.. figure.OfAll(subject).GroupBy(drawn => drawn.Cell.Parallel).OrderBy(group => group.Key)],
            Charts.MostPanels
        );
        return
        [
            .. groups.Select(group =>
                ClientsPanel.Of(
                    $"Throughput, {subject.Kind}, {group.Key:N0} in flight a client",
                    $"clients{subject.InBrackets}",
                    subject.InWords(figure.Unit),
                    [.. group.Select(drawn => drawn.Reading)],
                    subject.Looks,
                    figure.One(group.Select(drawn => drawn.Cell))
                )
            ),
        ];
    }
}
