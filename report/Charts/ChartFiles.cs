using System.Text.RegularExpressions;

/// <summary>The pictures of charts, as files: drawn where this build has ScottPlot, and it can draw.</summary>
static partial class ChartFiles
{
    /// <summary>What their names end in.</summary>
    public const string Ending = ".png";

    /// <summary>Writes the picture of each chart into a folder, and removes what an earlier rendering left. Flag: auto
    /// or none. Returns why there are no pictures, and says so on stderr unless none were asked for; null: there
    /// are.</summary>
    public static string? Write(string folder, IReadOnlyList<Chart> charts, string flag)
    {
        var problem = flag == "none" ? "none were asked for" : Problem();
        if (problem == null)
        {
            Draw(folder, charts);
        }
        else if (flag != "none" && charts.Count > 0)
        {
            Console.Error.WriteLine($"There are no pictures, because {problem}.");
        }
        var written = problem == null ? charts.Select(chart => chart.File + Ending).ToHashSet() : [];
        foreach (var file in Directory.GetFiles(folder).Select(path => Path.GetFileName(path)!))
        {
            if (OfCharts().IsMatch(file) && !written.Contains(file))
            {
                File.Delete(Path.Combine(folder, file));
            }
        }
        return problem;
    }

#if SCOTTPLOT
    static void Draw(string folder, IReadOnlyList<Chart> charts)
    {
        try
        {
            Parallel.ForEach(
                charts,
                chart =>
                    WholeFile.Write(
                        Path.Combine(folder, chart.File + Ending),
                        unfinished => Picture.Write(unfinished, chart.Panels)
                    )
            );
        }
        catch (AggregateException faults)
        {
            throw new Failure(faults.InnerExceptions[0].Message);
        }
    }

    static string? Problem()
    {
        try
        {
            return Picture.HasFonts ? null : "ScottPlot finds no font on this system";
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
#else
    static void Draw(string folder, IReadOnlyList<Chart> charts) =>
        throw new NotSupportedException($"{charts.Count} charts of {folder} cannot be drawn.");

    static string? Problem() => "ScottPlot was not available";
#endif

    // Those of the format that earlier versions wrote as well.
    [GeneratedRegex(
        "^(server-(cores|cpu(-delivery)?)|throughput(-absolute)?|parallel|heat-map|round-trips(-at-rate)?"
            + "|percentiles|rate-latency|cpu|wire|memory|history|releases|players|delay|deliveries"
            + "|(jitter|burst)-(latency|on-time|goodput)|link-(latency|on-time|wire|goodput)"
            + "|loss-(latency|on-time|wire|goodput)|distance-(latency|goodput(-to-tcp)?))"
            + "-((un)?reliable(-(un)?ordered)?(-(stream|broadcast|game))?|(sum|get-user|say-hello)-calls)"
            + @"(-over-tls)?(-\d+)?\.(svg|png)$"
    )]
    private static partial Regex OfCharts();
}
