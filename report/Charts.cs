/// <summary>The charts of one delivery mode's cells, as panels that either writer draws.</summary>
static class Charts
{
    const int WordHeight = 15, RowHeight = 18, LongestName = 21, MostGroups = 8, TickRoom = 8;
    const double CharWidth = 7, LeaderWidth = 26; // of 12-pixel letters, generously
    const string FloorColor = "#444444", Faint = "#999999";
    static readonly decimal[] percentiles = [0.5m, 0.99m, 0.999m];
    static readonly Shape[] percentileShapes = [Shape.Circle, Shape.Ring, Shape.Bar];

    // Okabe and Ito's colours for colour-blind readers, but for yellow and black.
    static readonly string[] palette =
        ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

    /// <summary>Throughput against clients: a panel for each number of messages in flight; empty
    /// where nothing was measured. A lower bound is hollow.</summary>
    public static Panel[] Throughput(string title, string settings, Cell[] cells, string[] libraries)
    {
        var drawn = cells.Where(cell => cell.Throughput?.Median > 0).ToArray();
        var groups = drawn.GroupBy(cell => cell.Parallel).OrderBy(group => group.Key).ToArray();
        return [.. groups.Select(group => ThroughputPanel(
            $"Throughput, {title}, {group.Key:N0} in flight a client", $"clients ({settings})",
            [.. group], libraries, groups.Length == 1 ? 760 : 500))];
    }

    static Panel ThroughputPanel(
        string title, string xTitle, Cell[] cells, string[] libraries, int width)
    {
        const int left = 84;
        var plot = (double)width - left - Panel.Right;
        var namesAt = 1 - CharWidth * cells.Max(cell => Name(cell.Name).Length) / plot;
        var x = new Scale(cells.Select(cell => (double)cell.Clients),
            0.03, namesAt - LeaderWidth / plot, alwaysLog: true);
        var y = new Scale(cells
            .SelectMany(cell => new[] { cell.Throughput!.Least, cell.Throughput.Most })
            .Where(rate => rate > 0), 0, 1, room: 1.25);
        var panel = new Panel
        {
            Title = title, XTitle = xTitle, YTitle = "messages/s",
            Width = width, Height = 340, Left = left,
            XTicks = WithRoom(cells.Select(cell => cell.Clients).Distinct().Order()
                .Select(clients => new Tick(x.At(clients), $"{clients:N0}")), plot),
            YTicks = y.Ticks(rate => $"{rate:N0}"),
        };
        var lines = cells.GroupBy(cell => cell.Name)
            .OrderBy(line => line.Last().Throughput!.Median).ToArray();
        var places = Spread([.. lines.Select(line => y.At(line.Last().Throughput!.Median))],
            (double)WordHeight / panel.PlotHeight);
        foreach (var (line, place) in lines.Zip(places))
        {
            var (color, shape) = Look(line.Key, libraries);
            var dots = line.Select(cell => new Dot(x.At(cell.Clients), y.At(cell.Throughput!.Median),
                color, shape, Hollow: cell.Bound == Bottleneck.Client)).ToArray();
            panel.Dots.AddRange(dots);
            foreach (var (a, b) in dots.Zip(dots.Skip(1)))
                panel.Strokes.Add(new(a.X, a.Y, b.X, b.Y, color, 2, Cell.IsFloor(line.Key)));
            foreach (var (dot, cell) in dots.Zip(line))
                panel.Strokes.Add(new(dot.X, y.At(Math.Max(cell.Throughput!.Least, double.Epsilon)),
                    dot.X, y.At(cell.Throughput.Most), color, 1));
            panel.Strokes.Add(new(dots[^1].X, dots[^1].Y, namesAt - 4 / plot, place, color, 0.7f));
            panel.Words.Add(new(namesAt, place, Name(line.Key)));
        }
        return panel;
    }

