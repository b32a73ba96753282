/// <summary>A figure of libraries against a property of links: a line per library, a panel for each of some of the
/// links' other settings.</summary>
static class LinkChart
{
    /// <summary>A property of links. Without: the link as it is without it. Asks: of a link, whether it can have
    /// it.</summary>
    public sealed record Property(
        string Title,
        Func<LinkSettings, double> Of,
        Func<LinkSettings, LinkSettings> Without,
        Func<LinkSettings, bool> Asks
    )
    {
        /// <summary>Whether its axis is logarithmic; then none at all stands where 1 does.</summary>
        public bool IsLog { get; init; }

        /// <summary>Its place on that axis.</summary>
        public double At(Cell cell) => IsLog ? Math.Max(1, Of(cell.Link!)) : Of(cell.Link!);
    }

    /// <summary>A figure of a cell.</summary>
    public sealed record Measure(
        string Title,
        string YTitle,
        Func<Cell, Figure?> Of,
        TickFormat Format = TickFormat.Number,
        bool IsLog = false
    );

    public static readonly Property Loss = new(
        "lost, % of packets each way",
        link => link.LossPercent,
        link => link with { LossPercent = 0 },
        _ => true
    );

    public static readonly Property Distance = new(
        "round trip of the link, ms",
        link => link.RttMs,
        link => link with { RttMs = 0 },
        _ => true
    )
    {
        IsLog = true,
    };

    public static readonly Property Jitter = new(
        "jitter: round trips are longer by up to so many ms",
        link => link.JitterMs,
        link => link with { JitterMs = 0 },
        _ => true
    );

    public static readonly Property Bursts = new(
        "packets lost in a row, on average",
        link => link.LossBurstPackets,
        link => link with { LossBurstPackets = 1 },
        link => link.LossPercent > 0
    );

    public static readonly Measure Latency = new(
        "round trips (p99)",
        "round trip: p99",
        cell => cell.RoundTripNs(0.99m) is { } ns ? new(ns, null, null, null, null) : null,
        TickFormat.Time,
        IsLog: true
    );

    public static readonly Measure OnTime = new(
        "% answered in time",
        $"% answered within a round trip + {MeasuredLink.OnTimeMs} ms",
        cell => OfLaunches(cell, launch => launch.OnTimePercent)
    );

    public static readonly Measure Wire = new(
        "bytes on the wire per message",
        "bytes, both directions",
        cell => OfLaunches(cell, launch => launch.WireBytes)
    );

    public static readonly Measure Goodput =
        new("goodput", "Mbit/s", cell => Figure.Of(cell.Goodput), IsLog: true);

    /// <summary>Goodput in % of plain TCP's.</summary>
    public static Measure GoodputToTcp(Func<Cell, double?> percent) =>
        new(
            "goodput in % of plain TCP's",
            "% of plain TCP",
            cell => percent(cell) is { } known ? new(known, null, null, null, null) : null,
            IsLog: true
        );

    /// <summary>Its panels; none where no two links differ in that property alone.</summary>
    public static Panel[] Of(Cell[] cells, Measure measure, Property property, Looks looks)
    {
        // A logarithm has no place for 0.
        bool IsShown(Cell cell) => measure.Of(cell) is { } figure && (figure.Median > 0 || !measure.IsLog);
        var groups = Charts.Evenly(
            [
                .. cells
                    .Where(cell => property.Asks(cell.Link!) && IsShown(cell))
                    .GroupBy(cell => (property.Without(cell.Link!), LoadOf(cell)))
                    .Where(group => group.Select(cell => property.Of(cell.Link!)).Distinct().Count() > 1)
                    .OrderBy(group => group.Key.Item1.RttMs)
                    .ThenBy(group => group.Key.Item1.LossPercent)
                    .ThenBy(group => group.Key.Item1.JitterMs)
                    .ThenBy(group => group.Key.Item1.LossBurstPackets)
                    .ThenBy(group => group.First().Settings.PayloadBytes),
            ],
            Charts.MostPanels
        );
        return [.. groups.Select(group => PanelOf(measure, property, [.. group], looks))];
    }

    static LinePanel PanelOf(Measure measure, Property property, Cell[] cells, Looks looks)
    {
        Point PointOf(Cell cell)
        {
            var figure = measure.Of(cell)!;
            return new(property.At(cell), figure.Median, figure.Low, figure.High);
        }
        var lines = cells
            .GroupBy(cell => cell.Name)
            .Select(line => LibraryLine.Of(line.Key, looks, [.. line.OrderBy(property.At).Select(PointOf)]));
        var ticks = cells
            .OrderBy(property.At)
            .Select(cell => new Tick(property.At(cell), $"{property.Of(cell.Link!):#,0.##}"))
            .DistinctBy(tick => tick.Label);
        return new(
            Charts.Title(cells[0].Kind, measure.Title, LinkInWords(cells[0].Link!, property), LoadOf(cells[0])),
            new(property.Title, property.IsLog, Ticks: property.IsLog ? Axis.LogTicksOf(ticks) : [.. ticks]),
            new(measure.YTitle, measure.IsLog, measure.Format),
            LinePanel.Ordered(lines),
            []
        );
    }

    // "50 ms link, 2 % loss", without the property that the axis shows.
    static string LinkInWords(LinkSettings link, Property property)
    {
        var words = $"{property.Without(link)}".Split(", ");
        if (property != Distance)
        {
            return string.Join(", ", words.Select((word, i) => i == 0 ? $"{word} link" : word));
        }
        return words.Length == 1 ? "" : $"link with {string.Join(", ", words.Skip(1))}";
    }

    static string LoadOf(Cell cell)
    {
        if (!cell.Counting.HasRoundTrips)
        {
            return $"{Text.Count(cell.Clients, "client")}, {Charts.Sizes(cell.Settings.PayloadBytes)}";
        }
        return cell.ClosedLoop ? Charts.Load(cell.Clients, cell.Parallel) : WorkLayout.Of(cell.Work).LoadOf(cell);
    }

    static Figure? OfLaunches(Cell cell, Func<Launch, double?> figure) =>
        Figure.Of(Statistic.Of(cell.Launches.Select(figure)));
}
