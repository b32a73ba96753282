using System.Text.RegularExpressions;

/// <summary>Writes charts into a folder: each as SVG, and as PNG besides where this build has ScottPlot and it
/// loads.</summary>
sealed partial class ChartFiles(string folder, string charts)
{
    readonly List<(string Name, string Says, Panel[] Panels)> asked = [];

    /// <summary>Takes a chart on and returns its name. Says: what it shows, for who does not see it.</summary>
    public string Add(string name, string says, Panel[] panels)
    {
        var same = asked.Count(chart => Regex.IsMatch(chart.Name, $@"^{name}(-\d+)?$"));
        asked.Add((same == 0 ? name : $"{name}-{same + 1}", says, panels));
        return asked[^1].Name;
    }

    /// <summary>Writes all charts, and removes what an earlier rendering left. Says so on stderr where ScottPlot draws
    /// none, and why.</summary>
    public void Write()
    {
        var png = asked.Count == 0 ? null : Png();
        try
        {
            Parallel.ForEach(
                asked,
                chart =>
                {
                    var path = Path.Combine(folder, chart.Name);
                    WholeFile.Write(path + ".svg", unfinished => SvgCharts.Write(unfinished, chart.Says, chart.Panels));
                    if (png != null)
                        WholeFile.Write(path + ".png", unfinished => png(unfinished, chart.Panels));
                }
            );
        }
        catch (AggregateException faults)
        {
            throw new Failure(faults.InnerExceptions[0].Message);
        }
        string[] endings = png == null ? [".svg"] : [".svg", ".png"];
        var written = asked.SelectMany(chart => endings.Select(ending => chart.Name + ending)).ToHashSet();
        foreach (var file in Directory.GetFiles(folder))
        {
            if (OfCharts().IsMatch(Path.GetFileName(file)) && !written.Contains(Path.GetFileName(file)))
                File.Delete(file);
        }
    }

    Action<string, Panel[]>? Png()
    {
        if (charts == "svg")
            return null;
#if SCOTTPLOT
        var problem = ScottPlotProblem();
        if (problem == null)
            return ScottPlotCharts.Write;
#else
        var problem = "this build has no ScottPlot";
#endif
        if (charts == "scottplot")
            throw new Failure($"ScottPlot cannot draw: {problem}.");
        Console.Error.WriteLine($"The charts are drawn by the report's own SVG writer alone ({problem}).");
        return null;
    }

#if SCOTTPLOT
    static string? ScottPlotProblem()
    {
        try
        {
            return ScottPlotCharts.HasFonts ? null : "ScottPlot finds no font on this system";
        }
        catch (Exception fault)
            when (fault
                    is TypeInitializationException
                        or DllNotFoundException
                        or EntryPointNotFoundException
                        or BadImageFormatException
                        or IOException
            )
        {
            return "ScottPlot's native part does not load";
        }
    }
#endif

    [GeneratedRegex(
        "^(throughput(-absolute)?|parallel|heat-map|round-trips(-at-rate)?|percentiles|rate-latency"
            + "|cpu|wire|memory|history"
            + "|loss-(latency|on-time|wire|goodput)|distance-(latency|goodput(-to-tcp)?))"
            + @"-((un)?reliable(-(un)?ordered)?|(sum|get-user|say-hello)-calls)(-over-tls)?(-\d+)?\.(svg|png)$"
    )]
    private static partial Regex OfCharts();
}
