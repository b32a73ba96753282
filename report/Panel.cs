/// <summary>Shapes of a dot; the first four tell libraries apart where colours repeat.</summary>
enum Shape { Circle, Square, Triangle, Diamond, Ring, Bar }

/// <summary>A tick at a place of an axis; without a label it is a minor one.</summary>
readonly record struct Tick(double At, string Label);

/// <summary>A straight line; places are from 0 (left, bottom) to 1 (right, top).</summary>
readonly record struct Stroke(
    double X1, double Y1, double X2, double Y2, string Color, float Width, bool Dashed = false);

/// <summary>A dot; see Stroke for its place. Hollow: white with a border of its colour.</summary>
readonly record struct Dot(double X, double Y, string Color, Shape Shape, bool Hollow = false);

/// <summary>Words that begin at a place and are centred on its height; see Stroke.</summary>
readonly record struct Words(double X, double Y, string Text, bool Bold = false);

/// <summary>One drawn panel, all places worked out, so that both writers draw the same picture and
/// know nothing of scales. A chart is a list of panels of one size.</summary>
sealed class Panel
{
    /// <summary>Outer size and the room around the plot, in pixels.</summary>
    public required int Width, Height;
    public required int Left;
    public const int Right = 12, Top = 30, Bottom = 46;

    public required string Title, XTitle, YTitle;
    public required Tick[] XTicks, YTicks;
    public readonly List<Stroke> Strokes = [];
    public readonly List<Dot> Dots = [];
    public readonly List<Words> Words = [];

    /// <summary>Size of the plot in pixels.</summary>
    public int PlotWidth => Width - Left - Right;
    public int PlotHeight => Height - Top - Bottom;

    /// <summary>Panels that stand side by side.</summary>
    public static int Columns(Panel[] panels) => Math.Min(2, panels.Length);
}
