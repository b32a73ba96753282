using System.Text.RegularExpressions;

/// <summary>Writes charts into a folder, by ScottPlot where this build has it and it loads, else by
/// the SVG writer, which draws the same.</summary>
sealed partial class ChartFiles(string folder, string charts)
{
    readonly List<(string Name, Panel[] Panels)> asked = [];

    /// <summary>Takes a chart on and returns its name; none for a chart without panels.</summary>
    public string? Add(string name, Panel[] panels)
    {
        if (panels.Length == 0) return null;
        var same = asked.Count(chart => Regex.IsMatch(chart.Name, $@"^{name}(-\d+)?$"));
        asked.Add((same == 0 ? name : $"{name}-{same + 1}", panels));
        return asked[^1].Name;
    }

    /// <summary>Writes all charts of one kind, and removes what an earlier rendering left. Returns
    /// the ending of their names, and a sentence on who drew them.</summary>
    public (string Extension, string DrawnBy) Write()
    {
        var (extension, drawnBy, write) = Writer();
        foreach (var (name, panels) in asked)
            WholeFile.Write(Path.Combine(folder, name + extension), path => write(path, panels));
        foreach (var file in Directory.GetFiles(folder))
            if (OfCharts().IsMatch(Path.GetFileName(file))
                && !asked.Any(chart => chart.Name + extension == Path.GetFileName(file)))
                File.Delete(file);
        return (extension, drawnBy);
    }

    (string, string, Action<string, Panel[]>) Writer()
    {
        if (charts == "svg") return Svg("as asked");
#if SCOTTPLOT
        var problem = ScottPlotProblem();
        if (problem == null)
            return (".png", $"The charts are drawn by ScottPlot {ScottPlotCharts.Version}.",
                ScottPlotCharts.Write);
#else
        var problem = "this build has no ScottPlot";
#endif
        if (charts == "scottplot") throw new Failure($"ScottPlot cannot draw: {problem}.");
        var svg = Svg(problem);
        Console.Error.WriteLine(svg.DrawnBy);
        return svg;
    }

    static (string, string DrawnBy, Action<string, Panel[]>) Svg(string why) =>
        (".svg", $"The charts are drawn by the report's own SVG writer ({why}).", SvgCharts.Write);

#if SCOTTPLOT
    static string? ScottPlotProblem()
    {
        try
        {
            return ScottPlotCharts.HasFonts ? null : "ScottPlot finds no font on this system";
        }
        catch (Exception fault) when (fault is TypeInitializationException or DllNotFoundException
            or EntryPointNotFoundException or BadImageFormatException or IOException)
        {
            return "ScottPlot's native part does not load";
        }
    }
#endif

    [GeneratedRegex(@"^(throughput|round-trips(-at-rate)?)-(un)?reliable(-(un)?ordered)?(-\d+)?\.(svg|png)$")]
    private static partial Regex OfCharts();
}
