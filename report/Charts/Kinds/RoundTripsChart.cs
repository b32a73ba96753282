/// <summary>Round-trip percentiles: a row for each library under each clients x parallel, and rate where one was
/// given. With more of these than fit, evenly chosen ones.</summary>
static class RoundTripsChart
{
    const int MostGroups = 8;
    static readonly decimal[] percentiles = [0.5m, 0.99m, 0.999m];
    static readonly Shape[] shapes = [Shape.Circle, Shape.Ring, Shape.Bar];

    /// <summary>Draws it; empty where nothing was measured.</summary>
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
            return [];
        var rows = 1 + groups.Sum(group => 1 + group.Count());
        var x = new Scale(
            groups.SelectMany(group => group).SelectMany(RoundTripsNs).Select(trip => trip.Ns),
            0.01,
            0.99,
            log: true,
            room: 1.6
        );
        double At(int row) => 1 - (row + 0.5) / rows;

        var trip = subject.Cells[0].ClosedLoop ? "round trip at saturation" : "round trip from the due time";
        var row = 1;
        List<Tick> names = [];
        var panel = new Panel
        {
            Title = $"Round trips, {subject.Kind}",
            XTitle = $"{trip}{subject.InBrackets}",
            YTitle = "",
            Width = Panel.Wide,
            Height = rows * Charts.RowHeight + Panel.Top + Panel.Bottom,
            Left = Charts.LeftOf(groups.SelectMany(group => group)),
            XTicks = x.Ticks(Charts.Time),
            YTicks = [],
        };
        for (var i = 0; i < percentiles.Length; i++)
        {
            panel.Dots.Add(new(0.02 + 0.1 * i, At(0), Neutrals.Plain, shapes[i]));
            panel.Words.Add(new(0.035 + 0.1 * i, At(0), $"p{100 * percentiles[i]:0.#}"));
        }
        foreach (var group in groups)
        {
            var above = 1 - (double)row / rows;
            panel.Strokes.Add(new(0, above, 1, above, Neutrals.Faint, 0.7f));
            var load = $"{Charts.Load(group.Key.Clients, group.Key.Parallel)} in flight";
            if (group.Key.Rate != 0)
                load += $", {group.Key.Rate:N0} {subject.InWords("messages")}/s";
            panel.Words.Add(new(0.01, At(row), load, Bold: true));
            row++;
            foreach (var cell in group)
            {
                var color = subject.Looks.ColorOf(cell.Name);
                var trips = RoundTripsNs(cell).ToArray();
                panel.Strokes.Add(
                    new(x.At(trips[0].Ns), At(row), x.At(trips[^1].Ns), At(row), color, 2, PlainSocket.Is(cell.Name))
                );
                panel.Dots.AddRange(trips.Select(trip => new Dot(x.At(trip.Ns), At(row), color, trip.Shape)));
                names.Add(new(At(row), Charts.Name(cell.Name)));
                row++;
            }
        }
        panel.YTicks = [.. names];
        return [panel];
    }

    static IEnumerable<(double Ns, Shape Shape)> RoundTripsNs(Cell cell) =>
        percentiles
            .Zip(shapes)
            .Select(p => (Ns: cell.RoundTripNs(p.First), p.Second))
            .Where(trip => trip.Ns != null)
            .Select(trip => (Math.Max(1, trip.Ns!.Value), trip.Second));
}
