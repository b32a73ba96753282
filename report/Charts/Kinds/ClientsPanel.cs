/// <summary>Lines against clients, a line a library.</summary>
static class ClientsPanel
{
    /// <summary>The panel; plain: the socket whose figure is 1, null where figures are no ratios.</summary>
    public static LinePanel Of(
        string title,
        string xTitle,
        string yTitle,
        Reading[] readings,
        Looks looks,
        string? plain = null
    )
    {
        var baseline = Level.OfOne(plain, looks);
        Tick[] ticks =
        [
            .. readings
                .Select(reading => reading.Clients)
                .Distinct()
                .Order()
                .Select(clients => new Tick(clients, $"{clients:N0}")),
        ];
        var lines = readings
            .GroupBy(reading => reading.Name)
            .Select(line =>
                LibraryLine.Of(line.Key, looks, [.. line.Select(reading => reading.PointAt(reading.Clients))])
            );
        return new(
            Text.Plain(title),
            new(Text.Plain(xTitle), IsLog: true, Ticks: ticks),
            new(Text.Plain(yTitle), Reading.NeedLog(readings, baseline)),
            LinePanel.Ordered(lines),
            baseline == null ? [] : [baseline]
        );
    }
}
