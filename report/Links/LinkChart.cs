/// <summary>A figure of libraries against a property of links: a line a library, a panel for each of some of the links'
/// other settings.</summary>
static class LinkChart
{
    const int Gap = 14;
    const int Left = 78;

    /// <summary>What is drawn: against what, and what of a cell.</summary>
    public sealed record Kind(
        string Title,
        string XTitle,
        string YTitle,
        Func<LinkSettings, double> X,
        Func<LinkSettings, LinkSettings> Others,
        Func<Cell, double?> Y,
        Func<double, string> Tick,
        bool IsLog
    );

    static readonly Func<LinkSettings, double> ByLoss = link => link.LossPercent;
    static readonly Func<LinkSettings, double> ByDistance = link => link.RttMs;
    static readonly Func<LinkSettings, LinkSettings> WithoutLoss = link => link with { LossPercent = 0 };
    static readonly Func<LinkSettings, LinkSettings> WithoutDistance = link => link with { RttMs = 0 };

    public static readonly Kind LatencyByLoss = new(
        "Round trips",
        "lost, % of packets each way",
        "round trip: p99",
        ByLoss,
        WithoutLoss,
        cell => cell.RoundTripNs(0.99m),
        Charts.Time,
        IsLog: true
    );

    public static readonly Kind OnTimeByLoss = new(
        $"Answered within a round trip + {MeasuredLink.OnTimeMs} ms",
        "lost, % of packets each way",
        "% of messages sent",
        ByLoss,
        WithoutLoss,
        cell => cell.Median(launch => launch.OnTimePercent),
        Plain,
        IsLog: false
    );

    public static readonly Kind WireByLoss = new(
        "Bytes on the wire a message",
        "lost, % of packets each way",
        "bytes, both directions",
        ByLoss,
        WithoutLoss,
        cell => cell.Median(launch => launch.WireBytes),
        Plain,
        IsLog: false
    );

    public static readonly Kind LatencyByDistance = new(
        "Round trips",
        "round trip of the link, ms",
        "round trip: p99",
        ByDistance,
        WithoutDistance,
        cell => cell.RoundTripNs(0.99m),
        Charts.Time,
        IsLog: true
    );

    public static readonly Kind GoodputByDistance = new(
        "Goodput",
        "round trip of the link, ms",
        "Mbit/s",
        ByDistance,
        WithoutDistance,
        cell => cell.Goodput?.Median,
        Plain,
        IsLog: true
    );

    public static readonly Kind GoodputByLoss = new(
        "Goodput",
        "lost, % of packets each way",
        "Mbit/s",
        ByLoss,
        WithoutLoss,
        cell => cell.Goodput?.Median,
        Plain,
        IsLog: true
    );

    /// <summary>Of a figure in % of plain TCP's.</summary>
    public static Kind ToTcpByDistance(Func<Cell, double?> toTcp) =>
        GoodputByDistance with
        {
            Title = "Goodput to plain TCP's",
            YTitle = "% of plain TCP",
            Y = toTcp,
        };

    /// <summary>Draws it; empty where no two links differ in that property alone.</summary>
    public static Panel[] Of(Cell[] cells, Kind kind, Looks looks)
    {
        var groups = Charts.Evenly(
            [
                .. cells
                    .Where(cell => kind.Y(cell) > 0)
                    .GroupBy(cell => (kind.Others(cell.Link!), LinkSection.LoadOf(cell)))
                    .Where(group => group.Select(cell => kind.X(cell.Link!)).Distinct().Count() > 1)
                    .OrderBy(group => group.Key.Item1.RttMs)
                    .ThenBy(group => group.Key.Item1.LossPercent)
                    .ThenBy(group => LinkSection.PayloadOf(group.First())),
            ],
            Charts.MostPanels
        );
        return [.. groups.Select(group => PanelOf(kind, [.. group], looks, Panel.WidthOf(groups.Length)))];
    }

    static Panel PanelOf(Kind kind, Cell[] cells, Looks looks, int width)
    {
        var plot = width - Left - Panel.Right;
        var namesAt = 1 - (Charts.Room(cells.Select(cell => cell.Name)) + Gap) / plot;
        // By distance on a logarithmic axis, on which none at all stands where 1 ms does.
        double At(LinkSettings link) => kind.X == ByDistance ? Math.Max(1, link.RttMs) : kind.X(link);
        var x = new Scale(cells.Select(cell => At(cell.Link!)), 0.03, namesAt, log: kind.X == ByDistance);
        var y = new Scale(cells.Select(cell => kind.Y(cell)!.Value), 0, 1, log: kind.IsLog, room: 1.3);
        // Without the words of no distance, with which it begins.
        var link = $"{kind.Others(cells[0].Link!)}".Split(", ").Skip(kind.X == ByDistance ? 1 : 0);
        var panel = new Panel
        {
            Title = string.Join(", ", [kind.Title, .. link, LinkSection.LoadOf(cells[0])]),
            XTitle = kind.XTitle,
            YTitle = kind.YTitle,
            Width = width,
            Height = 340,
            Left = Left,
            XTicks = Charts.WithRoom(
                cells
                    .DistinctBy(cell => kind.X(cell.Link!))
                    .OrderBy(cell => kind.X(cell.Link!))
                    .Select(cell => new Tick(x.At(At(cell.Link!)), Plain(kind.X(cell.Link!)))),
                plot
            ),
            YTicks = y.Ticks(kind.Tick),
        };
        var ends = new List<(string, double, double)>();
        foreach (var line in cells.GroupBy(cell => cell.Name))
        {
            var color = looks.ColorOf(line.Key);
            var shape = looks.ShapeOf(line.Key);
            var points = line.OrderBy(cell => kind.X(cell.Link!))
                .Select(cell => (x.At(At(cell.Link!)), y.At(kind.Y(cell)!.Value)))
                .ToArray();
            if (points.Length > 1)
                panel.Curves.Add(new(points, color, 2, PlainSocket.Is(line.Key)));
            panel.Dots.AddRange(points.Select(point => new Dot(point.Item1, point.Item2, color, shape)));
            ends.Add((line.Key, points[^1].Item1, points[^1].Item2));
        }
        Charts.Names(panel, ends, looks, namesAt + (double)Gap / plot);
        return panel;
    }

    static string Plain(double figure) => $"{figure:#,0.##}";
}
