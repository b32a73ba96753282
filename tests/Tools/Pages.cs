/// <summary>What report has rendered of a sweep.</summary>
static class Pages
{
    /// <summary>The first screen.</summary>
    public static string FrontIn(string folder) => File.ReadAllText(Path.Combine(folder, "report.md"));

    /// <summary>Everything: the first screen, and the appendix below it.</summary>
    public static string In(string folder) =>
        FrontIn(folder) + "\n" + File.ReadAllText(Path.Combine(folder, "appendix.md"));
}
