/// <summary>The table of the cells that were asked for a rate: what came of it, and how long round
/// trips took from the time at which each message was due.</summary>
static class AtRate
{
    static readonly Column[] columns =
    [
        new("msgs/s offered", figures => $"{figures.Cell.Rate:N0}"),
        new("msgs/s achieved", Achieved),
        Column.For(Metrics.P50),
        Column.For(Metrics.P99),
        Column.For(Metrics.P999),
        Column.For(Metrics.MergedSendLagP99),
        Column.For(Metrics.Lost),
        Metrics.LostBy,
        Column.For(Metrics.ServerCpu),
        Column.IntervalOf(Metrics.ServerCpu, "interval"),
        new("CPU x baseline", figures => Column.Struck(figures.Cell, Text.Number(CpuToBaseline(figures.Cell)))),
        Column.For(Metrics.MessagesACore),
        Column.For(Metrics.ServerAllocated),
        new("not sent", NotSent),
        new("waits", figures => figures.Cell.Waits),
        new("latency", figures => Latency(figures.Cell)),
    ];

    /// <summary>Writes it.</summary>
    public static void Write(Page page, CellFigures[] rows, long? repeats)
    {
        page.Line("\n#### At a given rate\n");
        var common = CommonNotes.Of(rows.Select(row => row.Cell), repeats, WorkLayout.Of(rows[0].Cell.Work).LoadOf);
        string[] head = ["library", "clients", "in flight", .. columns.Select(column => column.Title), "notes"];
        page.Table(
            [.. head.Select(rows[0].Cell.Work.InWords)],
            rows.Select(row => Row(row, repeats, common)),
            figures: true,
            "waits",
            "latency"
        );
        common.Write(page);
    }

    static string[] Row(CellFigures row, long? repeats, CommonNotes common) =>
        [
            .. Section.Names(row.Cell),
            .. columns.Select(column => column.Of(row)),
            Section.Notes(row.Cell, repeats, common),
        ];

    static string Achieved(CellFigures figures) =>
        figures.Cell.Measured ? Column.For(Metrics.Throughput).Of(figures) : "failed";

    static double? CpuToBaseline(Cell cell)
    {
        var baseline = cell.Baseline?.Median(launch => launch.ServerCpuUs);
        return Launch.Ratio(cell.Median(launch => launch.ServerCpuUs), baseline);
    }

    static string NotSent(CellFigures figures) =>
        figures.Cell.Measured ? $"{figures.Cell.Launches.Sum(launch => launch.NotSent):N0}" : Text.Missing;

    static string Latency(Cell cell)
    {
        if (!cell.Measured)
            return Text.Missing;
        return cell.IsDrawn ? "valid" : "invalid";
    }
}
