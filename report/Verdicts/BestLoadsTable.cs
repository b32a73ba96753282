/// <summary>Each library under the load at which it carried most, where that is not the same for all.</summary>
sealed class BestLoadsTable(string settings, IEnumerable<VerdictRow> rows)
    : VerdictTable(settings, rows, row => row.Rate.Value)
{
    /// <inheritdoc/>
    public override string Title => Titled("each at its best load");

    /// <inheritdoc/>
    public override string HowToRead =>
        "load: clients x messages in flight per client. In brackets: times the baseline's figure under that load; "
        + "rows of different loads can be compared by that alone.";

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns =>
        [
            new("load", row => row.Load) { IsText = true },
            new("msgs/s", row => row.RateInWords),
            new("x baseline", row => Text.Number(row.Rate.ToBaseline)),
            new("interval", row => row.Interval),
            Beside(Layout.InVerdict),
            Beside(Metrics.ServerCpu) with { Title = "server CPU µs/msg" },
            Of(Metrics.WireBytes),
            Of(Metrics.ServerConnection) with { Title = "KiB/connection" },
            new(Metrics.Lost.Title, row => Metrics.Lost.Shown(row.Figures!)),
        ];

    /// <inheritdoc/>
    public override IEnumerable<string> Headlines(IEnumerable<string> kinds) => [];

    static Column Beside(Metric metric) =>
        new(metric.Title, row =>
        {
            var toBaseline = row.IsUsualBaseline ? null : row.Of(metric).ToBaseline;
            return metric.Shown(row.Figures!) + (toBaseline == null ? "" : $" ({Text.Number(toBaseline)}x)");
        });
}
