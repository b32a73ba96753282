/// <summary>A figure of libraries in rooms as sorted bars, the best first: a panel for each of some loads.</summary>
static class RoomChart
{
    /// <summary>What is drawn. Format: of the axis, whose times are in ns; Scale: what a figure is multiplied by for
    /// it.</summary>
    public sealed record Measure(
        string Name,
        string Says,
        string Unit,
        Metric Metric,
        double Scale = 1,
        TickFormat Format = TickFormat.Number)
    {
        /// <summary>Whether the most is the best.</summary>
        public bool IsGain { get; init; }
    }

    const double NsAUs = 1e3;

    /// <summary>The charts of loads at a rate.</summary>
    public static readonly Measure[] AtRate =
    [
        new("delay", "Delays (p99)", "p99 of the delays", RoomMetrics.DelayP99, NsAUs, TickFormat.Time),
        // A hundredth of a core is told from another on an axis of percents.
        new("server-cores", "Server CPU in use", "% of a core", RoomMetrics.ServerCores, 100),
    ];

    /// <summary>Those of closed loops.</summary>
    public static readonly Measure[] ClosedLoop =
    [
        new("deliveries", "Deliveries per second", "deliveries/s", RoomMetrics.Deliveries, 1, TickFormat.ShortNumber)
        {
            IsGain = true,
        },
        new(
            "server-cpu-delivery",
            "The server's CPU time per delivery",
            "CPU µs per delivery",
            RoomMetrics.ServerCpuADelivery),
    ];

    /// <summary>Its panels; none where nothing is known. Loads: the rows of each.</summary>
    public static Panel[] Of(Measure measure, IEnumerable<CellFigures[]> loads, Looks looks)
    {
        CellFigures[][] known =
        [
            .. loads
                .Select(rows => rows.Where(row => measure.Metric.ValueOf(row) != null).ToArray())
                .Where(rows => rows.Length > 0),
        ];
        return [.. Charts.Evenly(known, Charts.MostPanels).Select(rows => PanelOf(measure, rows, looks))];
    }

    static StackedBarPanel PanelOf(Measure measure, CellFigures[] rows, Looks looks)
    {
        Cell first = rows[0].Cell;
        string link = first.Link == null ? "" : $"link of {first.Link}";
        var bars = rows.Select(row => BarOf(measure, row, looks)).OrderBy(bar => bar.Figures[0]);
        string shown = char.ToLowerInvariant(measure.Says[0]) + measure.Says[1..];
        return new(
            Charts.Title(first.Kind, shown, RoomLoad.InWords(first), link),
            new(measure.Unit, Format: measure.Format),
            [new(measure.Says, 1)],
            [.. measure.IsGain ? bars.Reverse() : bars]);
    }

    static StackedBar BarOf(Measure measure, CellFigures row, Looks looks)
    {
        Figure figure = measure.Metric.Of(row)!;
        double scaled = measure.Scale * figure.Median;
        string label = measure.Format == TickFormat.Time ? Text.Duration(scaled) : Text.Number(scaled);
        return new(Charts.Name(row.Cell.Name), looks.Of(row.Cell.Name), [scaled], label)
        {
            Low = measure.Scale * figure.Low,
            High = measure.Scale * figure.High,
        };
    }
}
