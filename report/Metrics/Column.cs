/// <summary>A column of a table: its head, and what stands there of a cell.</summary>
sealed record Column(string Title, Func<CellFigures, string> Of)
{
    /// <summary>That of a metric.</summary>
    public static Column For(Metric metric) => new(metric.Title, metric.Shown);

    /// <summary>That of a metric that is struck out where its cell is not to be trusted.</summary>
    public static Column OfDrawn(Metric metric) => OfDrawn(metric.Title, metric.Shown);

    /// <summary>The same of another figure.</summary>
    public static Column OfDrawn(string title, Func<CellFigures, string> shown) =>
        new(title, figures => Section.Struck(figures.Cell is { Measured: true, IsDrawn: false }, shown(figures)));

    /// <summary>That of a metric that is struck out where its cell is invalid, whatever its latency is.</summary>
    public static Column OfValid(Metric metric) =>
        new(metric.Title, figures => Section.Struck(figures.Cell.Invalid.Length > 0, metric.Shown(figures)));

    /// <summary>That of a cost, which messages that were sent late do not change: struck out where its cell did not
    /// carry its load.</summary>
    public static Column OfCarried(Metric metric) => new(metric.Title, figures =>
        Section.Struck(figures.Cell is { Measured: true, CarriedItsLoad: false }, metric.Shown(figures)));

    /// <summary>The bounds of a metric's figure, where there are several launches; in the metric's unit.</summary>
    public static Column IntervalOf(Metric metric, string title) =>
        new(title, figures => Ratios.Interval(metric.Of(figures), metric.Unit));

    /// <summary>Those of some columns of which something is known in a row.</summary>
    public static Column[] Known(IEnumerable<Column> columns, CellFigures[] rows) =>
        [.. columns.Where(column => rows.Any(row => row.Cell.Measured && column.Of(row) != Text.Missing))];

    /// <summary>That of a metric of either side; one n/a where neither is known.</summary>
    public static Column Both(string title, Metric client, Metric server) => new(title, cell =>
        client.ValueOf(cell) == null && server.ValueOf(cell) == null
            ? Text.Missing
            : $"{client.Shown(cell)} / {server.Shown(cell)}");

    /// <summary>That of a time that is made of two.</summary>
    public static Column Sum(string title, Metric all, Metric one, Metric other) => new(title, cell =>
        all.ValueOf(cell) == null ? Text.Missing : $"{all.Shown(cell)} ({one.Shown(cell)} + {other.Shown(cell)})");
}
