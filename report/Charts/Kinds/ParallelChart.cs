/// <summary>Throughput by messages in flight as groups of bars, a bar a library: a panel for each of some numbers of
/// clients.</summary>
static class ParallelChart
{
    /// <summary>Its panels; none where no number of clients was measured with several in flight.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure) =>
        Charts.Panels(
            figure
                .OfAll(subject)
                .GroupBy(drawn => drawn.Cell.Clients)
                .OrderBy(group => group.Key)
                .Where(group => group.Select(drawn => drawn.Cell.Parallel).Distinct().Count() > 1),
            group => PanelOf(subject, figure, group.Key, [.. group]));

    static BarPanel PanelOf(Subject subject, RateFigure figure, long clients, (Cell Cell, Reading Reading)[] drawn)
    {
        long[] parallels = [.. drawn.Select(bar => bar.Cell.Parallel).Distinct().Order()];
        BarSeries[] series =
        [
            .. drawn
                .GroupBy(bar => bar.Cell.Name)
                .OrderBy(ofLibrary => ofLibrary.Key, StringComparer.Ordinal)
                .Select(ofLibrary => new BarSeries(
                    Charts.Name(ofLibrary.Key),
                    subject.Looks.Of(ofLibrary.Key),
                    [.. ofLibrary.Select(bar => BarOf(bar.Reading, Array.IndexOf(parallels, bar.Cell.Parallel)))]
                )),
        ];
        return new(
            subject.Title("throughput", Text.Count(clients, "client")),
            new(
                subject.InWords("messages in flight per client"),
                Ticks: [.. parallels.Select((parallel, group) => new Tick(group, $"{parallel:N0}"))]
            ),
            new(subject.InWords(figure.Unit), Format: TickFormat.ShortNumber),
            series,
            Level.OfOne(figure.One(drawn.Select(bar => bar.Cell)), subject.Looks)
        );
    }

    static Bar BarOf(Reading reading, int group) =>
        new(group, reading.Figure, reading.Bounds?.Low, reading.Bounds?.High, reading.IsLowerBound);
}
