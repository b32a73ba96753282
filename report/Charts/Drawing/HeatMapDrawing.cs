using ScottPlot;

/// <summary>Draws fields that are the brighter the more they stand for.</summary>
static class HeatMapDrawing
{
    /// <summary>Draws them into a plot.</summary>
    public static void Draw(Plot plot, HeatMapPanel panel)
    {
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, OfPlaces(panel.X));
        PlotStyle.SetAxis(plot.Axes.Left, panel.Y, OfPlaces(panel.Y));
        plot.HideGrid();
        foreach (var field in panel.Fields)
        {
            var drawn = plot.Add.Rectangle(
                field.Column - 0.5,
                field.Column + 0.5,
                field.Row - 0.5,
                field.Row + 0.5
            );
            drawn.FillColor = PlotStyle.ColorOf(field.Color);
            drawn.LineWidth = 0;
            PlotStyle
                .AddWords(plot, field.Words, field.Column, field.Row, Alignment.MiddleCenter, isCleared: false)
                .LabelFontColor = PlotStyle.ColorOf(field.WordsColor);
        }
    }

    static AxisScale OfPlaces(Axis axis) => new(IsLog: false, -0.5, axis.Ticks!.Length - 0.5);
}
