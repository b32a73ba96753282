/// <summary>A column of a table: its head, and what stands there of a cell.</summary>
sealed record Column(string Title, Func<CellFigures, string> Of)
{
    /// <summary>That of a metric, struck out where its cell says nothing of it. That is decided here for all tables:
    /// a latency needs a cell that is drawn, all else one that carried its load.</summary>
    public static Column For(Metric metric) => new(
        metric.Title,
        figures => Struck(figures.Cell, metric.Shown(figures), metric.IsLatency));

    /// <summary>That of what the server costs: a dash where it polls, as it then takes a core however little it does.
    /// </summary>
    public static Column CostOf(Metric metric) => For(metric) with
    {
        Of = figures => figures.Cell.ServerPolls ? "–" : For(metric).Of(figures),
    };

    /// <summary>A figure of a cell, struck out by the same rule; n/a stays.</summary>
    public static string Struck(Cell cell, string figure, bool isLatency = false)
    {
        bool isSound = !cell.Measured || (isLatency ? cell.IsDrawn : cell.CarriedItsLoad);
        return isSound || figure == Text.Missing ? figure : $"~~{figure}~~";
    }

    /// <summary>The bounds of a metric's figure, where there are several launches; in the metric's unit.</summary>
    public static Column IntervalOf(Metric metric, string title) =>
        new(title, figures =>
            Struck(figures.Cell, Ratios.Interval(metric.Of(figures), metric.Unit), metric.IsLatency));

    /// <summary>Those of some columns of which something is known in a row.</summary>
    public static Column[] Known(IEnumerable<Column> columns, CellFigures[] rows) =>
        [.. columns.Where(column => rows.Any(row => row.Cell.Measured && column.Of(row) != Text.Missing))];

    /// <summary>That of two metrics, of either side or of either cause; one n/a where neither is known.</summary>
    public static Column Both(string title, Metric first, Metric second) => new(title, cell =>
        first.ValueOf(cell) == null && second.ValueOf(cell) == null
            ? Text.Missing
            : $"{first.Shown(cell)} / {second.Shown(cell)}");

    /// <summary>That of a time that is made of two.</summary>
    public static Column Sum(string title, Metric all, Metric one, Metric other) => new(title, cell =>
        all.ValueOf(cell) == null ? Text.Missing : $"{all.Shown(cell)} ({one.Shown(cell)} + {other.Shown(cell)})");
}
