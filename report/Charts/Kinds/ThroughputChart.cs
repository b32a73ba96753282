/// <summary>Throughput against clients: a panel for each number of messages in flight. Where there is but one number of
/// clients it has bars, the fastest first.</summary>
static class ThroughputChart
{
    /// <summary>Its panels; none where nothing was measured.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure) =>
        Charts.Panels(
            figure.OfAll(subject).GroupBy(drawn => drawn.Cell.Parallel).OrderBy(group => group.Key),
            group => PanelOf(subject, figure, [.. group]));

    /// <summary>Whether panels show more than a single number of clients.</summary>
    public static bool IsAgainstClients(Panel[] panels) => panels.Any(panel => panel is LinePanel);

    static Panel PanelOf(Subject subject, RateFigure figure, (Cell Cell, Reading Reading)[] drawn)
    {
        var first = drawn[0].Cell;
        long[] clients = [.. drawn.Select(reading => reading.Cell.Clients).Distinct()];
        Reading[] readings = [.. drawn.Select(reading => reading.Reading)];
        var one = figure.One(drawn.Select(reading => reading.Cell));
        return clients.Length == 1
            ? BarsOf(subject, figure, Charts.Load(first), readings, one)
            : ClientsPanel.Of(
                subject.Title("throughput", Charts.PerClient(first)),
                subject.InWords(figure.Unit),
                readings,
                subject.Looks,
                one
            );
    }

    static StackedBarPanel BarsOf(Subject subject, RateFigure figure, string load, Reading[] readings, string? one)
    {
        var bars = readings.Select(reading => BarOf(subject, reading));
        if (one != null)
        {
            bars = bars.Append(BarOf(subject, new(one, 0, 1, null, IsLowerBound: false)));
        }
        return new(
            subject.Title("throughput", load),
            new(subject.InWords(figure.Unit), Format: TickFormat.ShortNumber),
            [new("throughput", 1)],
            [.. bars.OrderByDescending(bar => bar.Figures[0])],
            Level.OfOne(one, subject.Looks)
        );
    }

    static StackedBar BarOf(Subject subject, Reading reading) =>
        new(
            Charts.Name(reading.Name),
            subject.Looks.Of(reading.Name),
            [reading.Figure],
            (reading.IsLowerBound ? "≥ " : "") + Text.Number(reading.Figure)
        )
        {
            Low = reading.Bounds?.Low,
            High = reading.Bounds?.High,
            IsLowerBound = reading.IsLowerBound,
        };
}
