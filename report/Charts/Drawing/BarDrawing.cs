using ScottPlot;
using ScottPlot.Hatches;

/// <summary>Draws groups of bars.</summary>
static class BarDrawing
{
    const double Filled = 0.84; // of a group's room
    const double BarWidth = 0.88; // of a bar's room

    /// <summary>Draws them into a plot.</summary>
    public static void Draw(Plot plot, BarPanel panel)
    {
        var bars = panel.Series.SelectMany(series => series.Bars).ToArray();
        var x = new AxisScale(IsLog: false, -0.5, panel.X.Ticks!.Length - 0.5);
        var y = AxisScale.Upward(
            panel.Y,
            bars.Select(bar => Math.Max(bar.Height, bar.High ?? 0)).Append(panel.Baseline?.Y ?? 0)
        );
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, x);
        PlotStyle.SetAxis(plot.Axes.Left, panel.Y, y);
        plot.Grid.XAxisStyle.IsVisible = false;
        var room = Filled / panel.Series.Length;
        for (var i = 0; i < panel.Series.Length; i++)
        {
            var series = panel.Series[i];
            var fromMiddle = (i - (panel.Series.Length - 1) / 2.0) * room;
            plot.Add.Bars(series.Bars.Select(bar => BarOf(series, bar, fromMiddle, room)).ToArray());
            // On its own bar one of its colour would not be seen.
            PlotStyle.AddErrorBars(
                plot,
                series.Bars.Select(bar => (bar.Group + fromMiddle, bar.Height, bar.Low, bar.High)),
                Neutrals.Ink
            );
        }
        var entries = panel.Series.Select(EntryOf).ToList();
        if (panel.Baseline is { } baseline)
        {
            plot.Add.HorizontalLine(
                baseline.Y,
                PlotStyle.LinePx,
                PlotStyle.ColorOf(baseline.Color),
                PlotStyle.Dashes
            );
            entries.Add(
                new()
                {
                    LabelText = baseline.Name,
                    LineColor = PlotStyle.ColorOf(baseline.Color),
                    LineWidth = PlotStyle.LinePx,
                    LinePattern = PlotStyle.Dashes,
                }
            );
        }
        PlotStyle.ShowLegend(plot, entries);
    }

    static ScottPlot.Bar BarOf(BarSeries series, Bar bar, double fromMiddle, double room)
    {
        var color = PlotStyle.ColorOf(series.Look.Color);
        var isBaseline = series.Look.Pattern == Pattern.Dashed;
        var drawn = new ScottPlot.Bar
        {
            Position = bar.Group + fromMiddle,
            Value = bar.Height,
            Size = BarWidth * room,
            FillColor = FillOf(series),
            FillHatch = HatchOf(series),
            FillHatchColor = color,
            LineColor = color,
            LineWidth = bar.IsLowerBound || FillOf(series) != color ? 1 : 0,
            LinePattern = isBaseline ? PlotStyle.ShortDashes : LinePattern.Solid,
        };
        if (bar.IsLowerBound)
        {
            drawn.FillColor = Colors.White;
            drawn.FillHatch = null;
        }
        return drawn;
    }

    static LegendItem EntryOf(BarSeries series)
    {
        var color = PlotStyle.ColorOf(series.Look.Color);
        return new()
        {
            LabelText = series.Name,
            FillColor = FillOf(series),
            FillHatch = HatchOf(series),
            FillHatchColor = color,
            OutlineColor = color,
            OutlineWidth = FillOf(series) != color ? 1 : 0,
            OutlinePattern = series.Look.Pattern == Pattern.Dashed ? PlotStyle.ShortDashes : LinePattern.Solid,
        };
    }

    // What is not solid is paler, so that the dashes of its border or its hatches are seen.
    static Color FillOf(BarSeries series)
    {
        var color = PlotStyle.ColorOf(series.Look.Color);
        return series.Look.Pattern == Pattern.Solid ? color : PlotStyle.Tint(color, PlotStyle.PlainOpacity);
    }

    static Striped? HatchOf(BarSeries series) =>
        series.Look.Pattern switch
        {
            Pattern.Dotted => new Striped(StripeDirection.DiagonalUp),
            Pattern.DashDotted => new Striped(StripeDirection.DiagonalDown),
            _ => null,
        };
}
