using ScottPlot;

/// <summary>Draws panels of every kind, and says what room they take.</summary>
static class PanelDrawing
{
    const int WidePx = 760; // of a panel that stands alone
    const int NarrowPx = 520;
    const int LeastPlotPx = 215; // beside names and legend
    const int UsualHeightPx = 340;
    const int AroundPlotPx = 90; // height of the title and of the axis below
    const int AxisPx = 80; // width of an axis of figures with its title

    /// <summary>The size of all panels of a chart, as their plots are to compare, and how many rows their titles
    /// have.</summary>
    public static (int WidthPx, int HeightPx, int TitleRows) SizeOf(Panel[] panels)
    {
        var isWide =
            panels.Length == 1
            || panels.Any(panel => panel is RangePanel || PlotPx(panel, NarrowPx) < LeastPlotPx);
        var widthPx = isWide ? WidePx : NarrowPx;
        var titleRows = panels.Max(panel => PlotStyle.TitleRows(panel.Title, widthPx).Length);
        return (widthPx, panels.Max(HeightOf) + (titleRows - 1) * PlotStyle.TitleRowPx, titleRows);
    }

    /// <summary>A panel as a plot of that width.</summary>
    public static Plot PlotOf(Panel panel, int widthPx, int titleRows)
    {
        var title = PlotStyle.TitleRows(panel.Title, widthPx);
        var plot = PlotStyle.Empty([.. title, .. Enumerable.Repeat(" ", titleRows - title.Length)]);
        switch (panel)
        {
            case LinePanel lines:
                LineDrawing.Draw(plot, lines);
                break;
            case BarPanel bars:
                BarDrawing.Draw(plot, bars);
                break;
            case StackedBarPanel stack:
                RowDrawing.Draw(plot, stack, Math.Max(LeastPlotPx, PlotPx(panel, widthPx)));
                break;
            case RangePanel ranges:
                RowDrawing.Draw(plot, ranges);
                break;
            default:
                throw new NotSupportedException(panel.Kind);
        }
        return plot;
    }

    static int HeightOf(Panel panel) =>
        panel switch
        {
            LinePanel lines => OfLegend(lines.Lines.Length + lines.Levels.Length + 1),
            BarPanel bars => OfLegend(bars.Series.Length + 1),
            StackedBarPanel stack => OfRows(RowDrawing.RowsOf(stack)),
            RangePanel ranges => OfRows(RowDrawing.RowsOf(ranges)),
            _ => throw new NotSupportedException(panel.Kind),
        };

    static int OfLegend(int entries) => Math.Max(UsualHeightPx, entries * PlotStyle.LegendRowPx + AroundPlotPx);

    static int OfRows(int rows) => rows * RowDrawing.RowHeightPx + AroundPlotPx;

    // What is left for the figures beside an axis and a legend.
    static int PlotPx(Panel panel, int widthPx)
    {
        var besidePx = panel switch
        {
            LinePanel lines => AxisPx + PlotStyle.LegendPx(LegendOf(lines)),
            BarPanel bars => AxisPx + PlotStyle.LegendPx(LegendOf(bars)),
            StackedBarPanel stack => PlotStyle.NamesPx(stack.Bars.Select(bar => bar.Name))
                + (stack.Parts.Length > 1 ? PlotStyle.LegendPx(stack.Parts.Select(part => part.Name)) : 0),
            _ => AxisPx,
        };
        return widthPx - besidePx - PlotStyle.RightPx;
    }

    static IEnumerable<string> LegendOf(LinePanel panel) =>
        [
            .. panel.Lines.Select(line => line.Name),
            .. panel.Levels.Where(level => level.IsBaseline).Select(level => level.Name),
            panel.Rings ?? "",
        ];

    static IEnumerable<string> LegendOf(BarPanel panel) =>
        panel.Series.Select(series => series.Name).Append(panel.Baseline?.Name ?? "");
}
