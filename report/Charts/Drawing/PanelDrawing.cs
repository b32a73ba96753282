using ScottPlot;

/// <summary>Draws panels of every kind, and says what room they take.</summary>
static class PanelDrawing
{
    const int WidePx = 760; // of a panel that stands alone
    const int NarrowPx = 520;
    const int UsualHeightPx = 340;
    const int AroundPlotPx = 90; // height of the title and of the axis below
    const int FieldWidthPx = 46;
    const int FieldHeightPx = 36;
    const int NarrowestMapPx = 340;

    /// <summary>The size of a panel; isAlone: no other stands beside it.</summary>
    public static (int WidthPx, int HeightPx) SizeOf(Panel panel, bool isAlone)
    {
        var widthPx = isAlone ? WidePx : NarrowPx;
        switch (panel)
        {
            case LinePanel lines:
                return (widthPx, OfLegend(lines.Lines.Length + lines.Levels.Length + 1));
            case BarPanel bars:
                return (widthPx, OfLegend(bars.Series.Length + 1));
            case StackedBarPanel stack:
                var rows = Math.Max(stack.Bars.Length, stack.Parts.Length + 1);
                return (widthPx, rows * RowDrawing.RowHeightPx + AroundPlotPx);
            case RangePanel ranges:
                return (WidePx, RowDrawing.RowsOf(ranges) * RowDrawing.RowHeightPx + AroundPlotPx);
            case HeatMapPanel map:
                var fieldsPx = FieldWidthPx * map.X.Ticks!.Length + AroundPlotPx;
                var titlePx = Math.Min(NarrowPx, PlotStyle.TitleWidthPx(map.Title));
                return (
                    Math.Max(NarrowestMapPx, Math.Max(fieldsPx, titlePx)),
                    FieldHeightPx * Math.Max(2, map.Y.Ticks!.Length) + AroundPlotPx
                );
            default:
                throw new NotSupportedException(panel.Kind);
        }
    }

    /// <summary>A panel as a plot of that width.</summary>
    public static Plot PlotOf(Panel panel, int widthPx)
    {
        var plot = PlotStyle.Empty(panel.Title, widthPx);
        switch (panel)
        {
            case LinePanel lines:
                LineDrawing.Draw(plot, lines);
                break;
            case BarPanel bars:
                BarDrawing.Draw(plot, bars);
                break;
            case StackedBarPanel stack:
                RowDrawing.Draw(plot, stack);
                break;
            case RangePanel ranges:
                RowDrawing.Draw(plot, ranges);
                break;
            case HeatMapPanel map:
                HeatMapDrawing.Draw(plot, map);
                break;
            default:
                throw new NotSupportedException(panel.Kind);
        }
        return plot;
    }

    static int OfLegend(int entries) => Math.Max(UsualHeightPx, entries * PlotStyle.LegendRowPx + AroundPlotPx);
}
