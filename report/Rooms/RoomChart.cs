/// <summary>What charts of libraries in rooms show, as sorted bars.</summary>
static class RoomChart
{
    const double NsAUs = 1e3;

    /// <summary>The charts of loads at a rate.</summary>
    public static readonly LinkLayout.Bars[] AtRate =
    [
        Of("delay", "Delays (p99)", "p99 of the delays", RoomMetrics.DelayP99, NsAUs, TickFormat.Time),
        // A hundredth of a core is told from another on an axis of percents.
        Of("server-cores", "Server CPU in use", "% of a core", RoomMetrics.ServerCores, 100),
    ];

    /// <summary>Those of closed loops.</summary>
    public static readonly LinkLayout.Bars[] ClosedLoop =
    [
        Of(
            "deliveries",
            "Deliveries per second",
            "deliveries/s",
            RoomMetrics.Deliveries,
            format: TickFormat.ShortNumber,
            isGain: true),
        Of(
            "server-cpu-delivery",
            "The server's CPU time per delivery",
            "CPU µs per delivery",
            RoomMetrics.ServerCpuADelivery),
    ];

    /// <summary>What the title of a panel says of its load.</summary>
    public static string[] Conditions(Cell cell) =>
        [RoomLoad.InWords(cell), cell.Link == null ? "" : $"link of {cell.Link}"];

    // Scale: what a figure is multiplied by for the axis, whose times are in ns.
    static LinkLayout.Bars Of(
        string name,
        string says,
        string unit,
        Metric metric,
        double scale = 1,
        TickFormat format = TickFormat.Number,
        bool isGain = false)
    {
        var title = char.ToLowerInvariant(says[0]) + says[1..];
        return new(name, says, new(title, unit, figures => Scaled(metric.Of(figures), scale), format)
        {
            IsCost = !isGain,
        });
    }

    static Figure? Scaled(Figure? figure, double scale) =>
        figure == null
            ? null
            : figure with
            {
                Median = scale * figure.Median,
                Low = scale * figure.Low,
                High = scale * figure.High,
            };
}
