using ScottPlot;

/// <summary>The look that all plots share.</summary>
static class PlotStyle
{
    /// <summary>Width of lines that show figures.</summary>
    public const float LinePx = 2;

    /// <summary>Diameter of a dot.</summary>
    public const float DotPx = 8;

    /// <summary>Opacity of what is paler than its border.</summary>
    public const double PlainOpacity = 0.55;

    /// <summary>Height of an entry of a legend.</summary>
    public const int LegendRowPx = 20;

    /// <summary>Size of all letters but those of titles.</summary>
    public const float FontPx = 12;

    /// <summary>Room on the right of a plot.</summary>
    public const int RightPx = 16;

    const float TitlePx = 13;
    const int MostTitleRows = 3; // as what is longer is cut
    const int TitleEdgePx = 16; // on both sides of it together
    const float TitleGapPx = 5; // below it
    const float LetterShiftPx = 2; // as the middle of a line of letters lies above that of small letters
    const int NamesEdgePx = 16;
    const int LongestBelow = 56; // letters of a title that the narrowest panel has room for
    const int LongestBeside = 38;
    const float LegendSymbolPx = 26;
    const float LegendGapPx = 2;
    const float DotGapPx = 3;
    const float DashPx = 6;
    const float DashGapPx = 4;
    const float ClearedOpacity = 0.8f;

    static readonly Dictionary<Shape, MarkerShape> markers = new()
    {
        [Shape.Circle] = MarkerShape.FilledCircle,
        [Shape.Square] = MarkerShape.FilledSquare,
        [Shape.Triangle] = MarkerShape.FilledTriangleUp,
        [Shape.Diamond] = MarkerShape.FilledDiamond,
        [Shape.Ring] = MarkerShape.FilledCircle,
        [Shape.Bar] = MarkerShape.VerticalBar,
    };

    /// <summary>A colour of #RRGGBB.</summary>
    public static Color ColorOf(string color) => Color.FromHex(color);

    /// <summary>A colour of some opacity as it looks on white ground, so that nothing shows through.</summary>
    public static Color Tint(Color color, double opacity) => Colors.White.MixedWith(color, opacity);

    /// <summary>Dashes, of which a legend's symbol shows some.</summary>
    public static readonly LinePattern Dashes = new([DashPx, DashGapPx], 0, "dashes");

    /// <summary>Dashes of a thin border.</summary>
    public static readonly LinePattern ShortDashes = new([DashPx / 2, DashGapPx / 2], 0, "short dashes");

    static readonly LinePattern dots = new([LinePx, DotGapPx], 0, "dots");

    static readonly LinePattern dashesAndDots = new([2 * DashPx, DotGapPx, LinePx, DotGapPx], 0, "dashes and dots");

    /// <summary>How lines are drawn.</summary>
    public static LinePattern PatternOf(Pattern pattern) =>
        pattern switch
        {
            Pattern.Dashed => Dashes,
            Pattern.Dotted => dots,
            Pattern.DashDotted => dashesAndDots,
            _ => LinePattern.Solid,
        };

    /// <summary>How dots of a shape look; hollow ones wipe what is under them.</summary>
    public static MarkerStyle MarkerOf(Shape shape, string color, bool isHollow = false) =>
        new(markers[shape], DotPx, ColorOf(color))
        {
            FillColor = isHollow || shape == Shape.Ring ? Colors.White : ColorOf(color),
            OutlineColor = ColorOf(color),
            OutlineWidth = isHollow || shape == Shape.Ring ? LinePx : 0,
            LineWidth = LinePx,
        };

    /// <summary>Height of a row of a title.</summary>
    public const int TitleRowPx = 17;

    /// <summary>A title in rows that are not wider than the panel, broken between its parts.</summary>
    public static string[] TitleRows(string title, int widthPx)
    {
        List<string> rows = [];
        foreach (var part in title.Split(", "))
        {
            var row = rows.Count == 0 ? part : $"{rows[^1]}, {part}";
            // With the comma that stands at its end if another follows.
            var fits = WidthPx($"{row},", TitlePx, isBold: true) <= widthPx - TitleEdgePx;
            if (rows.Count > 0 && (fits || rows.Count == MostTitleRows))
            {
                rows[^1] = row;
            }
            else
            {
                rows.Add(part);
            }
        }
        return [.. rows.Select((row, i) => Cut(i < rows.Count - 1 ? $"{row}," : row, widthPx))];
    }

    /// <summary>The width of a legend.</summary>
    public static int LegendPx(IEnumerable<string> entries) => (int)LegendSymbolPx + NamesPx(entries);

    /// <summary>The width of names beside what they name.</summary>
    public static int NamesPx(IEnumerable<string> names) =>
        (int)names.Max(name => WidthPx(name, FontPx, isBold: false)) + NamesEdgePx;

    /// <summary>A plot with a title and nothing in it.</summary>
    public static Plot Empty(string[] titleRows)
    {
        var plot = new Plot();
        plot.FigureBackground.Color = Colors.White;
        plot.Axes.Title.Label.Text = string.Join('\n', titleRows);
        plot.Axes.Title.Label.FontSize = TitlePx;
        plot.Axes.Title.Label.ForeColor = ColorOf(Neutrals.Ink);
        plot.Axes.Title.Label.OffsetY = -TitleGapPx;
        plot.Axes.Title.VerticalPadding = 3 * TitleGapPx;
        // With ShowLegend, which knows how wide the legend is.
        plot.Axes.Title.FullFigureCenter = true;
        plot.Axes.Title.Label.OffsetX = RightPx / 2f;
        plot.Axes.Top.IsVisible = false;
        plot.Axes.Right.FrameLineStyle.Width = 0;
        plot.Axes.Right.MinimumSize = RightPx;
        plot.Axes.Right.TickGenerator = new ScottPlot.TickGenerators.EmptyTickGenerator();
        plot.Grid.MajorLineColor = ColorOf(Neutrals.Grid);
        plot.Grid.MinorLineColor = ColorOf(Neutrals.FaintGrid);
        plot.Grid.MinorLineWidth = 1;
        plot.HideLegend();
        return plot;
    }

