/// <summary>Lines against clients, a line per library.</summary>
static class ClientsPanel
{
    /// <summary>The panel; one: the baseline whose figure is 1, null where figures are no ratios.</summary>
    public static LinePanel Of(
        string title,
        string yTitle,
        Reading[] readings,
        Looks looks,
        string? one = null
    )
    {
        var baseline = Level.OfOne(one, looks);
        var ticks = readings.Select(reading => new Tick(reading.Clients, $"{reading.Clients:N0}"));
        var lines = readings
            .GroupBy(reading => reading.Name)
            .Select(line =>
                LibraryLine.Of(line.Key, looks, [.. line.Select(reading => reading.PointAt(reading.Clients))])
            );
        return new(
            title,
            new("clients", IsLog: true, Ticks: Axis.LogTicksOf(ticks)),
            new(yTitle, Reading.NeedLog(readings, baseline), TickFormat.ShortNumber),
            LinePanel.Ordered(lines),
            baseline == null ? [] : [baseline]
        );
    }
}
