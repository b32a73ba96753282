using Newtonsoft.Json.Linq;

/// <summary>A sweep's charts, as what they show and not as pictures: made up, exported, looked at.</summary>
public abstract class ShownCharts : OfReport
{
    /// <summary>The colour of the ground that pictures have.</summary>
    protected const string Ground = "#ffffff";

    /// <summary>The colour of baselines.</summary>
    protected const string BaselineColor = "#444444";

    /// <summary>The suite's own.</summary>
    protected static readonly string[] libraries = ["enet", "kcp2k", "litenetlib", "netcoreserver"];

    /// <summary>Kinds of charts with a line or bars of each library, and what a panel calls those.</summary>
    protected static readonly (string Kind, string List)[] ofLibraries =
    [
        ("throughput", "lines"),
        ("memory", "lines"),
        ("percentiles", "lines"),
        ("rate-latency", "lines"),
        ("parallel", "series"),
        ("cpu", "bars"),
    ];

    JObject[] shown = [];

    /// <summary>Two numbers of clients x two in flight in a closed loop, and two rates of which the higher keeps to the
    /// SLO.</summary>
    protected static JObject[] Loads(string library, bool isClientBound = false)
    {
        var closedLoop =
            from clients in new[] { 1, 100 }
            from parallel in new[] { 1, 10 }
            from rate in new[] { 9_900, 10_000, 10_100 }
            from record in Cell(library, clients, parallel, clients * parallel * rate, isClientBound)
            select record;
        var atRates = new[] { 100, 5_000 }.SelectMany(rate => MadeUp.With(
            Cell(library, 1, 1, rate),
            ("settings.rate", rate),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(100, 10_000) })));
        return [.. closedLoop, .. atRates];
    }

    /// <summary>One launch; a run id of its own.</summary>
    protected static JObject[] Cell(string library, int clients, int parallel, double rate, bool isClientBound = false)
    {
        var runId = $"r{rate}-{library}-{clients}x{parallel}";
        var records = MadeUp.Cell(
            library,
            "unreliable",
            clients * parallel,
            [rate],
            ("run_id", runId),
            ("settings.run_id", runId),
            ("settings.clients", clients),
            ("settings.parallel", parallel));
        if (isClientBound)
        {
            var seconds = 10_000 / rate;
            MadeUp.With(records, MadeUp.Busy("client", 0.95 * seconds));
            MadeUp.With(records, MadeUp.Busy("server", 0.1 * seconds));
        }
        return records;
    }

    /// <summary>Writes a sweep of them.</summary>
    protected void Write(JObject[] records) =>
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("sweep.slo", "p99=5ms")), .. records]);

    /// <summary>Writes a sweep of them, and takes from the report what its charts show; nothing else is said.</summary>
    protected void Show(JObject[] records)
    {
        Write(records);
        shown = ChartsOf(scratch.Folder);
    }

    /// <summary>What the charts of a sweep show, or in a folder of sweeps those over time.</summary>
    internal static JObject[] ChartsOf(string folder)
    {
        var ended = Tool.Run("export", folder, "--format", "charts").WithCode(0);
        Assert.Empty(ended.Error);
        return [.. JArray.Parse(string.Join('\n', ended.Out)).Cast<JObject>()];
    }

    /// <summary>The names of their files.</summary>
    protected string[] ShownFiles => [.. shown.Select(chart => (string)chart["file"]!)];

    /// <summary>What the charts say to who does not see them.</summary>
    protected string[] ShownWords => [.. shown.Select(chart => (string)chart["says"]!)];

    /// <summary>The panels of a kind of chart.</summary>
    protected JObject[] Panels(string kind)
    {
        var chart = shown.Single(chart => (string?)chart["file"] == $"{kind}-unreliable");
        return [.. chart["panels"]!.Cast<JObject>()];
    }

    /// <summary>The only panel of a kind of chart.</summary>
    protected JObject Panel(string kind) => Assert.Single(Panels(kind));

    /// <summary>What a list within each of the panels holds, one after the other.</summary>
    protected static JObject[] All(IEnumerable<JObject> panels, string list) =>
        [.. panels.SelectMany(panel => panel[list]!).Cast<JObject>()];

    /// <summary>The line of a name.</summary>
    protected static JObject Line(JObject panel, string name) =>
        (JObject)panel["lines"]!.First(line => (string?)line["name"] == name);

    /// <summary>Whether it says that it is so.</summary>
    protected static bool Is(JToken token, string property) => (bool?)token[property] == true;

    /// <summary>The colour in which a line, a bar, a row or bars of a name are shown.</summary>
    protected static string ColorOf(JToken shown) => (string)shown["look"]!["color"]!;

    /// <summary>How its lines and borders are drawn.</summary>
    protected static string PatternOf(JToken shown) => (string)shown["look"]!["pattern"]!;

    /// <summary>The colour of each library, as the grouped bars have it.</summary>
    protected Dictionary<string, string> ColorsOf(params string[] names)
    {
        Show([.. names.SelectMany(name => Loads(name))]);
        return All(Panels("parallel")[..1], "series")
            .ToDictionary(series => (string)series["name"]!, ColorOf);
    }

    /// <summary>Names of the files in the folder, in order.</summary>
    protected string[] Files(string pattern)
    {
        var names = Directory.GetFiles(scratch.Folder, pattern).Select(path => Path.GetFileName(path)!);
        return [.. names.Order(StringComparer.Ordinal)];
    }
}
