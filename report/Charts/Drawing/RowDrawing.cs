using ScottPlot;

/// <summary>Draws what stands in rows, a library each, from above.</summary>
static class RowDrawing
{
    /// <summary>Height of a row.</summary>
    public const int RowHeightPx = 18;

    const double BarHeight = 0.7; // of a row
    const int LabelPx = 5;
    const double LeastBar = 0.3; // of the plot, however much is written at its end
    const float ThinPx = 1;

    /// <summary>How many rows a panel has, with its headings.</summary>
    public static int RowsOf(RangePanel panel) => panel.Groups.Sum(group => 1 + group.Rows.Length);

    /// <summary>How many rows a panel has, with those that its legend needs.</summary>
    public static int RowsOf(StackedBarPanel panel) =>
        Math.Max(panel.Bars.Length, panel.Parts.Length == 1 ? 1 : panel.Parts.Length + 1);

    /// <summary>Draws bars of parts into a plot that is about so wide.</summary>
    public static void Draw(Plot plot, StackedBarPanel panel, int plotPx)
    {
        // All that is written at the ends of bars has room.
        var most = panel.Bars.Max(bar =>
            EndOf(bar) / Math.Max(LeastBar, 1 - (double)(PlotStyle.NamesPx([bar.Label]) + LabelPx) / plotPx)
        );
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, new(IsLog: false, 0, most));
        SetRows(plot, panel.Bars.Select((bar, row) => new Tick(-row, bar.Name)), RowsOf(panel));
        // What is written at the end of a bar would stand on its line.
        plot.Grid.YAxisStyle.IsVisible = false;
        if (panel.Baseline is { } baseline)
        {
            plot.Add.VerticalLine(baseline.Y, ThinPx, PlotStyle.ColorOf(baseline.Color), PlotStyle.Dashes);
        }
        for (var row = 0; row < panel.Bars.Length; row++)
        {
            var bar = panel.Bars[row];
            var end = 0.0;
            foreach (var (part, figure) in panel.Parts.Zip(bar.Figures).Where(part => part.Second > 0))
            {
                var drawn = plot.Add.Bar(PartOf(bar, part, row, end, figure));
                drawn.Horizontal = true;
                end += figure;
            }
            PlotStyle
                .AddWords(plot, bar.Label, EndOf(bar), -row, Alignment.MiddleLeft, isCleared: true)
                .OffsetX = LabelPx;
        }
        PlotStyle.AddErrorBars(
            plot,
            panel.Bars.Select((bar, row) => ((double)-row, bar.Figures.Sum(), bar.Low, bar.High)),
            Neutrals.Ink,
            areLying: true
        );
        if (panel.Parts.Length > 1)
        {
            PlotStyle.ShowLegend(plot, panel.Parts.Select(EntryOf));
        }
    }

    /// <summary>Draws rows of dots into a plot.</summary>
    public static void Draw(Plot plot, RangePanel panel)
    {
        var figures = panel.Groups.SelectMany(group => group.Rows).SelectMany(row => row.Figures).OfType<double>();
        var x = AxisScale.Between(panel.X, figures);
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, x);
        var row = 0;
        List<Tick> names = [];
        foreach (var group in panel.Groups)
        {
            plot.Add.HorizontalLine(0.5 - row, 1, PlotStyle.ColorOf(Neutrals.Faint));
            var heading = PlotStyle.AddWords(plot, group.Title, x.Min, -row, Alignment.MiddleLeft, isCleared: true);
            heading.LabelBold = true;
            heading.OffsetX = LabelPx;
            row++;
            foreach (var ofLibrary in group.Rows)
            {
                DrawDots(plot, panel, ofLibrary, -row, x);
                names.Add(new(-row, ofLibrary.Name));
                row++;
            }
        }
        SetRows(plot, names, row);
        PlotStyle.ShowLegend(plot, panel.Marks.Select(EntryOf));
    }

    static void DrawDots(Plot plot, RangePanel panel, RangeRow row, double y, AxisScale x)
    {
        var known = panel.Marks.Zip(row.Figures).Where(dot => dot.Second != null).ToArray();
        var dots = known.Select(dot => new Coordinates(x.At(dot.Second!.Value), y)).ToArray();
        var line = plot.Add.ScatterLine(dots, PlotStyle.ColorOf(row.Look.Color));
        line.LineWidth = PlotStyle.LinePx;
        line.LinePattern = PlotStyle.PatternOf(row.Look.Pattern);
        foreach (var ((mark, _), at) in known.Zip(dots))
        {
            plot.Add.Marker(at).MarkerStyle = PlotStyle.MarkerOf(mark.Shape, row.Look.Color);
        }
    }

    static void SetRows(Plot plot, IEnumerable<Tick> names, int rows)
    {
        PlotStyle.SetAxis(plot.Axes.Left, new("", Ticks: [.. names]), new(IsLog: false, 0.5 - rows, 0.6));
        plot.Axes.Left.MajorTickStyle.Length = 0;
    }

    static ScottPlot.Bar PartOf(StackedBar bar, BarPart part, int row, double from, double figure)
    {
        var color = PlotStyle.ColorOf(bar.Look.Color);
        return new()
        {
            Position = -row,
            ValueBase = from,
            Value = from + figure,
            Size = BarHeight,
            FillColor = bar.IsLowerBound ? Colors.White : PlotStyle.Tint(color, Opacity(bar, part)),
            LineColor = color,
            LineWidth = 1,
            LinePattern = bar.Look.Pattern == Pattern.Dashed ? PlotStyle.ShortDashes : LinePattern.Solid,
        };
    }

    // Of a baseline the dashes of the border are to be seen.
    static double Opacity(StackedBar bar, BarPart part) =>
        bar.Look.Pattern == Pattern.Dashed ? Math.Min(part.Opacity, PlotStyle.PlainOpacity) : part.Opacity;

    static double EndOf(StackedBar bar) => Math.Max(bar.Figures.Sum(), bar.High ?? 0);

    static LegendItem EntryOf(BarPart part)
    {
        var color = PlotStyle.ColorOf(Neutrals.Plain);
        return new()
        {
            LabelText = part.Name,
            FillColor = PlotStyle.Tint(color, part.Opacity),
            OutlineColor = color,
            OutlineWidth = 1,
        };
    }

    static LegendItem EntryOf(Mark mark) =>
        new() { LabelText = mark.Name, MarkerStyle = PlotStyle.MarkerOf(mark.Shape, Neutrals.Plain) };
}
