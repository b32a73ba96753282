using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Newtonsoft.Json.Linq;

/// <summary>Which charts a sweep has, and what stands where in them.</summary>
public sealed class ChartTests : DrawnCharts
{
    [Fact]
    public void Each_kind_of_chart_is_drawn_where_there_is_something_to_show()
    {
        Render([.. Loads("udp"), .. Loads("enet"), .. Loads("kcp2k", isClientBound: true)]);
        string[] kinds =
        [
            "cpu",
            "heat-map",
            "memory",
            "parallel",
            "percentiles",
            "rate-latency",
            "round-trips-at-rate",
            "round-trips",
            "throughput",
        ];
        Assert.Equal(kinds.Select(kind => $"{kind}-unreliable.svg"), Files("*.svg"));
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        foreach (var kind in kinds)
        {
            var svg = Svg(kind);
            var says = svg.Elements().First(element => element.Name.LocalName == "title").Value;
            Assert.Contains($"![{says}]({kind}-unreliable.svg)", page);
            Assert.EndsWith(", unreliable, payload_bytes 32", says);
            Assert.Equal("img", (string?)svg.Attribute("role"));
        }
        // Charts come before the tables, in each of which all cells are.
        Assert.InRange(page.IndexOf("\n## Charts\n"), page.IndexOf("\n## Verdict\n"), page.IndexOf("\n## Cells\n"));
    }

    [Fact]
    public void Of_a_single_load_nothing_is_drawn_that_needs_two()
    {
        Render(Cell("enet", 1, 1, 10_000));
        Assert.Equal(["cpu", "percentiles", "round-trips", "throughput"],
            Files("*.svg").Select(file => file.Replace("-unreliable.svg", "")));
    }

    [Fact]
    public void More_loads_than_fit_are_chosen_evenly()
    {
        JObject[] OfClients(int clients) =>
            [.. Cell("enet", clients, 1, 10_000), .. Cell("enet", clients, 2, 10_000)];
        Render([.. new[] { 1, 2, 5, 10, 20, 50, 100 }.SelectMany(OfClients)]);
        (string, string)[] charts =
        [
            ("percentiles", "1 client x 1"),
            ("parallel", "100 clients"),
            ("cpu", "100 clients x 2"),
        ];
        foreach (var (kind, shown) in charts)
        {
            var titles = All(Svg(kind), "text").Where(text => text.Attribute("font-weight") != null).ToArray();
            Assert.Equal(4, titles.Length);
            Assert.Contains(titles, title => title.Value.Contains(shown));
        }
    }

    [Fact]
    public void Floors_are_dashed_lower_bounds_hollow_and_the_highest_rate_with_the_SLO_ringed()
    {
        var color = ColorsOf("kcp2k")["kcp2k"];
        Render([.. Loads("udp"), .. Loads("kcp2k", isClientBound: true)]);
        foreach (var kind in new[] { "throughput", "memory", "percentiles", "rate-latency" })
        {
            var ofFloor = All(Svg(kind), "path").Where(IsLine).ToLookup(line => StrokeOf(line) == Floor);
            Assert.All(ofFloor[true], line => Assert.NotNull(line.Attribute("stroke-dasharray")));
            Assert.All(ofFloor[false], line => Assert.Null(line.Attribute("stroke-dasharray")));
            Assert.True(ofFloor[true].Any() && ofFloor[false].Any(), kind);
        }
        foreach (var kind in new[] { "parallel", "cpu" })
        {
            var boxes = All(Svg(kind), "path")
                .Where(path => path.Attribute("stroke") != null && path.Attribute("stroke-width") == null)
                .ToLookup(box => box.Attribute("stroke-dasharray") != null);
            Assert.All(boxes[true], box => Assert.Equal(Floor, StrokeOf(box)));
            Assert.True(boxes[true].Count() >= 4 && boxes[false].Any(), kind);
        }
        // There are 2 numbers of clients x 2 in flight.
        var bars = All(Svg("parallel"), "path").Where(path => StrokeOf(path) == color).ToArray();
        Assert.Equal(4, bars.Length);
        Assert.All(bars, bar => Assert.Equal(Ground, (string?)bar.Attribute("fill")));
        var throughput = Svg("throughput");
        var dots = All(throughput, "path").Concat(All(throughput, "circle"));
        Assert.Equal(4, dots.Count(dot => (string?)dot.Attribute("fill") == Ground && StrokeOf(dot) == color));
        Assert.Equal(4, Words(Svg("heat-map")).Count(words => words.StartsWith('≥')));
        // p99 is 10 ms at 100 messages/s, and 0.2 ms at 5,000.
        var rings = All(Svg("rate-latency"), "circle").Where(circle => (string?)circle.Attribute("r") == "8");
        Assert.Equal([color, Floor], rings.Select(StrokeOf).OrderDescending(StringComparer.Ordinal));
        Assert.Contains("SLO: p99 5 ms", Words(Svg("rate-latency")));
    }

    [Fact]
    public void Whiskers_are_the_interval_and_not_the_extremes()
    {
        // 5 launches: the t-interval of the mean, 10,000 ± 2.776 x 707.1 / √5, as the table has it.
        double[] rates = [9_000, 9_999, 10_000, 10_001, 11_000];
        Render([.. rates.SelectMany(rate => Cell("enet", 1, 1, rate)), .. Cell("udp", 1, 1, 1_000)]);
        Assert.Contains("9,122–10,878 (95 %)", File.ReadAllText(scratch.PathOf("report.md")));
        const double PlotTop = 30;
        const double PlotBottom = 294;
        var svg = Svg("throughput");
        var ticks = All(svg, "text")
            .Where(text => (string?)text.Attribute("text-anchor") == "end")
            .ToDictionary(text => text.Value, text => Number(text, "y") - 4);
        // A logarithmic axis: places between two ticks tell the figure.
        double At(double rate) => ticks["1,000"] + (ticks["10,000"] - ticks["1,000"]) * (Math.Log10(rate) - 3);
        var whisker = Assert.Single(All(svg, "path"), IsWhisker);
        var ends = Regex.Matches((string)whisker.Attribute("d")!, @"[\d.]+ ([\d.]+)")
            .Select(end => double.Parse(end.Groups[1].Value, CultureInfo.InvariantCulture))
            .ToArray();
        Assert.InRange(ends[0], PlotTop, PlotBottom);
        Assert.Equal(At(9_122), ends[0], 0.3);
        Assert.Equal(At(10_878), ends[1], 0.3);
    }

    static string? StrokeOf(XElement element) => (string?)element.Attribute("stroke");

    static bool IsLine(XElement path) =>
        (string?)path.Attribute("fill") == "none" && (string?)path.Attribute("stroke-width") is "2" or "2.5";

    // Thin as axes and grid are, but neither of their colours nor as flat as a whisker's caps.
    static bool IsWhisker(XElement path) =>
        (string?)path.Attribute("stroke-width") == "1"
        && StrokeOf(path) is not ("#222222" or "#dddddd" or "#f3f3f3")
        && !IsFlat(path);

    static bool IsFlat(XElement path) =>
        Regex.IsMatch((string)path.Attribute("d")!, @"^M[\d.]+ ([\d.]+)L[\d.]+ \1$");
}
