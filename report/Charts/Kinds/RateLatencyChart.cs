/// <summary>Round trips from the due time against the rate that was offered: p99 strong and p50 thin, a panel for
/// each of some loads, with what the SLO asks of either and, ringed, the highest rate that keeps to it.</summary>
static class RateLatencyChart
{
    const decimal Median = 0.5m;
    const decimal Tail = 0.99m;

    /// <summary>Its panels; none where no load was offered more than one rate. Subject: cells at a rate. Rungs: those
    /// that are not to be drawn too.</summary>
    public static Panel[] Of(Subject subject, Cell[] rungs, Slo? slo)
    {
        return Charts.Panels(
            subject
                .Cells.Where(cell => cell.RoundTripNs(Median) != null)
                .GroupBy(cell => (cell.Clients, cell.Parallel))
                .Where(group => group.Select(cell => cell.Rate).Distinct().Count() > 1),
            group => PanelOf(subject, [.. group], slo, name => Knee(group.Key, name)));

        Cell? Knee((long Clients, long Parallel) load, string name)
        {
            if (slo == null)
            {
                return null;
            }
            var ofLine = rungs.Where(rung => rung.Name == name && (rung.Clients, rung.Parallel) == load);
            return Ladder.Highest(ofLine, slo);
        }
    }

    static LinePanel PanelOf(Subject subject, Cell[] cells, Slo? slo, Func<string, Cell?> knee)
    {
        var asked = (slo?.Latencies ?? []).Where(term => term.Quantile is Median or Tail);
        var lines = cells.GroupBy(cell => cell.Name).SelectMany(line => LinesOf(subject, [.. line], knee(line.Key)));
        return new(
            subject.Title("round trips at a given rate", Text.Count(cells[0].Clients, "client")),
            new(
                subject.InWords("messages/s offered"),
                IsLog: true,
                TickFormat.ShortNumber
            ),
            new("round trip: p99 strong, p50 thin", IsLog: true, TickFormat.Time),
            LinePanel.Ordered(lines),
            [.. asked.Select(LevelOf)],
            slo == null ? null : "highest with the SLO"
        );
    }

    // The tail, and the median unless it is all that is known, when it has the line's name to itself.
    static IEnumerable<LibraryLine> LinesOf(Subject subject, Cell[] cells, Cell? knee)
    {
        var tail = PointsOf(cells, Tail, knee);
        if (tail.Length > 0)
        {
            yield return LibraryLine.Of(cells[0].Name, subject.Looks, tail);
        }
        yield return LibraryLine.Of(cells[0].Name, subject.Looks, PointsOf(cells, Median, null)) with
        {
            IsSmooth = true,
            IsThin = tail.Length > 0,
        };
    }

    static Point[] PointsOf(Cell[] cells, decimal quantile, Cell? knee) =>
        [
            .. cells
                .Where(cell => cell.RoundTripNs(quantile) != null)
                .OrderBy(cell => cell.Rate)
                .Select(cell => new Point(cell.Rate, DrawnNs(cell, quantile)) { IsRinged = cell == knee }),
        ];

    // A logarithm has no place for 0.
    static double DrawnNs(Cell cell, decimal quantile) => Math.Max(1, cell.RoundTripNs(quantile)!.Value);

    static Level LevelOf((decimal Quantile, double Ns) term) =>
        new(term.Ns, $"SLO: p{100 * term.Quantile:0.#} {Charts.Time(term.Ns)}", Neutrals.Ink, IsBaseline: false);
}
