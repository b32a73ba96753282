using ScottPlot;
using SkiaSharp;

/// <summary>Writes a chart as one picture, which ScottPlot draws.</summary>
static class Picture
{
    // Enlarged, for dense screens. Plots have a factor of their own, which in a multiplot all but the first ignore.
    const float Scale = 1.5f;
    const int WidestPx = 1_040;
    const int SmallestPng = 9; // zlib's level
    const int LevelsPerChannel = 16; // so few take two fifths off a file, and nobody sees it
    const int LevelStep = byte.MaxValue / (LevelsPerChannel - 1);

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

    static readonly SKColorFilter fewLevels = SKColorFilter.CreateTable(
        [.. Enumerable.Range(0, 1 + byte.MaxValue).Select(NearestLevel)]);

    // Set once, as charts are drawn by several threads.
    static Picture() =>
        Fonts.Default = wantedFonts.FirstOrDefault(SKFontManager.Default.FontFamilies.Contains, Fonts.Default);

    /// <summary>False where the system has no font: every label would be blank.</summary>
    public static bool HasFonts => SKTypeface.Default.GlyphCount > 0;

    /// <summary>Writes the file.</summary>
    public static void Write(string path, Panel[] panels)
    {
        var (widthPx, heightPx, titleRows) = PanelDrawing.SizeOf(panels);
        var columns = Math.Clamp(WidestPx / widthPx, 1, panels.Length == 4 ? 2 : panels.Length);
        var rows = (panels.Length + columns - 1) / columns;
        var chart = new Multiplot(PanelDrawing.PlotOf(panels[0], widthPx, titleRows));
        foreach (var panel in panels.Skip(1))
        {
            chart.AddPlot(PanelDrawing.PlotOf(panel, widthPx, titleRows));
        }
        chart.Layout = new ScottPlot.MultiplotLayouts.Grid(rows, columns);

        var (allWidthPx, allHeightPx) = (widthPx * columns, heightPx * rows);
        using var surface = SKSurface.Create(new SKImageInfo((int)(allWidthPx * Scale), (int)(allHeightPx * Scale)));
        using SKPaint paint = new() { ColorFilter = fewLevels };
        var unfiltered = surface.Canvas.SaveLayer(paint);
        surface.Canvas.Scale(Scale);
        chart.Render(surface.Canvas, new PixelRect(0, allWidthPx, allHeightPx, 0));
        // Where no panel is, nothing was drawn.
        surface.Canvas.DrawColor(SKColors.White, SKBlendMode.DstOver);
        surface.Canvas.RestoreToCount(unfiltered);
        // ScottPlot's own SavePng keeps an alpha channel that nothing uses, and filters that make flat colours larger.
        using var pixels = surface.PeekPixels().WithAlphaType(SKAlphaType.Opaque);
        using var png =
            pixels.Encode(new SKPngEncoderOptions(SKPngEncoderFilterFlags.None, SmallestPng))
            ?? throw new IOException($"{path} could not be written as a PNG.");
        using var file = File.Create(path);
        png.SaveTo(file);
    }

    static byte NearestLevel(int value) => (byte)((value + LevelStep / 2) / LevelStep * LevelStep);
}
