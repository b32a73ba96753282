using System.Globalization;
using System.Xml.Linq;
using Newtonsoft.Json.Linq;

/// <summary>A sweep's charts, as the SVG writer draws them: made up, drawn, taken apart.</summary>
public abstract class DrawnCharts : IDisposable
{
    /// <summary>The colour of the ground, on a light page.</summary>
    protected const string Ground = "#ffffff";

    /// <summary>The colour of floors, on a light page.</summary>
    protected const string Floor = "#444444";

    /// <summary>The suite's own.</summary>
    protected static readonly string[] libraries = ["enet", "kcp2k", "litenetlib", "netcoreserver"];

    private protected readonly Scratch scratch = new();

    protected DrawnCharts() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

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
            ("settings.parallel", parallel),
            ("window.idle_passes", 0));
        if (isClientBound)
        {
            var seconds = 10_000 / rate;
            MadeUp.With(records, MadeUp.Busy("client", 0.95 * seconds));
            MadeUp.With(records, MadeUp.Busy("server", 0.1 * seconds));
        }
        return records;
    }

    /// <summary>Draws them; nothing is said on the way.</summary>
    protected void Render(JObject[] records)
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("sweep.slo", "p99=5ms")), .. records]);
        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0).Error);
    }

    /// <summary>The colour of each library, as the key of the grouped bars has it.</summary>
    protected Dictionary<string, string> ColorsOf(params string[] names)
    {
        Render([.. names.SelectMany(name => Loads(name))]);
        var panel = Svg("parallel").Elements().First(element => element.Name.LocalName == "g");
        var boxes = All(panel, "path").Where(path => ((string)path.Attribute("d")!).EndsWith('z')).Take(names.Length);
        var words = Words(panel).TakeLast(names.Length);
        return boxes.Zip(words).ToDictionary(entry => entry.Second, entry => (string)entry.First.Attribute("fill")!);
    }

    /// <summary>Names of the files in the folder, in order.</summary>
    protected string[] Files(string pattern)
    {
        var names = Directory.GetFiles(scratch.Folder, pattern).Select(path => Path.GetFileName(path)!);
        return [.. names.Order(StringComparer.Ordinal)];
    }

    /// <summary>The chart of a kind.</summary>
    protected XElement Svg(string kind) => XDocument.Load(scratch.PathOf($"{kind}-unreliable.svg")).Root!;

    /// <summary>All elements of a name.</summary>
    protected static IEnumerable<XElement> All(XElement svg, string name) =>
        svg.Descendants().Where(element => element.Name.LocalName == name);

    /// <summary>All that is written in it.</summary>
    protected static IEnumerable<string> Words(XElement svg) => All(svg, "text").Select(text => text.Value);

    /// <summary>What an attribute says.</summary>
    protected static double Number(XElement element, string attribute) =>
        double.Parse((string)element.Attribute(attribute)!, CultureInfo.InvariantCulture);
}
