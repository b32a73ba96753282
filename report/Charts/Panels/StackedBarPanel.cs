/// <summary>A part of every bar. Opacity: of the bar's colour, so that parts are told apart by all readers.</summary>
sealed record BarPart(string Name, double Opacity);

/// <summary>A bar of a library: a figure for each part, and what is written at its end.</summary>
sealed record StackedBar(string Name, string Color, bool IsDashed, double[] Figures, string Label);

/// <summary>Bars that lie, from above, each of parts that add up.</summary>
sealed record StackedBarPanel(string Title, Axis X, BarPart[] Parts, StackedBar[] Bars) : Panel(Title, X)
{
    public override string Kind => "stacked bars";
}
