/// <summary>A part of every bar. Opacity: of the bar's colour, so that parts are told apart by all readers.</summary>
sealed record BarPart(string Name, double Opacity);

/// <summary>A bar of a library: a figure for each part, and what is written at its end. Low, High: the interval of
/// their sum, if it has one. IsLowerBound: the truth may be higher.</summary>
sealed record StackedBar(string Name, Look Look, double[] Figures, string Label)
{
    public double? Low { get; init; }
    public double? High { get; init; }
    public bool IsLowerBound { get; init; }
}

/// <summary>Bars that lie, sorted, from above, each of parts that add up. Baseline: what all is held against, if there
/// is such.</summary>
sealed record StackedBarPanel(string Title, Axis X, BarPart[] Parts, StackedBar[] Bars, Level? Baseline = null)
    : Panel(Title, X)
{
    public override string Kind => Parts.Length > 1 ? "stacked bars" : "sorted bars";
}
