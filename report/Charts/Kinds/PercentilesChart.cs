/// <summary>Round-trip times by percentile, to the right by nines (0, 90 %, 99 %, ...): a panel for each of some
/// loads. A curve ends where too few round trips lie beyond to say more.</summary>
static class PercentilesChart
{
    const int PointsANine = 20;

    /// <summary>Draws it; empty where nothing was measured.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly(
            [
                .. subject
                    .Cells.Select(cell => (Cell: cell, Ns: cell.RoundTripsByNinesNs(PointsANine)))
                    .Where(curve => curve.Ns.Length > 1)
                    .GroupBy(curve => (curve.Cell.Clients, curve.Cell.Parallel)),
            ],
            Charts.MostPanels
        );
        return
        [
            .. groups.Select(group =>
                PanelOf(
                    subject,
                    Charts.Load(group.Key.Clients, group.Key.Parallel),
                    [.. group.Select(curve => (curve.Cell.Name, curve.Ns))],
                    Panel.WidthOf(groups.Length)
                )
            ),
        ];
    }

    static Panel PanelOf(Subject subject, string load, (string Name, double[] Ns)[] curves, int width)
    {
        const int left = 70;
        const int gap = 14;
        var plot = width - left - Panel.Right;
        var nines = (curves.Max(curve => curve.Ns.Length) - 1.0) / PointsANine;
        var namesAt = 1 - (Charts.Room(curves.Select(curve => curve.Name)) + gap) / plot;
        double At(double nine) => 0.02 + nine / nines * (namesAt - 0.02);
        var y = new Scale(curves.SelectMany(curve => curve.Ns).Select(Drawn), 0, 1, log: true, room: 1.25);
        var panel = new Panel
        {
            Title = $"Round trips, {subject.Kind}, {load} in flight",
            XTitle = $"percentile{subject.InBrackets}",
            YTitle = "round trip at saturation",
            Width = width,
            Height = 340,
            Left = left,
            YTicks = y.Ticks(Charts.Time),
            XTicks = Charts.WithRoom(
                Enumerable.Range(0, (int)nines + 1).Select(nine => new Tick(At(nine), Percentile(nine))),
                plot
            ),
        };
        var ends = new List<(string, double, double)>();
        foreach (var (name, times) in curves)
        {
            var points = times.Select((ns, i) => (At((double)i / PointsANine), y.At(Drawn(ns)))).ToArray();
            panel.Curves.Add(new(points, subject.Looks.ColorOf(name), 2, PlainSocket.Is(name)));
            ends.Add((name, points[^1].Item1, points[^1].Item2));
        }
        Charts.Names(panel, ends, subject.Looks);
        return panel;
    }

    static string Percentile(int nine) =>
        nine == 0 ? "least" : $"{100 - Math.Round((decimal)Math.Pow(10, 2 - nine), 9):0.#######} %";

    // A logarithm has no place for 0.
    static double Drawn(double ns) => Math.Max(1, ns);
}