    /// <summary>Gives an axis its title, its ticks and, in its own units, its limits.</summary>
    public static void SetAxis(IAxis axis, Axis data, AxisScale scale)
    {
        axis.Min = scale.Min;
        axis.Max = scale.Max;
        axis.TickGenerator = AxisTicks.Of(data, scale);
        axis.Label.Text = Text.Plain(data.Title, axis.Edge.IsVertical() ? LongestBeside : LongestBelow);
        axis.Label.FontSize = FontPx;
        axis.Label.Bold = false;
        axis.Label.ForeColor = ColorOf(Neutrals.Ink);
        axis.TickLabelStyle.FontSize = FontPx;
        axis.TickLabelStyle.ForeColor = ColorOf(Neutrals.Ink);
        axis.TickLabelStyle.OffsetY = axis.Edge.IsVertical() ? LetterShiftPx : 0;
        axis.FrameLineStyle.Color = ColorOf(Neutrals.Ink);
        axis.MinorTickStyle.Length = 0;
    }

    /// <summary>Shows the legend on the right of the plot: entries that were given, else of what is drawn.</summary>
    public static void ShowLegend(Plot plot, params IEnumerable<LegendItem> entries)
    {
        plot.Legend.ManualItems.AddRange(entries);
        if (plot.Legend.ManualItems.Count == 0)
        {
            plot.Legend.ManualItems.AddRange(plot.Legend.GetItems());
        }
        foreach (var entry in plot.Legend.ManualItems)
        {
            entry.LabelStyle.OffsetY = LetterShiftPx;
        }
        plot.Legend.DisplayPlottableLegendItems = false;
        plot.Legend.FontSize = FontPx;
        plot.Legend.FontColor = ColorOf(Neutrals.Ink);
        plot.Legend.SymbolWidth = LegendSymbolPx;
        plot.Legend.OutlineWidth = 0;
        plot.Legend.ShadowColor = Colors.Transparent;
        plot.Legend.BackgroundColor = Colors.Transparent;
        plot.Legend.Padding = new(LegendGapPx, LegendGapPx);
        var panel = plot.ShowLegend(Edge.Right);
        panel.Alignment = Alignment.UpperLeft;
        panel.Padding = new(LegendGapPx, LegendGapPx);
        using var paint = Paint.NewDisposablePaint();
        plot.Axes.Title.Label.OffsetX += panel.Measure(paint) / 2;
    }

    /// <summary>Words at a place of the plot; isCleared: what is under them is wiped.</summary>
    public static ScottPlot.Plottables.Text AddWords(
        Plot plot,
        string words,
        double x,
        double y,
        Alignment alignment,
        bool isCleared
    )
    {
        var text = plot.Add.Text(words, x, y);
        text.LabelAlignment = alignment;
        text.LabelFontSize = FontPx;
        text.LabelFontColor = ColorOf(Neutrals.Ink);
        text.OffsetY = LetterShiftPx;
        if (isCleared)
        {
            text.LabelBackgroundColor = Colors.White.WithAlpha(ClearedOpacity);
        }
        return text;
    }

    /// <summary>The bounds of figures as error bars, as far as they have any. Each: its place, and on the other axis
    /// its figure and bounds, where they stand in the plot. AreLying: figures are of the axis below.</summary>
    public static void AddErrorBars(
        Plot plot,
        IEnumerable<(double X, double Y, double? Low, double? High)> figures,
        string color,
        bool areLying = false
    )
    {
        var bounded = figures.Where(figure => figure.Low != null && figure.High != null).ToArray();
        if (bounded.Length == 0)
        {
            return;
        }
        double[] above = [.. bounded.Select(figure => figure.High!.Value - figure.Y)];
        double[] below = [.. bounded.Select(figure => figure.Y - figure.Low!.Value)];
        double[] places = [.. bounded.Select(figure => figure.X)];
        double[] values = [.. bounded.Select(figure => figure.Y)];
        var bars = new ScottPlot.Plottables.ErrorBar(
            areLying ? values : places,
            areLying ? places : values,
            xErrorsPositive: areLying ? above : null,
            xErrorsNegative: areLying ? below : null,
            yErrorsPositive: areLying ? null : above,
            yErrorsNegative: areLying ? null : below
        )
        {
            Color = ColorOf(color),
        };
        plot.Add.Plottable(bars);
    }

    static string Cut(string row, int widthPx)
    {
        var length = row.Length;
        while (length > 1 && WidthPx(Text.Plain(row, length), TitlePx, isBold: true) > widthPx - TitleEdgePx)
        {
            length--;
        }
        return Text.Plain(row, length);
    }

    static float WidthPx(string text, float fontPx, bool isBold)
    {
        using var paint = Paint.NewDisposablePaint();
        return new LabelStyle { FontSize = fontPx, Bold = isBold }.Measure(text, paint).Width;
    }
}
