/// <summary>A bar of a group. Low, High: its interval, if it has one. IsLowerBound: the truth may be higher.</summary>
sealed record Bar(int Group, double Height, double? Low, double? High, bool IsLowerBound);

/// <summary>The bars of a library, at most one a group.</summary>
sealed record BarSeries(string Name, Look Look, Bar[] Bars);

/// <summary>Groups of bars, whose ticks are 0, 1 and so on. Baseline: what all is held against, if there is
/// such.</summary>
sealed record BarPanel(string Title, Axis X, Axis Y, BarSeries[] Series, Level? Baseline) : Panel(Title, X)
{
    public override string Kind => "bars";
}
