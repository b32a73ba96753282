/// <summary>A figure of a cell, declared once: exports, the page, tables and `show` have it from here.</summary>
/// <param name="Name">As exports have it, with its unit.</param>
/// <param name="Title">The head of its column in tables, with the unit that it is shown in.</param>
/// <param name="Of">How it is computed.</param>
sealed record Metric(string Name, string Title, Func<CellFigures, Figure?> Of)
{
    /// <summary>By what it is divided to be shown.</summary>
    public double Unit { get; init; } = 1;

    /// <summary>Whether a cell that is invalid for latency says nothing of it.</summary>
    public bool IsLatency { get; init; }

    /// <summary>Whether a cell may have it.</summary>
    public Func<Cell, bool> IsOf { get; init; } = _ => true;

    /// <summary>The figure of a launch; null of what is not one of launches.</summary>
    public Func<TimedLaunch, double?>? OfLaunch { get; init; }

    /// <summary>The median over the launches of one of their figures.</summary>
    public static Metric OfLaunches(string name, string title, Func<Launch, double?> of, double unit = 1) =>
        OfTimed(name, title, timed => of(timed.Launch), unit);

    /// <summary>The same of a figure that needs their times.</summary>
    public static Metric OfTimed(string name, string title, Func<TimedLaunch, double?> of, double unit = 1) =>
        new(name, title, cell => Figure.Of(Statistic.Of(cell.Launches.Select(of)))) { OfLaunch = of, Unit = unit };

    /// <summary>What is known of all launches together, without an interval.</summary>
    public static Metric OfCell(string name, string title, Func<CellFigures, double?> of, double unit = 1) =>
        new(name, title, cell => Figure.Of(Statistic.Of([of(cell)]))) { Unit = unit };

    /// <summary>The figures of a cell's launches; null where one has none.</summary>
    public double?[] ValuesOf(Cell cell) => [.. cell.Launches.Select(launch => OfLaunch!(new TimedLaunch(launch)))];

    /// <summary>The figure itself; null where it is missing.</summary>
    public double? ValueOf(CellFigures cell) => Of(cell)?.Median;

    /// <summary>As tables show it.</summary>
    public string Shown(CellFigures cell) => Text.Number(ValueOf(cell) / Unit);
}
