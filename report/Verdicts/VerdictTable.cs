/// <summary>The verdicts of a sweep over the cells that share all settings but delivery, clients, messages
/// in flight, profile and rate. Settings: these in words. Rows: by delivery mode, the fastest first, those
/// without a valid figure last.</summary>
sealed record VerdictTable(string Settings, VerdictRow[] Rows)
{
    /// <summary>A column: its title, and what stands there of a row that has figures; not escaped.</summary>
    public sealed record Column(string Title, Func<VerdictRow, string> Of);

    /// <summary>The columns of figures, those that a reader needs most first. With relatives each says
    /// besides how many times the baseline's it is.</summary>
    public Column[] Columns(bool relatives) =>
        [
            new(InWords("msgs/s"), row => row.RateInWords),
            new("x baseline", row => Text.Number(row.Rate.ToBaseline)),
            new("interval", row => row.Interval),
            .. layout.OtherRatios.Select(ratio => new Column(ratio.Title, row => ratio.Of(row.Figures!))),
            new("load", row => row.Load),
            new(
                layout.InVerdict.Title,
                row => Shown(row.Characteristic, layout.InVerdict, relatives && layout.VerdictIsRelative)),
            new(InWords(Metrics.BothCpu.Title), row => Shown(row.CpuUs, Metrics.BothCpu, relatives)),
            new(Metrics.Lost.Title, row => Text.Number(row.Best!.LostPercent())),
            new(InWords(Metrics.WireBytes.Title), row => Shown(row.WireBytes, Metrics.WireBytes, relatives)),
            new("KiB/connection", row => Shown(row.ConnectionBytes, Metrics.ServerConnection, relatives)),
        ];

    /// <summary>What the columns up to the losses mean, for who reads them alone.</summary>
    public const string HowToRead =
        "Each row is the valid cell in which the library carried most; load: clients x messages in flight. "
        + "As x baseline and in brackets: times the baseline's figure under that load "
        + "(interleaved: of the same rounds), which is what rows of other loads can be compared by. "
        + "interval: of x baseline, 95 %; of a row measured separately of its msgs/s. CPU is of both sides.";

    /// <summary>What the other columns mean.</summary>
    public const string HowToReadOn = "Wire bytes are of both directions, memory of the server.";

    /// <summary>The delivery modes of the rows, in the order of the contract.</summary>
    public IEnumerable<string> Kinds => Rows.Select(row => row.Kind).Distinct();

    /// <summary>The libraries but for baselines that are ahead in a delivery mode, the fastest first: it
    /// and those that may equal it. Empty where none has a figure.</summary>
    public VerdictRow[] Ahead(string kind)
    {
        var rows = Rows.Where(row => row.Kind == kind && row.Best != null && !row.IsBaseline).ToArray();
        return [.. rows.Where(row => row == rows[0] || row.MayEqual(rows[0]))];
    }

    /// <summary>The same in words; not escaped.</summary>
    public IEnumerable<string> Headlines() =>
        Kinds
            .Select(kind => (kind, Ahead: Ahead(kind)))
            .Where(mode => mode.Ahead.Length > 0)
            .Select(mode =>
                $"{mode.kind}: {mode.Ahead[0].Name} {mode.Ahead[0].RateInWords} {InWords("msgs/s")}"
                + (
                    mode.Ahead.Length == 1
                        ? ""
                        : $", not ranked against {string.Join(", ", mode.Ahead.Skip(1).Select(row => row.Name))}"
                )
            );

    /// <summary>Writes the table in markdown; most: so many of the columns of figures, from the first.</summary>
    public void Write(Page page, int most = int.MaxValue)
    {
        var columns = Columns(relatives: true).Take(most).ToArray();
        page.Table(
            ["library", layout.RowsOfVerdict, .. columns.Select(column => column.Title), "notes"],
            Rows.Select(row =>
                (string[])
                    [
                        Text.Markdown(row.Title),
                        row.Kind,
                        .. columns.Select(column => row.Best == null ? Text.Missing : Text.Markdown(column.Of(row))),
                        string.Join("; ", row.Notes().Select(Text.Markdown)),
                    ]
            ),
            figures: true,
            "delivery",
            "work",
            "load"
        );
    }

    // All rows of a table are of works that are shown alike.
    readonly WorkLayout layout = WorkLayout.Of(Rows[0].Work);

    string InWords(string words) => Rows[0].Work.InWords(words);

    static string Shown(Relative figure, Metric metric, bool relatives) =>
        Text.Number(figure.Value / metric.Unit)
        + (relatives && figure.ToBaseline != null ? $" ({Text.Number(figure.ToBaseline)}x)" : "");
}
