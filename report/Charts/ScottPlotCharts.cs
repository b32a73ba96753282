using ScottPlot;
using SkiaSharp;

/// <summary>Draws panels as one PNG file with ScottPlot; not compiled without the package.</summary>
static class ScottPlotCharts
{
    // All sizes are enlarged by hand for dense screens: ScaleFactor adds up from plot to plot of a
    // Multiplot, which leaves all but the first blank. Twice the size makes files of twice the size.
    const float Dense = 1.5f;

    const float Font = 12 * Dense;

    // Skia's own choice can be a font whose odd metrics move every label off its place.
    static readonly string[] wantedFonts =
    [
        "DejaVu Sans",
        "Liberation Sans",
        "Noto Sans",
        "Open Sans",
        "Segoe UI",
        "Helvetica",
        "Arial",
    ];

    static readonly Dictionary<Shape, MarkerShape> markers = new()
    {
        [Shape.Circle] = MarkerShape.FilledCircle,
        [Shape.Square] = MarkerShape.FilledSquare,
        [Shape.Triangle] = MarkerShape.FilledTriangleUp,
        [Shape.Diamond] = MarkerShape.FilledDiamond,
        [Shape.Ring] = MarkerShape.OpenCircle,
        [Shape.Bar] = MarkerShape.VerticalBar,
    };

    static readonly Dictionary<Shape, MarkerShape> hollowMarkers = new()
    {
        [Shape.Circle] = MarkerShape.OpenCircle,
        [Shape.Square] = MarkerShape.OpenSquare,
        [Shape.Triangle] = MarkerShape.OpenTriangleUp,
        [Shape.Diamond] = MarkerShape.OpenDiamond,
        [Shape.Ring] = MarkerShape.OpenCircle,
        [Shape.Bar] = MarkerShape.VerticalBar,
    };

    // Set once, as charts are drawn by several threads.
    static ScottPlotCharts() =>
        Fonts.Default = wantedFonts.FirstOrDefault(SKFontManager.Default.FontFamilies.Contains, Fonts.Default);

    /// <summary>False where the system has no font: every label would be blank.</summary>
    public static bool HasFonts => SKTypeface.Default.GlyphCount > 0;

    /// <summary>Writes the file.</summary>
    public static void Write(string path, Panel[] panels)
    {
        var columns = Panel.Columns(panels);
        var rows = (panels.Length + columns - 1) / columns;
        var chart = new Multiplot(Draw(panels[0]));
        foreach (var panel in panels.Skip(1))
            chart.AddPlot(Draw(panel));
        chart.Layout = new ScottPlot.MultiplotLayouts.Grid(rows, columns);
        var width = (int)(panels[0].Width * columns * Dense);
        var height = (int)(panels[0].Height * rows * Dense);
        using var surface = SKSurface.Create(new SKImageInfo(width, height));
        chart.Render(surface.Canvas, new PixelRect(0, width, height, 0));
        // Render has cleared what no panel covers.
        surface.Canvas.DrawColor(SKColors.White, SKBlendMode.DstOver);
        // SavePng keeps an alpha channel that nothing uses, and filters that make flat colours larger.
        using var pixels = surface.PeekPixels().WithAlphaType(SKAlphaType.Opaque);
        using var png =
            pixels.Encode(new SKPngEncoderOptions(SKPngEncoderFilterFlags.None, 9))
            ?? throw new IOException($"{path} could not be written as a PNG.");
        using var file = File.Create(path);
        png.SaveTo(file);
    }