    /// <summary>Round-trip percentiles: a row for each library under each clients x parallel, and rate
    /// where one was given. With more of these than fit, evenly chosen ones. Empty where nothing was
    /// measured.</summary>
    public static Panel[] RoundTrips(string title, string settings, Cell[] cells, string[] libraries)
    {
        var all = cells.Where(cell => cell.RoundTripNs(percentiles[0]) != null)
            .GroupBy(cell => (cell.Clients, cell.Parallel, cell.Rate)).ToArray();
        if (all.Length == 0) return [];
        var groups = all.Length <= MostGroups ? all : [.. Enumerable.Range(0, MostGroups)
            .Select(i => all[i * (all.Length - 1) / (MostGroups - 1)])];
        var rows = 1 + groups.Sum(group => 1 + group.Count());
        var x = new Scale(groups.SelectMany(group => group).SelectMany(RoundTripsNs)
            .Select(trip => trip.Ns), 0.01, 0.99, alwaysLog: true, room: 1.6);
        double At(int row) => 1 - (row + 0.5) / rows;

        var trip = cells[0].ClosedLoop ? "round trip at saturation" : "round trip from the due time";
        var row = 1;
        List<Tick> names = [];
        var panel = new Panel
        {
            Title = $"Round trips, {title}", XTitle = $"{trip} ({settings})", YTitle = "", Width = 760,
            Height = rows * RowHeight + Panel.Top + Panel.Bottom, Left = 150,
            XTicks = x.Ticks(ns => ns < 1e3 ? $"{ns} ns" : ns < 1e6 ? $"{ns / 1e3} µs"
                : ns < 1e9 ? $"{ns / 1e6} ms" : $"{ns / 1e9} s"),
            YTicks = [],
        };
        for (var i = 0; i < percentiles.Length; i++)
        {
            panel.Dots.Add(new(0.02 + 0.1 * i, At(0), FloorColor, percentileShapes[i]));
            panel.Words.Add(new(0.035 + 0.1 * i, At(0), $"p{100 * percentiles[i]:0.#}"));
        }
        foreach (var group in groups)
        {
            panel.Strokes.Add(new(0, 1 - (double)row / rows, 1, 1 - (double)row / rows, Faint, 0.7f));
            panel.Words.Add(new(0.01, At(row++), $"{Text.Count(group.Key.Clients, "client")} x " +
                $"{group.Key.Parallel:N0} in flight"
                + (group.Key.Rate == 0 ? "" : $", {group.Key.Rate:N0} messages/s"), Bold: true));
            foreach (var cell in group)
            {
                var (color, _) = Look(cell.Name, libraries);
                var trips = RoundTripsNs(cell).ToArray();
                panel.Strokes.Add(new(x.At(trips[0].Ns), At(row), x.At(trips[^1].Ns), At(row), color, 2,
                    Cell.IsFloor(cell.Name)));
                panel.Dots.AddRange(trips.Select(
                    trip => new Dot(x.At(trip.Ns), At(row), color, trip.Shape)));
                names.Add(new(At(row++), Name(cell.Name)));
            }
        }
        panel.YTicks = [.. names];
        return [panel];
    }

    /// <summary>A library's colour, #RRGGBB, which is the same wherever it is drawn.</summary>
    public static string ColorOf(string name, string[] libraries) => Look(name, libraries).Color;

    static IEnumerable<(double Ns, Shape Shape)> RoundTripsNs(Cell cell) =>
        percentiles.Zip(percentileShapes).Select(p => (Ns: cell.RoundTripNs(p.First), p.Second))
            .Where(trip => trip.Ns != null).Select(trip => (Math.Max(1, trip.Ns!.Value), trip.Second));

    static string Name(string name) =>
        Text.Plain(name, LongestName) + (Cell.IsFloor(name) ? " (floor)" : "");

    // A name's place in the sorted names decides, so it looks the same in every chart of a file.
    static (string Color, Shape Shape) Look(string name, string[] libraries)
    {
        if (Cell.IsFloor(name)) return (FloorColor, Shape.Circle);
        var index = Array.IndexOf(libraries, name);
        return (palette[index % palette.Length], (Shape)(index % 4));
    }

    // Moves ascending places apart to the least gap, and keeps them within 0 to 1.
    static double[] Spread(double[] places, double gap)
    {
        for (var i = 1; i < places.Length; i++) places[i] = Math.Max(places[i], places[i - 1] + gap);
        var most = 1 - gap / 2;
        for (var i = places.Length - 1; i >= 0; i--)
        {
            places[i] = Math.Min(places[i], most);
            most = places[i] - gap;
        }
        return places;
    }

    // Drops the labels that would touch the next; the last stays.
    static Tick[] WithRoom(IEnumerable<Tick> ticks, double plot)
    {
        var taken = double.MaxValue;
        return [.. ticks.Reverse().Select(tick =>
        {
            var half = tick.Label.Length * CharWidth / 2 + TickRoom / 2;
            if (tick.At * plot + half > taken) return tick with { Label = "" };
            taken = tick.At * plot - half;
            return tick;
        })];
    }
}
