/// <summary>What the charts have in common.</summary>
static class Charts
{
    /// <summary>So many loads at most have panels of their own.</summary>
    public const int MostPanels = 4;

    const int LongestName = 40;

    /// <summary>A library's name in full; one that no library has is cut.</summary>
    public static string Name(string name) =>
        Text.Plain(name, LongestName) + (Baseline.Is(name) ? Baseline.InBrackets : "");

    /// <summary>What rows do, as people say it: "Reliable, ordered".</summary>
    public static string Kind(string kind)
    {
        var said = kind.Replace("reliable-", "reliable, ").Replace(" over TLS", ", over TLS");
        return char.ToUpperInvariant(said[0]) + said[1..];
    }

    /// <summary>"10 clients with 1 in flight each": at a given rate as many are in flight as are due, and what is not
    /// answered has none.</summary>
    public static string Load(Cell cell) =>
        cell.ClosedLoop && cell.Work.IsAnswered
            ? $"{Text.Count(cell.Clients, "client")} with {cell.Parallel:N0} in flight"
                + (cell.Clients == 1 ? "" : " each")
            : WorkLayout.Of(cell.Work).LoadInWords(cell);

    /// <summary>The same for any number of clients; empty where nothing is answered.</summary>
    public static string PerClient(Cell cell) =>
        cell.Work.IsAnswered ? $"{cell.Parallel:N0} in flight per client" : "";

    /// <summary>A title: what is shown of what rows do, and under which conditions, of which some may be empty.
    /// </summary>
    public static string Title(string kind, string shown, params IEnumerable<string> conditions) =>
        Text.Plain(string.Join(", ", [$"{Kind(kind)}: {shown}", .. conditions.Where(words => words != "")]));

    /// <summary>So many of them, from the first to the last.</summary>
    public static T[] Evenly<T>(T[] all, int most) =>
        all.Length <= most ? all : [.. Enumerable.Range(0, most).Select(i => all[i * (all.Length - 1) / (most - 1)])];

    /// <summary>A panel for each group, or for MostPanels of them, evenly chosen, where there are more.</summary>
    public static Panel[] Panels<T>(IEnumerable<T> groups, Func<T, Panel> panelOf) =>
        [.. Evenly([.. groups], MostPanels).Select(panelOf)];

    /// <summary>At most three digits and a unit, such as 166k.</summary>
    public static string Short(double figure)
    {
        if (figure >= 999.5e3)
            return Digits(figure / 1e6) + "M";
        if (figure >= 999.5)
            return Digits(figure / 1e3) + "k";
        return Digits(figure);
    }

    static string Digits(double figure) => figure.ToString(figure >= 99.5 || figure == Math.Round(figure) ? "0" : "G3");

    /// <summary>A round time for a tick.</summary>
    public static string Time(double ns)
    {
        if (ns == 0)
            return "0";
        if (ns < 1e3)
            return $"{ns:0.##} ns";
        if (ns < 1e6)
            return $"{ns / 1e3:0.##} µs";
        return ns < 1e9 ? $"{ns / 1e6:0.##} ms" : $"{ns / 1e9:0.##} s";
    }
}
