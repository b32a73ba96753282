/// <summary>How libraries did over time: what the sweeps of one machine measured under the same load, oldest first, a
/// line a library. Where a library's version is another than in the sweep before, it is named.</summary>
sealed record HistoryChart(string Machine, string Delivery, string Says, Panel[] Panels)
{
    const int Left = 84;
    const int LeaderWidth = 26;
    const int LongestVersion = 12;
    const double VersionGap = 10; // pixels from a dot, to its left and above it

    /// <summary>A chart for each machine and delivery mode that two sweeps or more have a load in common of.</summary>
    public static IEnumerable<HistoryChart> Of(IEnumerable<IndexedSweep> oldestFirst)
    {
        var all = oldestFirst.SelectMany((sweep, i) => sweep.Readings.Select(past => new Point(i, sweep.Day, past)));
        var modes = all.GroupBy(point => (point.Past.Machine, point.Past.Delivery))
            .OrderBy(mode => mode.Key.Machine, StringComparer.Ordinal)
            .ThenBy(mode => Array.IndexOf(Contract.Deliveries, mode.Key.Delivery));
        foreach (var mode in modes)
        {
            // The load that most sweeps had; of these that of most libraries, then the heaviest.
            var points = mode.GroupBy(point => point.Past.Work)
                .OrderByDescending(work => work.Select(point => point.Sweep).Distinct().Count())
                .ThenByDescending(work => work.Select(point => point.Past.Name).Distinct().Count())
                .ThenByDescending(work => work.First().Past.InFlight)
                .ThenBy(work => work.Key, StringComparer.Ordinal)
                .First()
                .ToArray();
            var sweeps = points.Select(point => point.Sweep).Distinct().ToArray();
            if (sweeps.Length < 2)
                continue;
            var looks = LooksOf(points);
            var load = points[0].Past.Load;
            var isRatio = points.Any(point => point.Past.Ratio != null);
            var figure = isRatio ? RateFigure.Ratio : RateFigure.Absolute;
            var plain = points.Select(point => point.Past.Plain).FirstOrDefault(name => name != null);
            var throughput = Draw(
                $"Throughput over time, {mode.Key.Delivery}",
                load,
                figure.Unit,
                points,
                looks,
                past => isRatio ? past.Ratio : past.Rate,
                isRatio ? plain : null
            );
            var cpu = Draw(
                $"CPU time over time, {mode.Key.Delivery}",
                load,
                "µs a message, both sides",
                points,
                looks,
                past => past.CpuUs,
                null
            );
            var says =
                $"Throughput{(isRatio ? ", times the plain socket's," : "")} and CPU time a message "
                + $"over {sweeps.Length} sweeps, {mode.Key.Delivery}, {load}";
            yield return new(mode.Key.Machine, mode.Key.Delivery, says, [throughput, cpu]);
        }
    }

    sealed record Point(int Sweep, string Day, Past Past);

    static Looks LooksOf(Point[] points) =>
        new([
            .. points
                .Select(point => point.Past.Name)
                .Where(name => !PlainSocket.Is(name))
                .Distinct()
                .Order(StringComparer.Ordinal),
        ]);

    static Panel Draw(
        string title,
        string xTitle,
        string yTitle,
        Point[] all,
        Looks looks,
        Func<Past, Reading?> figure,
        string? one
    )
    {
        var points = all.Where(point => figure(point.Past) != null).ToArray();
        var sweeps = all.Select(point => (point.Sweep, point.Day)).Distinct().OrderBy(sweep => sweep.Sweep).ToArray();
        var plot = (double)Panel.Narrow - Left - Panel.Right;
        var namesAt = 1 - Charts.Room(all.Select(point => point.Past.Name).Append(one ?? "")) / plot;
        var linesEnd = namesAt - LeaderWidth / plot;
        double X(int sweep)
        {
            var place = Array.FindIndex(sweeps, known => known.Sweep == sweep);
            return 0.08 + place * (linesEnd - 0.08) / (sweeps.Length - 1);
        }
        var y = new Scale(
            points
                .SelectMany(point => figure(point.Past)!.Extent)
                .Append(one == null && points.Length > 0 ? 0 : 1)
                .Where(bound => bound > 0),
            0,
            0.95,
            room: 1.25
        );
        var panel = new Panel
        {
            Title = title,
            XTitle = xTitle,
            YTitle = yTitle,
            Width = Panel.Narrow,
            Height = 340,
            Left = Left,
            XTicks = Charts.WithRoom(sweeps.Select(sweep => new Tick(X(sweep.Sweep), sweep.Day)), plot),
            YTicks = y.Ticks(value => $"{value:#,0.##}"),
        };
        var ends = new List<(string, double, double)>();
        if (one != null)
            LinesPanel.AtOne(panel, one, y, linesEnd, looks, ends);
        foreach (var line in points.GroupBy(point => point.Past.Name).OrderBy(line => line.Key, StringComparer.Ordinal))
        {
            var color = looks.ColorOf(line.Key);
            var places = new List<(double X, double Y)>();
            string? version = null;
            foreach (var (sweep, _, past) in line)
            {
                var reading = figure(past)!;
                var x = X(sweep);
                var at = y.At(reading.Figure);
                if (reading.Bounds is var (low, high))
                    Charts.Whisker(panel, x, y.At(Math.Max(low, double.Epsilon)), y.At(high), color);
                panel.Dots.Add(new(x, at, color, looks.ShapeOf(line.Key), reading.IsLowerBound));
                if (version != null && version != past.Version)
                {
                    panel.Words.Add(
                        new(
                            x - VersionGap / plot,
                            at + VersionGap / panel.PlotHeight,
                            Text.Plain(past.Version, LongestVersion),
                            Align: Align.End,
                            Cleared: true
                        )
                    );
                }
                version = past.Version;
                places.Add((x, at));
            }
            if (places.Count > 1)
                panel.Curves.Add(new([.. places], color, 2, PlainSocket.Is(line.Key)));
            ends.Add((line.Key, places[^1].X, places[^1].Y));
        }
        Charts.Names(panel, ends, looks, namesAt);
        return panel;
    }
}
