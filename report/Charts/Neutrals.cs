/// <summary>The colours that are no library's. Each stands for one thing, so that an SVG can change it where
/// the reader's page is dark.</summary>
static class Neutrals
{
    public const string Ground = "#ffffff", Ink = "#222222", Grid = "#dddddd", FaintGrid = "#f3f3f3",
        Faint = "#999999", Plain = "#444444";

    /// <summary>What each becomes on a dark page.</summary>
    public static readonly (string Light, string Dark)[] Pairs =
    [
        (Ground, "#0d1117"), (Ink, "#e6edf3"), (Grid, "#30363d"), (FaintGrid, "#1c2128"),
        (Faint, "#6e7681"), (Plain, "#b1bac4"),
    ];
}
