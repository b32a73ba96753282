/// <summary>Figures of libraries over links: lines against a property of the link, a panel for each of some of its
/// other settings; and sorted bars, which rooms have too.</summary>
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
        Func<CellFigures, Figure?> Of,
        TickFormat Format = TickFormat.Number,
        bool IsLog = false
    )
    {
        /// <summary>Whether the least is the best.</summary>
        public bool IsCost { get; init; }
    }

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
        figures => Alone(1e3 * Metrics.P99.ValueOf(figures)),
        TickFormat.Time,
        IsLog: true
    )
    {
        IsCost = true,
    };

    public static readonly Measure OnTime = new(
        "% answered in time",
        $"% answered within a round trip + {MeasuredLink.OnTimeMs} ms",
        Metrics.OnTime.Of
    );

    public static readonly Measure Wire = new(
        "bytes on the wire per message",
        "bytes, both directions",
        Metrics.WireBytes.Of
    )
    {
        IsCost = true,
    };

    public static readonly Measure Goodput =
        new("goodput", "Mbit/s", Metrics.Goodput.Of, IsLog: true);

    /// <summary>Goodput in % of plain TCP's.</summary>
    public static Measure GoodputToTcp(Func<Cell, double?> percent) =>
        new(
            "goodput in % of plain TCP's",
            "% of plain TCP",
            figures => Alone(percent(figures.Cell)),
            IsLog: true
        );

    /// <summary>Its panels; none where no two links differ in that property alone.</summary>
    public static Panel[] Of(CellFigures[] rows, Measure measure, Property property, Looks looks)
    {
        // A logarithm has no place for 0.
        bool IsShown(Figure? figure) => figure != null && (figure.Median > 0 || !measure.IsLog);
        return Charts.Panels(
            rows
                .Where(row => property.Asks(row.Cell.Link!) && IsShown(measure.Of(row)))
                .GroupBy(row => (property.Without(row.Cell.Link!), LoadOf(row.Cell)))
                .Where(group => group.Select(row => property.Of(row.Cell.Link!)).Distinct().Count() > 1)
                .OrderBy(group => group.Key.Item1.RttMs)
                .ThenBy(group => group.Key.Item1.LossPercent)
                .ThenBy(group => group.Key.Item1.JitterMs)
                .ThenBy(group => group.Key.Item1.LossBurstPackets)
                .ThenBy(group => group.First().Cell.Settings.PayloadBytes),
            group => PanelOf(measure, property, [.. group], looks));
    }

    /// <summary>Panels of sorted bars, the best first, one for each of some loads; none where nothing is known. Loads:
    /// the rows of each. Conditions: what the title of a panel says of its load.</summary>
    public static Panel[] BarsOf(
        IEnumerable<CellFigures[]> loads, Measure measure, Looks looks, Func<Cell, string[]> conditions)
    {
        var known = loads
            .Select(rows => rows.Where(row => measure.Of(row) != null).ToArray())
            .Where(rows => rows.Length > 0);
        return Charts.Panels(known, rows => BarPanelOf(rows, measure, looks, conditions(rows[0].Cell)));
    }

    /// <summary>What the title of a panel of bars says of its load: the link, and the load.</summary>
    public static string[] Conditions(Cell cell) => [Words(cell.Link!), LoadOf(cell)];

    static StackedBarPanel BarPanelOf(CellFigures[] rows, Measure measure, Looks looks, string[] conditions)
    {
        var bars = rows.Select(row => BarOf(row.Cell, measure.Of(row)!, measure, looks)).OrderBy(bar => bar.Figures[0]);
        return new(
            Charts.Title(rows[0].Cell.Kind, measure.Title, conditions),
            new(measure.YTitle, Format: measure.Format),
            [new(measure.Title, 1)],
            [.. measure.IsCost ? bars : bars.Reverse()]
        );
    }

    static StackedBar BarOf(Cell cell, Figure figure, Measure measure, Looks looks)
    {
        var shown = measure.Format == TickFormat.Time ? Text.Duration(figure.Median) : Text.Number(figure.Median);
        return new(Charts.Name(cell.Name), looks.Of(cell.Name), [figure.Median], shown)
        {
            Low = figure.Low,
            High = figure.High,
        };
    }

    static LinePanel PanelOf(Measure measure, Property property, CellFigures[] rows, Looks looks)
    {
        Point PointOf(CellFigures row)
        {
            var figure = measure.Of(row)!;
            return new(property.At(row.Cell), figure.Median, figure.Low, figure.High);
        }
        CellFigures[] ordered = [.. rows.OrderBy(row => property.At(row.Cell))];
        var lines = ordered
            .GroupBy(row => row.Cell.Name)
            .Select(line => LibraryLine.Of(line.Key, looks, [.. line.Select(PointOf)]));
        var ticks = ordered
            .Select(row => new Tick(property.At(row.Cell), $"{property.Of(row.Cell.Link!):#,0.##}"))
            .DistinctBy(tick => tick.Label);
        var first = rows[0].Cell;
        return new(
            Charts.Title(first.Kind, measure.Title, LinkInWords(first.Link!, property), LoadOf(first)),
            new(property.Title, property.IsLog, Ticks: property.IsLog ? Axis.LogTicksOf(ticks) : [.. ticks]),
            new(measure.YTitle, measure.IsLog, measure.Format),
            LinePanel.Ordered(lines),
            []
        );
    }

    // "50 ms link, 2 % loss", without the property that the axis shows.
    static string LinkInWords(LinkSettings link, Property property)
    {
        if (property != Distance)
        {
            return Words(property.Without(link));
        }
        var words = $"{property.Without(link)}".Split(", ");
        return words.Length == 1 ? "" : $"link with {string.Join(", ", words.Skip(1))}";
    }

    static string Words(LinkSettings link) =>
        string.Join(", ", $"{link}".Split(", ").Select((word, i) => i == 0 ? $"{word} link" : word));

    static string LoadOf(Cell cell)
    {
        if (!cell.Counting.HasRoundTrips)
        {
            return $"{Text.Count(cell.Clients, "client")}, {cell.Work.SizeInWords(cell.Settings.PayloadBytes)}";
        }
        return cell.ClosedLoop ? Charts.Load(cell) : WorkLayout.Of(cell.Work).LoadOf(cell);
    }

    // Without an interval.
    static Figure? Alone(double? known) => known is { } value ? new(value, null, null, null, null) : null;
}
