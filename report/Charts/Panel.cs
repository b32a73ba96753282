/// <summary>Shapes of a dot; the first four tell libraries apart where colours repeat.</summary>
enum Shape
{
    Circle,
    Square,
    Triangle,
    Diamond,
    Ring,
    Bar,
}

/// <summary>Which part of words stands at their place.</summary>
enum Align
{
    Start,
    Middle,
    End,
}

/// <summary>A tick at a place of an axis; without a label it is a minor one.</summary>
readonly record struct Tick(double At, string Label);

/// <summary>A straight line; places are from 0 (left, bottom) to 1 (right, top).</summary>
readonly record struct Stroke(
    double X1,
    double Y1,
    double X2,
    double Y2,
    string Color,
    float Width,
    bool Dashed = false
);

/// <summary>A line through points; see Stroke for their places.</summary>
sealed record Curve((double X, double Y)[] Points, string Color, float Width, bool Dashed = false);

/// <summary>A filled rectangle; see Stroke for its places. Border: its colour; null without. Dashed: its
/// border.</summary>
readonly record struct Box(
    double X1,
    double Y1,
    double X2,
    double Y2,
    string Color,
    double Opacity = 1,
    string? Border = null,
    bool Dashed = false
);

/// <summary>A dot; see Stroke for its place. Hollow: white with a border of its colour. Radius in
/// pixels.</summary>
readonly record struct Dot(
    double X,
    double Y,
    string Color,
    Shape Shape,
    bool Hollow = false,
    int Radius = Dot.UsualRadius
)
{
    public const int UsualRadius = 4;
}

/// <summary>Words at a place, centred on its height; see Stroke. Cleared: what is under them is wiped.</summary>
readonly record struct Words(
    double X,
    double Y,
    string Text,
    bool Bold = false,
    Align Align = Align.Start,
    string Color = Neutrals.Ink,
    bool Cleared = false
);

/// <summary>One drawn panel, all places worked out, so that both writers draw the same picture and
/// know nothing of scales. A chart is a list of panels of one size. Boxes lie lowest, then strokes, curves, dots
/// and words.</summary>
sealed class Panel
{
    /// <summary>Pixels that a letter takes, generously.</summary>
    public const double CharWidth = 7;

    /// <summary>Width of a panel that has others beside it.</summary>
    public const int Narrow = 500;

    /// <summary>Width of a panel that stands alone.</summary>
    public const int Wide = 760;

    const int Widest = 1_040;

    /// <summary>Width of each of so many.</summary>
    public static int WidthOf(int panels) => panels == 1 ? Wide : Narrow;

    // The outer size and the room around the plot, in pixels.
    public required int Width;

    public required int Height;
    public required int Left;
    public const int Right = 12;
    public const int Top = 30;
    public const int Bottom = 46;

    // Titles are cut where there is no room.

    /// <summary>What stands above the plot.</summary>
    public required string Title
    {
        get => Text.Plain(field, (int)(Width / CharWidth) - 2);
        init;
    }

    /// <summary>What stands below the plot.</summary>
    public required string XTitle
    {
        get => Text.Plain(field, (int)(PlotWidth / CharWidth) - 1);
        init;
    }

    /// <summary>What stands on the left, from below.</summary>
    public required string YTitle
    {
        get => Text.Plain(field, (int)(PlotHeight / CharWidth) - 1);
        init;
    }

    public required Tick[] XTicks;
    public required Tick[] YTicks;
    public readonly List<Box> Boxes = [];
    public readonly List<Stroke> Strokes = [];
    public readonly List<Curve> Curves = [];
    public readonly List<Dot> Dots = [];
    public readonly List<Words> Words = [];

    /// <summary>Width of the plot in pixels.</summary>
    public int PlotWidth => Width - Left - Right;

    /// <summary>Height of the plot in pixels.</summary>
    public int PlotHeight => Height - Top - Bottom;

    /// <summary>Panels that stand side by side.</summary>
    public static int Columns(Panel[] panels) =>
        Math.Clamp(Widest / panels[0].Width, 1, panels.Length == 4 ? 2 : panels.Length);
}
