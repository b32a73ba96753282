/// <summary>What an appendix shows of some cells of a sweep: charts, and tables.</summary>
abstract class CellSection(string title)
{
    readonly List<(string Says, string File)> charts = [];

    /// <summary>Its heading; not escaped.</summary>
    protected string Title => title;

    /// <summary>How many rows it draws.</summary>
    public virtual int Rows => 0;

    /// <summary>The charts that it shows, those that tell most first, each as a line of markdown.</summary>
    public IEnumerable<string> ShownCharts => charts.Where(chart => !IsAside(chart.File)).Select(LineOf);

    /// <summary>Writes the charts under a heading, if there are any.</summary>
    public void WriteCharts(Page page)
    {
        if (charts.Count == 0)
            return;
        page.Line($"\n### {Text.Markdown(title)}");
        foreach (var line in charts.Select(LineOf))
            page.Line($"\n{line}");
    }

    /// <summary>Writes the tables under headings, if there are any.</summary>
    public virtual void WriteTables(Page page)
    {
    }

    /// <summary>Takes a chart on, if it has panels. Name: how that of its file begins.</summary>
    protected void Add(ChartList list, string name, string says, Panel[] panels)
    {
        if (panels.Length > 0)
            charts.Add((says, list.Add(name, $"{says}, {title}", panels)));
    }

    /// <summary>Whether a chart is linked to, rather than shown.</summary>
    protected virtual bool IsAside(string file) => false;

    string LineOf((string Says, string File) chart)
    {
        var shown = IsAside(chart.File) ? "" : "!";
        return $"{shown}[{chart.Says}, {Text.Markdown(title)}]({chart.File}{ChartFiles.Ending})";
    }
}
