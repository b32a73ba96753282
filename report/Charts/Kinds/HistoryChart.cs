/// <summary>How libraries did over time: what the sweeps of one machine measured under the same load, oldest first, a
/// line a library. Where a library's version is another than in the sweep before, it is named.</summary>
sealed record HistoryChart(string Machine, string Delivery, string Says, Panel[] Panels)
{
    const int LongestVersion = 12;

    /// <summary>A chart for each machine and delivery mode that two sweeps or more have a load in common of.</summary>
    public static IEnumerable<HistoryChart> Of(IEnumerable<IndexedSweep> oldestFirst)
    {
        var all = oldestFirst
            .Select((sweep, i) => (sweep.Readings, When: new When(i, sweep.Day, sweep.Minute)))
            .SelectMany(sweep => sweep.Readings.Select(past => new Sighting(sweep.When, past)));
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
            {
                continue;
            }
            var looks = LooksOf(points);
            var load = points[0].Past.Load;
            var isRatio = points.Any(point => point.Past.Ratio != null);
            var figure = isRatio ? RateFigure.Ratio : RateFigure.Absolute;
            var plain = points.Select(point => point.Past.Plain).FirstOrDefault(name => name != null);
            var throughput = PanelOf(
                Charts.Title(mode.Key.Delivery, "throughput over time"),
                load,
                figure.Unit,
                points,
                looks,
                past => isRatio ? past.Ratio : past.Rate,
                isRatio ? plain : null
            );
            var cpu = PanelOf(
                Charts.Title(mode.Key.Delivery, "CPU time over time"),
                load,
                "CPU µs per message, both sides",
                points,
                looks,
                past => past.CpuUs,
                null
            );
            var says =
                $"Throughput{(isRatio ? ", times the baseline's," : "")} and CPU time per message "
                + $"over {sweeps.Length} sweeps, {mode.Key.Delivery}, {load}";
            yield return new(mode.Key.Machine, mode.Key.Delivery, says, [throughput, cpu]);
        }
    }

    sealed record When(int Place, string Day, string Minute);

    sealed record Sighting(When Sweep, Past Past);

    static Looks LooksOf(Sighting[] points) =>
        new([
            .. points
                .Select(point => point.Past.Name)
                .Where(name => !Baseline.Is(name))
                .Distinct()
                .Order(StringComparer.Ordinal),
        ]);

    static LinePanel PanelOf(
        string title,
        string xTitle,
        string yTitle,
        Sighting[] all,
        Looks looks,
        Func<Past, Reading?> figure,
        string? plain
    )
    {
        Sighting[] points = [.. all.Where(point => figure(point.Past) != null)];
        var sweeps = all.Select(point => point.Sweep).Distinct().OrderBy(sweep => sweep.Place).ToList();
        // The minute tells apart what a day had several of.
        var hasOneADay = sweeps.Select(sweep => sweep.Day).Distinct().Count() == sweeps.Count;
        var ticks = sweeps.Select((sweep, i) => new Tick(i, Text.Plain(hasOneADay ? sweep.Day : sweep.Minute)));
        var baseline = Level.OfOne(plain, looks);
        var lines = points
            .GroupBy(point => point.Past.Name)
            .Select(line => LibraryLine.Of(line.Key, looks, PointsOf(line)));
        return new(
            title,
            new(Text.Plain(xTitle), Ticks: [.. ticks]),
            new(Text.Plain(yTitle), Reading.NeedLog(points.Select(point => figure(point.Past)!), baseline)),
            LinePanel.Ordered(lines),
            baseline == null ? [] : [baseline]
        );

        // Each with the library's version, where that is another than before.
        Point[] PointsOf(IEnumerable<Sighting> line)
        {
            string? version = null;
            List<Point> ofLine = [];
            foreach (var (sweep, past) in line)
            {
                var isNew = version != null && version != past.Version;
                var point = figure(past)!.PointAt(sweeps.IndexOf(sweep));
                ofLine.Add(point with { Words = isNew ? Text.Plain(past.Version, LongestVersion) : null });
                version = past.Version;
            }
            return [.. ofLine];
        }
    }
}
