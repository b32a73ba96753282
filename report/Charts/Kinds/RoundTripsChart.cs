/// <summary>Round-trip percentiles: a row for each library under each clients x parallel, and rate where one was
/// given. With more of these than fit, evenly chosen ones.</summary>
static class RoundTripsChart
{
    const int MostGroups = 8;

    static readonly decimal[] percentiles = [0.5m, 0.99m, 0.999m];
    static readonly Shape[] shapes = [Shape.Circle, Shape.Ring, Shape.Bar];

    /// <summary>Its panel; none where nothing was measured.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly(
            [
                .. subject
                    .Cells.Where(cell => cell.RoundTripNs(percentiles[0]) != null)
                    .GroupBy(cell => (cell.Clients, cell.Parallel, cell.Rate)),
            ],
            MostGroups
        );
        if (groups.Length == 0)
        {
            return [];
        }
        var trip = subject.Cells[0].ClosedLoop ? "round trip at saturation" : "round trip from the due time";
        return
        [
            new RangePanel(
                subject.Title("round trips"),
                new(trip, IsLog: true, TickFormat.Time),
                [.. percentiles.Zip(shapes, (percentile, shape) => new Mark($"p{100 * percentile:0.#}", shape))],
                [.. groups.Select(group => GroupOf(subject, [.. group]))]
            ),
        ];
    }

    static RangeGroup GroupOf(Subject subject, Cell[] cells)
    {
        var fastestFirst = cells.OrderBy(cell => cell.RoundTripNs(percentiles[0]));
        return new(Charts.Load(cells[0]), [.. fastestFirst.Select(cell => RowOf(subject, cell))]);
    }

    static RangeRow RowOf(Subject subject, Cell cell) =>
        new(
            Charts.Name(cell.Name),
            subject.Looks.Of(cell.Name),
            [.. percentiles.Select(percentile => DrawnNs(cell.RoundTripNs(percentile)))]
        );

    // A logarithm has no place for 0.
    static double? DrawnNs(double? ns) => ns == null ? null : Math.Max(1, ns.Value);
}
