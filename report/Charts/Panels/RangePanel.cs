/// <summary>What a dot of each row stands for, and its shape.</summary>
sealed record Mark(string Name, Shape Shape);

/// <summary>The row of a library: a figure for each mark; null where it is not known.</summary>
sealed record RangeRow(string Name, Look Look, double?[] Figures);

/// <summary>Rows that stand below one heading.</summary>
sealed record RangeGroup(string Title, RangeRow[] Rows);

/// <summary>Rows of dots that a line joins, from above.</summary>
sealed record RangePanel(string Title, Axis X, Mark[] Marks, RangeGroup[] Groups) : Panel(Title, X)
{
    public override string Kind => "ranges";
}
