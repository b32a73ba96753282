/// <summary>The colours that are no library's. Each stands for one thing, so that an SVG can change it where
/// the reader's page is dark.</summary>
static class Neutrals
{
    public const string Ground = "#ffffff";
    public const string Ink = "#222222";
    public const string Grid = "#dddddd";
    public const string FaintGrid = "#f3f3f3";
    public const string Faint = "#999999";
    public const string Plain = "#444444";

    /// <summary>What each becomes on a dark page.</summary>
    public static readonly (string Light, string Dark)[] Pairs =
    [
        (Ground, "#0d1117"),
        (Ink, "#e6edf3"),
        (Grid, "#30363d"),
        (FaintGrid, "#1c2128"),
        (Faint, "#6e7681"),
        (Plain, "#b1bac4"),
    ];
}
