/// <summary>What the charts have in common.</summary>
static class Charts
{
    /// <summary>So many loads at most have panels of their own.</summary>
    public const int MostPanels = 4;

    const int LongestName = 30;

    /// <summary>A library's name as charts have room for.</summary>
    public static string Name(string name) =>
        Text.Plain(name, LongestName) + (Baseline.Is(name) ? Baseline.InBrackets : "");

    /// <summary>"10 clients x 1".</summary>
    public static string Load(long clients, long parallel) => $"{Text.Count(clients, "client")} x {parallel:N0}";

    /// <summary>So many of them, from the first to the last.</summary>
    public static T[] Evenly<T>(T[] all, int most) =>
        all.Length <= most ? all : [.. Enumerable.Range(0, most).Select(i => all[i * (all.Length - 1) / (most - 1)])];

    /// <summary>At most three digits and a unit, such as 166k.</summary>
    public static string Short(double figure)
    {
        if (figure >= 999.5e3)
            return Digits(figure / 1e6) + "M";
        if (figure >= 999.5)
            return Digits(figure / 1e3) + "k";
        return Digits(figure);
    }

    static string Digits(double figure) => figure.ToString(figure >= 99.5 || figure == Math.Round(figure) ? "0" : "G2");

    /// <summary>A round time for a tick.</summary>
    public static string Time(double ns)
    {
        if (ns < 1e3)
            return $"{ns:0.##} ns";
        if (ns < 1e6)
            return $"{ns / 1e3:0.##} µs";
        return ns < 1e9 ? $"{ns / 1e6:0.##} ms" : $"{ns / 1e9:0.##} s";
    }
}
