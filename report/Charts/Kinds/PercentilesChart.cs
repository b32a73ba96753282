/// <summary>Round-trip times by percentile, to the right by nines (0, 90 %, 99 %, ...): a panel for each of some
/// loads. A curve ends where too few round trips lie beyond to say more.</summary>
static class PercentilesChart
{
    const int PointsANine = 20;

    /// <summary>Its panels; none where nothing was measured.</summary>
    public static Panel[] Of(Subject subject) =>
        Charts.Panels(
            subject
                .Cells.Select(cell => (Cell: cell, Ns: cell.RoundTripsByNinesNs(PointsANine)))
                .Where(curve => curve.Ns.Length > 1)
                .GroupBy(curve => (curve.Cell.Clients, curve.Cell.Parallel)),
            group => PanelOf(
                subject,
                Charts.Load(group.First().Cell),
                [.. group.Select(curve => (curve.Cell.Name, curve.Ns))]));

    static LinePanel PanelOf(Subject subject, string load, (string Name, double[] Ns)[] curves)
    {
        var nines = (curves.Max(curve => curve.Ns.Length) - 1) / PointsANine;
        var lines = curves.Select(curve =>
            LibraryLine.Of(curve.Name, subject.Looks, [.. curve.Ns.Select(PointOf)]) with
            {
                IsSmooth = true,
            }
        );
        return new(
            subject.Title("round trips by percentile", load),
            new(
                "percentile of the round trips",
                Ticks: [.. Enumerable.Range(0, nines + 1).Select(nine => new Tick(nine, Percentile(nine)))]
            ),
            new("round trip at saturation", IsLog: true, TickFormat.Time),
            LinePanel.Ordered(lines),
            []
        );
    }

    // A logarithm has no place for 0.
    static Point PointOf(double ns, int index) => new((double)index / PointsANine, Math.Max(1, ns));

    static string Percentile(int nine) =>
        nine == 0 ? "least" : $"{100 - Math.Round((decimal)Math.Pow(10, 2 - nine), 9):0.#######}";
}
