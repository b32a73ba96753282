using ScottPlot;

/// <summary>Draws lines.</summary>
static class LineDrawing
{
    const float ThinPx = 1;
    const float RingPx = 17;
    const float WordsPx = 8; // from their point, to its left and above it
    const float LevelWordsPx = 4; // from the axis and from their line

    /// <summary>Draws them into a plot.</summary>
    public static void Draw(Plot plot, LinePanel panel)
    {
        var points = panel.Lines.SelectMany(line => line.Points).ToArray();
        var x = AxisScale.Between(panel.X, points.Select(point => point.X));
        var y = AxisScale.Upward(
            panel.Y,
            [
                .. points.SelectMany(point => new[] { point.Y, point.Low ?? point.Y, point.High ?? point.Y }),
                .. panel.Levels.Select(level => level.Y),
            ]
        );
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, x);
        PlotStyle.SetAxis(plot.Axes.Left, panel.Y, y);
        // In the order of their ends too, which is that of the legend.
        var levels = panel.Levels.OrderByDescending(level => level.Y).ToList();
        foreach (var line in panel.Lines)
        {
            foreach (var level in levels.Where(level => level.Y > line.Points[^1].Y).ToArray())
            {
                DrawLevel(plot, level, x, y);
                levels.Remove(level);
            }
            DrawLine(plot, line, x, y);
        }
        foreach (var level in levels)
        {
            DrawLevel(plot, level, x, y);
        }
        DrawRings(plot, panel, x, y);
        PlotStyle.ShowLegend(plot);
    }

    static void DrawLine(Plot plot, LibraryLine line, AxisScale x, AxisScale y)
    {
        Coordinates At(Point point) => new(x.At(point.X), y.At(point.Y));
        var scatter = plot.Add.Scatter(line.Points.Select(At).ToArray());
        scatter.LegendText = line.IsThin ? "" : line.Name;
        scatter.LineColor = PlotStyle.ColorOf(line.Look.Color);
        scatter.LineWidth = line.IsThin ? ThinPx : PlotStyle.LinePx;
        scatter.LinePattern = PlotStyle.PatternOf(line.Look.Pattern);
        scatter.MarkerStyle = line.IsSmooth ? MarkerStyle.None : PlotStyle.MarkerOf(line.Look.Shape, line.Look.Color);
        PlotStyle.AddErrorBars(
            plot,
            line.Points.Select(point => (x.At(point.X), y.At(point.Y), y.At(point.Low), y.At(point.High))),
            line.Look.Color
        );

        var hollow = line.Points.Where(point => point.IsLowerBound).Select(At).ToArray();
        if (hollow.Length > 0)
        {
            plot.Add.Markers(hollow).MarkerStyle = PlotStyle.MarkerOf(line.Look.Shape, line.Look.Color, isHollow: true);
        }
        foreach (var point in line.Points.Where(point => point.Words != null))
        {
            var at = At(point);
            var words = PlotStyle.AddWords(plot, point.Words!, at.X, at.Y, Alignment.LowerRight, isCleared: true);
            words.OffsetX = -WordsPx;
            words.OffsetY = -WordsPx;
            words.LabelFontColor = PlotStyle.ColorOf(line.Look.Color);
        }
    }

    static void DrawLevel(Plot plot, Level level, AxisScale x, AxisScale y)
    {
        var line = plot.Add.HorizontalLine(y.At(level.Y));
        line.LineColor = PlotStyle.ColorOf(level.Color);
        line.LineWidth = level.IsBaseline ? PlotStyle.LinePx : ThinPx;
        line.LinePattern = PlotStyle.Dashes;
        if (level.IsBaseline)
        {
            line.LegendText = level.Name;
        }
        else
        {
            var words = PlotStyle.AddWords(
                plot,
                level.Name,
                x.Min,
                y.At(level.Y),
                Alignment.LowerLeft,
                isCleared: true
            );
            words.OffsetX = LevelWordsPx;
            words.OffsetY = -LevelWordsPx;
        }
    }

    static void DrawRings(Plot plot, LinePanel panel, AxisScale x, AxisScale y)
    {
        foreach (var line in panel.Lines)
        {
            foreach (var point in line.Points.Where(point => point.IsRinged))
            {
                var ring = plot.Add.Marker(
                    x.At(point.X),
                    y.At(point.Y),
                    MarkerShape.OpenCircle,
                    RingPx,
                    PlotStyle.ColorOf(line.Look.Color)
                );
                ring.MarkerLineWidth = PlotStyle.LinePx;
            }
        }
        if (panel.Rings != null)
        {
            var entry = plot.Add.Markers(Array.Empty<Coordinates>(), MarkerShape.OpenCircle, RingPx);
            entry.MarkerLineColor = PlotStyle.ColorOf(Neutrals.Ink);
            entry.LegendText = panel.Rings;
        }
    }
}
