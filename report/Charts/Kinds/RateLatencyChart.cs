/// <summary>Round trips from the due time against the rate that was offered: p99 strong and p50 thin, a panel for
/// each of some loads, with what the SLO asks of either and, ringed, the highest rate that keeps to it.</summary>
static class RateLatencyChart
{
    const int KneeRadius = 8;
    const decimal Median = 0.5m;
    const decimal Tail = 0.99m;

    /// <summary>Draws it; empty where no load was offered more than one rate. Subject: cells at a rate. Rungs: those
    /// that are not to be drawn too.</summary>
    public static Panel[] Of(Subject subject, Cell[] rungs, Slo? slo)
    {
        var groups = Charts.Evenly(
            [
                .. subject
                    .Cells.Where(cell => cell.RoundTripNs(Median) != null)
                    .GroupBy(cell => (cell.Clients, cell.Parallel))
                    .Where(group => group.Select(cell => cell.Rate).Distinct().Count() > 1),
            ],
            Charts.MostPanels
        );
        var width = Panel.WidthOf(groups.Length);
        return [.. groups.Select(group => PanelOf(subject, [.. group], slo, name => Knee(group.Key, name), width))];

        Cell? Knee((long Clients, long Parallel) load, string name)
        {
            if (slo == null)
                return null;
            var ofLine = rungs.Where(rung => rung.Name == name && (rung.Clients, rung.Parallel) == load);
            return Ladder.Highest(ofLine, slo);
        }
    }

    static Panel PanelOf(Subject subject, Cell[] cells, Slo? slo, Func<string, Cell?> knee, int width)
    {
        const int left = 70;
        const int gap = 14;
        var plot = width - left - Panel.Right;
        var namesAt = 1 - (Charts.Room(cells.Select(cell => cell.Name)) + gap) / plot;
        var asked = (slo?.Latencies ?? []).Where(term => term.Quantile is Median or Tail).ToArray();
        var x = new Scale(cells.Select(cell => (double)cell.Rate), 0.03, namesAt, log: true);
        var y = new Scale(
            cells
                .SelectMany(cell => new[] { cell.RoundTripNs(Median), cell.RoundTripNs(Tail) })
                .OfType<double>()
                .Select(ns => Math.Max(1, ns))
                .Concat(asked.Select(term => term.Ns)),
            0,
            1,
            log: true,
            room: 1.6
        );
        var panel = new Panel
        {
            Title = $"At a given rate, {subject.Kind}, {Charts.Load(cells[0].Clients, cells[0].Parallel)}",
            XTitle = $"{subject.InWords("messages")}/s offered{subject.InBrackets}",
            YTitle = "round trip: p99 strong, p50 thin",
            Width = width,
            Height = 340,
            Left = left,
            XTicks = Charts.WithRoom(x.Ticks(Charts.Short), plot),
            YTicks = y.Ticks(Charts.Time),
        };
        foreach (var (quantile, ns) in asked)
        {
            panel.Strokes.Add(new(0, y.At(ns), 1, y.At(ns), Neutrals.Ink, 1, Dashed: true));
            var words = $"SLO: p{100 * quantile:0.#} {Charts.Time(ns)}";
            panel.Words.Add(new(0.01, y.At(ns) + 8.0 / panel.PlotHeight, words, Cleared: true));
        }
        if (slo != null)
            panel.Words.Add(new(0.01, 10.0 / panel.PlotHeight, "ringed: highest with the SLO", Cleared: true));
        var ends = new List<(string, double, double)>();
        foreach (var line in cells.GroupBy(cell => cell.Name))
        {
            var color = subject.Looks.ColorOf(line.Key);
            var shape = subject.Looks.ShapeOf(line.Key);
            var best = knee(line.Key);
            foreach (var quantile in new[] { Median, Tail })
            {
                var points = line.OrderBy(cell => cell.Rate)
                    .Where(cell => cell.RoundTripNs(quantile) != null)
                    .Select(cell =>
                        (Cell: cell, X: x.At(cell.Rate), Y: y.At(Math.Max(1, cell.RoundTripNs(quantile)!.Value)))
                    )
                    .ToArray();
                if (points.Length > 1)
                {
                    var strength = quantile == Tail ? 2.5f : 1;
                    (double, double)[] places = [.. points.Select(point => (point.X, point.Y))];
                    panel.Curves.Add(new(places, color, strength, PlainSocket.Is(line.Key)));
                }
                if (quantile == Tail)
                {
                    var knees = points.Where(point => point.Cell == best);
                    panel.Dots.AddRange(
                        knees.Select(point => new Dot(point.X, point.Y, color, Shape.Ring, Radius: KneeRadius))
                    );
                    panel.Dots.AddRange(points.Select(point => new Dot(point.X, point.Y, color, shape)));
                }
                if (points.Length == 0)
                    continue;
                ends.RemoveAll(end => end.Item1 == line.Key);
                ends.Add((line.Key, points[^1].X, points[^1].Y));
            }
        }
        Charts.Names(panel, ends, subject.Looks, namesAt + (double)gap / plot);
        return panel;
    }
}
