/// <summary>What a message costs as stacked bars, a row per library, the least first: CPU time of the clients and of
/// the server, in user and in kernel mode, or bytes on the wire. A panel for each of some loads.</summary>
static class BarsChart
{
    // Parts are of the library's own colour, so that they are told apart by all. All: what they add up to.
    sealed record Cost(
        string Title,
        string Unit,
        Func<Launch, double?> All,
        params (BarPart Part, Func<Launch, double?> Of)[] Parts)
    {
        // 0 where it is not known. Medians of parts do not add up to that of the whole, which tables have.
        public double[] Of(Cell cell)
        {
            double[] parts = [.. Parts.Select(part => cell.Median(part.Of) ?? 0)];
            return cell.Median(All) is { } all && parts.Sum() > 0
                ? [.. parts.Select(part => part * all / parts.Sum())]
                : parts;
        }
    }

    static readonly Cost cpu = new(
        "CPU time per message",
        "CPU µs per message",
        launch => launch.BothCpuUs,
        (new("clients, user", 1), launch => launch.ClientUserUs),
        (new("clients, system", 0.65), launch => launch.ClientSystemUs),
        (new("server, user", 0.35), launch => launch.ServerUserUs),
        (new("server, system", 0.1), launch => launch.ServerSystemUs)
    );

    static readonly Cost serverCpu = new(
        "the server's CPU time per message",
        "CPU µs per message",
        launch => launch.ServerCpuUs,
        (new("user", 1), launch => launch.ServerUserUs),
        (new("system", 0.35), launch => launch.ServerSystemUs)
    );

    static readonly Cost wire = new(
        "bytes on the wire per message",
        "bytes per message, both directions together",
        launch => launch.WireBytes,
        (new("both directions", 1), launch => launch.WireBytes)
    );

    /// <summary>The panels of CPU time; none where none is known.</summary>
    public static Panel[] Cpu(Subject subject) => Of(subject, cpu);

    /// <summary>Those of the server's alone.</summary>
    public static Panel[] ServerCpu(Subject subject) => Of(subject, serverCpu);

    /// <summary>Those of bytes on the wire, headers included; none where none are known.</summary>
    public static Panel[] Wire(Subject subject) => Of(subject, wire);

    static Panel[] Of(Subject subject, Cost cost) =>
        Charts.Panels(
            subject.Cells.Where(cell => cost.Of(cell).Sum() > 0).GroupBy(cell => cell.Load),
            group => PanelOf(subject, cost, [.. group]));

    static StackedBarPanel PanelOf(Subject subject, Cost cost, Cell[] cells)
    {
        return new(
            subject.Title(cost.Title, Charts.Load(cells[0])),
            new(subject.InWords(cost.Unit)),
            [.. cost.Parts.Select(part => part.Part)],
            [.. cells.Select(cell => BarOf(subject, cost, cell)).OrderBy(bar => bar.Figures.Sum())]
        );
    }

    static StackedBar BarOf(Subject subject, Cost cost, Cell cell)
    {
        var figures = cost.Of(cell);
        var lacksServer = cost == cpu && cell.Median(launch => launch.ServerCpuUs) == null;
        return new(
            Charts.Name(cell.Name),
            subject.Looks.Of(cell.Name),
            figures,
            Text.Number(figures.Sum()) + (lacksServer ? " + n/a" : "")
        );
    }
}
