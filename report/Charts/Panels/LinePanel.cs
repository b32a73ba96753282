/// <summary>Shapes of a dot; the first four tell libraries apart where colours repeat.</summary>
enum Shape
{
    Circle,
    Square,
    Triangle,
    Diamond,
    Ring,
    Bar,
}

/// <summary>A point of a line. Low, High: its interval, if it has one. IsLowerBound: the truth may be higher. IsRinged:
/// one that the panel points out. Words: stand beside it.</summary>
sealed record Point(double X, double Y, double? Low = null, double? High = null)
{
    public bool IsLowerBound { get; init; }
    public bool IsRinged { get; init; }
    public string? Words { get; init; }
}

/// <summary>A line, of a library as a rule. IsSmooth: so many points that none has a dot. IsThin: of less weight than
/// another of that name, and not in the legend.</summary>
sealed record LibraryLine(string Name, Look Look, Point[] Points)
{
    public bool IsSmooth { get; init; }
    public bool IsThin { get; init; }

    /// <summary>A library's, in the look that it has in every chart.</summary>
    public static LibraryLine Of(string name, Looks looks, Point[] points) =>
        new(Charts.Name(name), looks.Of(name), points);
}

/// <summary>A height that runs through all of a panel, dashed. IsBaseline: what all is held against, and not just a
/// mark.</summary>
sealed record Level(double Y, string Name, string Color, bool IsBaseline)
{
    /// <summary>What stands at 1 where figures are times the baseline's; null: they are not.</summary>
    public static Level? OfOne(string? baseline, Looks looks) =>
        baseline == null ? null : new(1, Charts.Name(baseline), looks.ColorOf(baseline), IsBaseline: true);
}

/// <summary>Lines, the highest at its end first, and levels. Rings: what a ringed point is.</summary>
sealed record LinePanel(string Title, Axis X, Axis Y, LibraryLine[] Lines, Level[] Levels, string? Rings = null)
    : Panel(Title, X)
{
    public override string Kind => "lines";

    /// <summary>Lines in the order of their ends, as a reader looks for their names.</summary>
    public static LibraryLine[] Ordered(IEnumerable<LibraryLine> lines) =>
        [.. lines.OrderByDescending(line => line.Points[^1].Y).ThenBy(line => line.Name, StringComparer.Ordinal)];
}
