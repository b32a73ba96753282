/// <summary>A sweep as people with their own tools want it: one row per cell and metric, failed and invalid
/// cells too. docs/records.md says what the columns mean.</summary>
sealed class Tidy
{
    const int Digits = 9; // the last bits may differ between processors

    // The columns that are a setting of every cell.
    static readonly string[] ofCells =
    [
        "library",
        "profile",
        "delivery",
        "clients",
        "parallel",
        "payload_bytes",
        "rate",
    ];

    readonly Sweep sweep;
    readonly HashSet<string> varying;
    readonly string[] settings;

    public Tidy(Sweep sweep)
    {
        this.sweep = sweep;
        varying = Cell.Varying(sweep.Cells);
        settings =
        [
            .. Setting
                .OfLaunch.Select(setting => setting.Name)
                .Where(name => varying.Contains(name) && name is not ("payload_bytes" or "rate")),
        ];
    }

    /// <summary>Names of the columns; settings that no two cells differ in have none.</summary>
    public string[] Columns =>
        [
            .. ofCells,
            .. settings,
            "launches",
            "valid",
            "reason",
            "notes",
            "metric",
            "median",
            "low",
            "high",
            "interval",
            "cv",
        ];

    /// <summary>The rows: string, long, double, bool or null in each column.</summary>
    public IEnumerable<object?[]> Rows() =>
        CellFigures.Of(sweep, Comparison.Ordered(sweep.Cells, cell => cell, varying)).SelectMany(RowsOf);

    IEnumerable<object?[]> RowsOf(CellFigures figures)
    {
        var cell = figures.Cell;
        object?[] names = [.. ofCells.Concat(settings).Select(name => ValueOf(cell, name)), (long)cell.Launches.Length];
        var notes = Plain(cell.Notes(sweep.Repeats));
        string? unfit = cell.Measured ? Plain(cell.Invalid) : Plain(cell.Failures) ?? "not measured";
        string? unfitForLatency = unfit ?? Plain(cell.InvalidForLatency);
        foreach (var metric in Metrics.Exported.Where(metric => metric.IsOf(cell)))
        {
            var figure = metric.Of(figures);
            var reason = metric.IsLatency ? unfitForLatency : unfit;
            yield return
            [
                .. names,
                reason == null,
                reason,
                notes,
                metric.Name,
                Rounded(figure?.Median),
                Rounded(figure?.Low),
                Rounded(figure?.High),
                figure?.Kind,
                Rounded(figure?.Cv),
            ];
        }
    }

    static object? ValueOf(Cell cell, string name)
    {
        if (name == "library")
            return Text.Plain(cell.Library);
        var value = Setting.Named(name).ValueIn(cell.Settings);
        return value is string text ? Text.Plain(text) : value;
    }

    static string? Plain(IEnumerable<string> texts) =>
        string.Join("; ", texts.Distinct().Select(text => Text.Plain(text))) is { Length: > 0 } all ? all : null;

    static double? Rounded(double? figure) =>
        figure is { } number && double.IsFinite(number) ? double.Parse(number.ToString($"G{Digits}")) : null;
}
