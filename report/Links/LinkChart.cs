/// <summary>A figure of libraries against a property of links: a line a library, a panel for each of some of the links'
/// other settings.</summary>
static class LinkChart
{
    /// <summary>What is drawn: against what, and what of a cell.</summary>
    public sealed record Kind(
        string Title,
        string XTitle,
        string YTitle,
        Func<LinkSettings, double> X,
        Func<LinkSettings, LinkSettings> Others,
        Func<Cell, double?> Y,
        TickFormat Format,
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
        TickFormat.Time,
        IsLog: true
    );

    public static readonly Kind OnTimeByLoss = new(
        $"Answered within a round trip + {MeasuredLink.OnTimeMs} ms",
        "lost, % of packets each way",
        "% of messages sent",
        ByLoss,
        WithoutLoss,
        cell => cell.Median(launch => launch.OnTimePercent),
        TickFormat.Number,
        IsLog: false
    );

    public static readonly Kind WireByLoss = new(
        "Bytes on the wire a message",
        "lost, % of packets each way",
        "bytes, both directions",
        ByLoss,
        WithoutLoss,
        cell => cell.Median(launch => launch.WireBytes),
        TickFormat.Number,
        IsLog: false
    );

    public static readonly Kind LatencyByDistance = new(
        "Round trips",
        "round trip of the link, ms",
        "round trip: p99",
        ByDistance,
        WithoutDistance,
        cell => cell.RoundTripNs(0.99m),
        TickFormat.Time,
        IsLog: true
    );

    public static readonly Kind GoodputByDistance = new(
        "Goodput",
        "round trip of the link, ms",
        "Mbit/s",
        ByDistance,
        WithoutDistance,
        cell => cell.Goodput?.Median,
        TickFormat.Number,
        IsLog: true
    );

    public static readonly Kind GoodputByLoss = new(
        "Goodput",
        "lost, % of packets each way",
        "Mbit/s",
        ByLoss,
        WithoutLoss,
        cell => cell.Goodput?.Median,
        TickFormat.Number,
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

    /// <summary>Its panels; none where no two links differ in that property alone.</summary>
    public static Panel[] Of(Cell[] cells, Kind kind, Looks looks)
    {
        var groups = Charts.Evenly(
            [
                .. cells
                    .Where(cell => kind.Y(cell) > 0)
                    .GroupBy(cell => (kind.Others(cell.Link!), WorkLayout.Of(cell.Work).LoadOf(cell)))
                    .Where(group => group.Select(cell => kind.X(cell.Link!)).Distinct().Count() > 1)
                    .OrderBy(group => group.Key.Item1.RttMs)
                    .ThenBy(group => group.Key.Item1.LossPercent)
                    .ThenBy(group => group.First().Settings.PayloadBytes),
            ],
            Charts.MostPanels
        );
        return [.. groups.Select(group => PanelOf(kind, [.. group], looks))];
    }

    static LinePanel PanelOf(Kind kind, Cell[] cells, Looks looks)
    {
        // By distance on a logarithmic axis, on which none at all stands where 1 ms does.
        var isByDistance = kind.X == ByDistance;
        double At(Cell cell) => isByDistance ? Math.Max(1, kind.X(cell.Link!)) : kind.X(cell.Link!);
        Point PointOf(Cell cell) => new(At(cell), kind.Y(cell)!.Value);
        // Without the words of no distance, with which it begins.
        var link = $"{kind.Others(cells[0].Link!)}".Split(", ").Skip(isByDistance ? 1 : 0);
        var lines = cells
            .GroupBy(cell => cell.Name)
            .Select(line => LibraryLine.Of(line.Key, looks, [.. line.OrderBy(At).Select(PointOf)]));
        return new(
            Text.Plain(string.Join(", ", [kind.Title, .. link, WorkLayout.Of(cells[0].Work).LoadOf(cells[0])])),
            new(
                kind.XTitle,
                isByDistance,
                Ticks:
                [
                    .. cells
                        .DistinctBy(cell => kind.X(cell.Link!))
                        .OrderBy(cell => kind.X(cell.Link!))
                        .Select(cell => new Tick(At(cell), $"{kind.X(cell.Link!):#,0.##}")),
                ]
            ),
            new(kind.YTitle, kind.IsLog, kind.Format),
            LinePanel.Ordered(lines),
            []
        );
    }
}