    static Plot Draw(Panel panel)
    {
        var plot = new Plot();
        plot.FigureBackground.Color = Colors.White;
        plot.Layout.Fixed(
            new PixelPadding(panel.Left * Dense, Panel.Right * Dense, Panel.Bottom * Dense, Panel.Top * Dense)
        );
        plot.Axes.SetLimits(0, 1, 0, 1);
        DrawAxis(plot.Axes.Bottom, panel.XTicks, panel.XTitle);
        DrawAxis(plot.Axes.Left, panel.YTicks, panel.YTitle);
        plot.Axes.Left.TickLabelStyle.OffsetY = 2 * Dense;
        plot.Axes.Right.IsVisible = false;
        plot.Axes.Top.IsVisible = false;
        plot.Grid.MajorLineColor = Color.FromHex(Neutrals.Grid);
        plot.Grid.MinorLineColor = Color.FromHex(Neutrals.FaintGrid);
        plot.Grid.MajorLineWidth = Dense;
        plot.Grid.MinorLineWidth = Dense;
        plot.Axes.Title.Label.Text = panel.Title;
        plot.Axes.Title.FullFigureCenter = true;
        plot.Axes.Title.Label.FontSize = Font;
        plot.Axes.Title.Label.Bold = true;

        foreach (var box in panel.Boxes)
        {
            var rectangle = plot.Add.Rectangle(box.X1, box.X2, box.Y1, box.Y2);
            rectangle.FillColor = Color.FromHex(box.Color).WithAlpha(box.Opacity);
            rectangle.LineColor = Color.FromHex(box.Border ?? box.Color);
            rectangle.LineWidth = box.Border == null ? 0 : Dense;
            if (box.Dashed)
                rectangle.LinePattern = LinePattern.Dashed;
        }
        foreach (var s in panel.Strokes)
        {
            var line = plot.Add.Line(s.X1, s.Y1, s.X2, s.Y2);
            line.LineColor = Color.FromHex(s.Color);
            line.LineWidth = s.Width * Dense;
            if (s.Dashed)
                line.LinePattern = LinePattern.Dashed;
        }
        foreach (var curve in panel.Curves)
        {
            var line = plot.Add.ScatterLine(
                curve.Points.Select(point => point.X).ToArray(),
                curve.Points.Select(point => point.Y).ToArray(),
                Color.FromHex(curve.Color)
            );
            line.LineWidth = curve.Width * Dense;
            if (curve.Dashed)
                line.LinePattern = LinePattern.Dashed;
        }
        foreach (var dot in panel.Dots)
        {
            var size = 2 * dot.Radius * Dense;
            // An open shape lets the line under it through.
            if (dot.Hollow || dot.Shape == Shape.Ring)
            {
                plot.Add.Marker(
                    dot.X,
                    dot.Y,
                    dot.Shape == Shape.Ring ? MarkerShape.FilledCircle : markers[dot.Shape],
                    size,
                    Colors.White
                );
            }
            var marker = plot.Add.Marker(
                dot.X,
                dot.Y,
                (dot.Hollow ? hollowMarkers : markers)[dot.Shape],
                size,
                Color.FromHex(dot.Color)
            );
            marker.MarkerLineWidth = 2 * Dense;
        }
        foreach (var words in panel.Words)
        {
            var text = plot.Add.Text(words.Text, words.X, words.Y);
            text.LabelAlignment = words.Align switch
            {
                Align.Start => Alignment.MiddleLeft,
                Align.Middle => Alignment.MiddleCenter,
                _ => Alignment.MiddleRight,
            };
            text.LabelFontSize = Font;
            text.LabelBold = words.Bold;
            text.LabelFontColor = Color.FromHex(words.Color);
            text.OffsetY = 2 * Dense; // the letters' height is not that of their line
            if (words.Cleared)
                text.LabelBackgroundColor = Colors.White.WithAlpha(0.8);
        }
        return plot;
    }

    static void DrawAxis(IAxis axis, Tick[] ticks, string title)
    {
        var manual = new ScottPlot.TickGenerators.NumericManual();
        foreach (var tick in ticks)
        {
            if (tick.Label == "")
                manual.AddMinor(tick.At);
            else
                manual.AddMajor(tick.At, tick.Label);
        }
        axis.TickGenerator = manual;
        axis.Label.Text = title;
        axis.Label.FontSize = Font;
        axis.Label.Bold = false;
        axis.TickLabelStyle.FontSize = Font;
        axis.FrameLineStyle.Width = Dense;
        axis.MajorTickStyle.Length = 4 * Dense;
        axis.MinorTickStyle.Length = 0;
    }
}
