/// <summary>The colours that are no library's.</summary>
static class Neutrals
{
    public const string Ink = "#222222";
    public const string Grid = "#dddddd";
    public const string FaintGrid = "#f3f3f3";
    public const string Faint = "#999999";
    public const string Plain = "#444444";
}
