/// <summary>All libraries in a closed loop under the same load, so that each figure may be held against each other.
/// </summary>
sealed class OneLoadTable(string settings, IEnumerable<VerdictRow> rows)
    : VerdictTable(settings, rows, row => row.Rate.Value)
{
    static readonly Headline.Question fastest = new("fastest was", "tie", "msgs/s", Near: 0.1);

    /// <inheritdoc/>
    public override string Title => Titled(Layout.LoadInWords(AnyCell));

    /// <summary>A cell of that load.</summary>
    public Cell AnyCell => Rows[0].AnyCell;

    /// <inheritdoc/>
    public override string HowToRead =>
        "x baseline: times the baseline's rate in the same rounds, with the interval of that ratio. "
        + Layout.BaselineInWords
        + Work.InWords(" msgs/s per server core: 1 s over the server's CPU time per message.");

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns =>
        [
            new("msgs/s", row => row.RateInWords),
            new("x baseline", row => Text.Number(row.Rate.ToBaseline)),
            new("interval", row => row.Interval),
            Of(Metrics.ToBaselineThatWaitsOtherwise),
            .. Layout.OtherRatios.Select(ratio => new Column(ratio.Title, row => ratio.Of(row.Figures!))),
            Of(Metrics.MessagesAPacket),
            Waits,
            Of(Layout.InVerdict),
            Of(Metrics.ServerCpu) with { Title = "server CPU µs/msg" },
            Of(Metrics.MessagesACore),
            Of(Metrics.ServerAllocated) with { Title = "server alloc B/msg" },
            Of(Metrics.WireBytes),
            Of(Metrics.ServerConnection) with { Title = "KiB/connection" },
            Of(Metrics.Lost),
        ];

    /// <inheritdoc/>
    public override IEnumerable<string> Headlines(IEnumerable<string> kinds) =>
        kinds
            .Select(kind => (kind, libraries: Libraries(kind)))
            .Where(mode => mode.libraries.Length > 0)
            .Select(mode => Headline.Of(
                mode.kind,
                fastest with { Unit = Work.InWords(fastest.Unit) },
                [.. mode.libraries.Select(row => Of(row, mode.libraries[0]))],
                Beside(mode.kind, row => row.RoughRate)));

    // By the rounds that both had, as rates of slices follow the machine.
    static Headline.Contender Of(VerdictRow row, VerdictRow first) =>
        new(
            row.Name,
            row.Best!.ToOther(first.Best!)?.Value ?? row.Rate.Value / first.Rate.Value ?? 0,
            row.RoughRate,
            row.Best.Launches.Length,
            row.MayEqual(first));
}
