/// <summary>A panel of lines against clients, a line a library, named at its end.</summary>
static class LinesPanel
{
    const int Left = 84;
    const int LeaderWidth = 26;

    /// <summary>Draws it. One: what has a line at 1 all along.</summary>
    public static Panel Of(
        string title,
        string xTitle,
        string yTitle,
        Reading[] readings,
        Looks looks,
        int width,
        string? one = null
    )
    {
        var plot = (double)width - Left - Panel.Right;
        var names = readings.Select(reading => reading.Name);
        var namesAt = 1 - Charts.Room(one == null ? names : names.Append(one)) / plot;
        var x = new Scale(
            readings.Select(reading => (double)reading.Clients),
            0.03,
            namesAt - LeaderWidth / plot,
            log: true
        );
        var y = new Scale(
            readings.SelectMany(reading => reading.Extent).Append(one == null ? 0 : 1).Where(figure => figure > 0),
            0,
            1,
            room: 1.25
        );
        var panel = new Panel
        {
            Title = title,
            XTitle = xTitle,
            YTitle = yTitle,
            Width = width,
            Height = 340,
            Left = Left,
            XTicks = Charts.WithRoom(
                readings
                    .Select(reading => reading.Clients)
                    .Distinct()
                    .Order()
                    .Select(clients => new Tick(x.At(clients), $"{clients:N0}")),
                plot
            ),
            YTicks = y.Ticks(figure => $"{figure:#,0.##}"),
        };
        var ends = new List<(string, double, double)>();
        if (one != null)
            AtOne(panel, one, y, namesAt - LeaderWidth / plot, looks, ends);
        foreach (var line in readings.GroupBy(reading => reading.Name))
        {
            var color = looks.ColorOf(line.Key);
            var shape = looks.ShapeOf(line.Key);
            var points = line.Select(reading => (x.At(reading.Clients), y.At(reading.Figure))).ToArray();
            foreach (var (reading, (at, figureAt)) in line.Zip(points))
            {
                if (reading.Bounds is var (low, high))
                    Charts.Whisker(panel, at, y.At(Math.Max(low, double.Epsilon)), y.At(high), color);
                panel.Dots.Add(new(at, figureAt, color, shape, reading.IsLowerBound));
            }
            if (points.Length > 1)
                panel.Curves.Add(new(points, color, 2, PlainSocket.Is(line.Key)));
            ends.Add((line.Key, points[^1].Item1, points[^1].Item2));
        }
        Charts.Names(panel, ends, looks, namesAt);
        return panel;
    }

    /// <summary>Draws what stands at 1 all along, up to a place, where its name is to begin.</summary>
    public static void AtOne(
        Panel panel,
        string name,
        Scale y,
        double end,
        Looks looks,
        List<(string, double, double)> ends
    )
    {
        panel.Strokes.Add(new(0, y.At(1), end, y.At(1), looks.ColorOf(name), 2, Dashed: true));
        ends.Add((name, end, y.At(1)));
    }
}
