/// <summary>A field at a column and a row, counted from 0. Color: that of its figure; WordsColor: what is seen on
/// it.</summary>
sealed record HeatField(int Column, int Row, double Figure, string Words, string Color, string WordsColor);

/// <summary>Fields between columns and rows, which are the ticks of the axes.</summary>
sealed record HeatMapPanel(string Title, Axis X, Axis Y, HeatField[] Fields) : Panel(Title, X)
{
    public override string Kind => "heat map";
}
