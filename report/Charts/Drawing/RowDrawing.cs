using ScottPlot;

/// <summary>Draws what stands in rows, a library each, from above.</summary>
static class RowDrawing
{
    /// <summary>Height of a row.</summary>
    public const int RowHeightPx = 18;

    const double BarHeight = 0.7; // of a row
    const double LabelRoom = 1.25; // of the longest bar, so that what is written at its end has room
    const float LabelPx = 5;

    /// <summary>How many rows a panel has, with its headings.</summary>
    public static int RowsOf(RangePanel panel) => panel.Groups.Sum(group => 1 + group.Rows.Length);

    /// <summary>Draws bars of parts into a plot.</summary>
    public static void Draw(Plot plot, StackedBarPanel panel)
    {
        var most = panel.Bars.Max(bar => bar.Figures.Sum());
        PlotStyle.SetAxis(plot.Axes.Bottom, panel.X, new(IsLog: false, 0, LabelRoom * most));
        SetRows(plot, panel.Bars.Select((bar, row) => new Tick(-row, bar.Name)), panel.Bars.Length);
        // What is written at the end of a bar would stand on its line.
        plot.Grid.YAxisStyle.IsVisible = false;
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
            PlotStyle.AddWords(plot, bar.Label, end, -row, Alignment.MiddleLeft, isCleared: true).OffsetX = LabelPx;
        }
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
        var line = plot.Add.ScatterLine(dots, PlotStyle.ColorOf(row.Color));
        line.LineWidth = PlotStyle.LinePx;
        line.LinePattern = row.IsDashed ? PlotStyle.Dashes : LinePattern.Solid;
        foreach (var ((mark, _), at) in known.Zip(dots))
        {
            plot.Add.Marker(at).MarkerStyle = PlotStyle.MarkerOf(mark.Shape, row.Color);
        }
    }

    static void SetRows(Plot plot, IEnumerable<Tick> names, int rows)
    {
        PlotStyle.SetAxis(plot.Axes.Left, new("", Ticks: [.. names]), new(IsLog: false, 0.5 - rows, 0.6));
        plot.Axes.Left.MajorTickStyle.Length = 0;
    }

    static ScottPlot.Bar PartOf(StackedBar bar, BarPart part, int row, double from, double figure)
    {
        var color = PlotStyle.ColorOf(bar.Color);
        return new()
        {
            Position = -row,
            ValueBase = from,
            Value = from + figure,
            Size = BarHeight,
            FillColor = PlotStyle.Tint(color, part.Opacity),
            LineColor = color,
            LineWidth = 1,
            LinePattern = bar.IsDashed ? PlotStyle.ShortDashes : LinePattern.Solid,
        };
    }

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
