/// <summary>What it costs each library to carry the same rate, which is the same work for all, so that what the clients
/// take of a shared machine changes nothing in the server's cost.</summary>
sealed class OneRateTable(string settings, IEnumerable<VerdictRow> rows)
    : VerdictTable(settings, rows, row => -Metrics.ServerCpu.ValueOf(row.Figures!))
{
    static readonly Headline.Question cheapest =
        new("the least server CPU was used by", "tie for the least server CPU", "µs/msg", Near: 0.1);

    /// <inheritdoc/>
    public override string Title => Titled($"the server's cost at {Layout.LoadInWords(AnyCell)}");

    /// <inheritdoc/>
    public override string HowToRead =>
        "At a fixed rate all do the same work, so that the server's cost is its own even where clients share the CPUs. "
        + Work.InWords("In that table interval and x baseline are of its CPU time per message.");

    /// <summary>A cell of that rate.</summary>
    public Cell AnyCell => Rows[0].AnyCell;

    /// <inheritdoc/>
    protected override IEnumerable<Column> AllColumns =>
        [
            Of(Metrics.ServerCpu) with { Title = "server CPU µs/msg" },
            new("interval", row => Ratios.Interval(Metrics.ServerCpu.Of(row.Figures!))),
            new("x baseline", row => Text.Number(row.Of(Metrics.ServerCpu).ToBaseline)),
            Of(Metrics.MessagesACore),
            Of(Metrics.ServerAllocated) with { Title = "server alloc B/msg" },
            new(Metrics.P50.Title, row => row.Latency(Metrics.P50)),
            new(Metrics.P99.Title, row => row.Latency(Metrics.P99)),
            Of(Metrics.MessagesAPacket),
            Waits,
            Of(Metrics.Lost),
        ];

    /// <inheritdoc/>
    public override IEnumerable<string> Headlines(IEnumerable<string> kinds) =>
        kinds
            .Select(kind => (kind, libraries: Libraries(kind)))
            .Where(mode => mode.libraries.Length > 0 && Cost(mode.libraries[0]) != null)
            .Select(mode => Headline.Of(
                mode.kind,
                cheapest with { Unit = Work.InWords(cheapest.Unit) },
                [.. mode.libraries.Where(row => Cost(row) != null).Select(row => Of(row, mode.libraries[0]))],
                Beside(mode.kind, row => $"{Text.Number(Cost(row))} µs")));

    static double? Cost(VerdictRow row) => Metrics.ServerCpu.ValueOf(row.Figures!);

    static Headline.Contender Of(VerdictRow row, VerdictRow first) =>
        new(
            row.Name,
            Cost(row) / Cost(first) ?? 0,
            Text.Number(Cost(row)),
            row.Best!.Launches.Length,
            !Ratios.AreTold(Metrics.ServerCpu.Of(row.Figures!), Metrics.ServerCpu.Of(first.Figures!)));
}
