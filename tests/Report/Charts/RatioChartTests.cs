using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Newtonsoft.Json.Linq;

/// <summary>The charts of throughput in turn: ratios to the plain socket, and the rates one click away.</summary>
public sealed class RatioChartTests : DrawnCharts
{
    const string Says = "times the plain socket's";

    [Fact]
    public void In_turn_the_ratio_is_drawn_with_its_interval_and_the_rates_are_linked_to()
    {
        var aside = MadeUp.With(Cell("aside", 1, 1, 20_000), ("settings.rounds", 12));
        Render([.. Rounds("udp", 1), .. Rounds("enet", 0.6), .. Rounds("kcp2k", 0.7), .. aside]);
        var svg = Svg("throughput");
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.Contains($"![Throughput against clients, {Says}, unreliable", page);
        Assert.Contains("\n[Throughput against clients in messages/s, unreliable", page);
        Assert.Contains("](throughput-absolute-unreliable.svg)\n", page);
        var pictures = string.Concat(Regex.Matches(page, @"!\[[^]]*\]\([^)]*\)"));
        Assert.DoesNotContain("(throughput-absolute-unreliable.svg)", pictures);
        // What was measured apart stands in the chart of the rates alone.
        Assert.Contains("aside", Words(Svg("throughput-absolute")));
        Assert.DoesNotContain("aside", Words(svg));
        Assert.Contains($"{Says} messages/s", Words(svg));
        Assert.Contains("messages/s", Words(Svg("throughput-absolute")));
        Assert.Contains("udp (plain socket)", Words(svg));

        // A linear axis from 0: places between two ticks tell the figure.
        var ticks = All(svg, "text")
            .Where(text => (string?)text.Attribute("text-anchor") == "end")
            .ToDictionary(text => text.Value, text => Number(text, "y") - 4);
        double At(double ratio) => ticks["0"] + (ticks["1"] - ticks["0"]) * ratio;
        var one = Assert.Single(All(svg, "path"), path => path.Attribute("stroke-dasharray") != null);
        Assert.Equal(Floor, (string?)one.Attribute("stroke"));
        Assert.Equal("2", (string?)one.Attribute("stroke-width"));
        Assert.All(Heights(one), height => Assert.Equal(At(1), height, 0.1));
        var rows = Tool.Run("export", scratch.Folder).WithCode(0).Out.Select(line => line.Split(','));
        var csv = rows.Single(row => row[0] == "enet" && row.Contains("ratio_to_plain"));
        var color = ColorOf(svg, 0);
        var thin = All(svg, "path").Where(path => (string?)path.Attribute("stroke-width") == "1");
        var whisker = thin
            .Where(path => (string?)path.Attribute("stroke") == color)
            .Select(Heights)
            .Single(ends => ends[0] != ends[1]);
        Assert.Equal(At(double.Parse(csv[^4], CultureInfo.InvariantCulture)), whisker[0], 0.3);
        Assert.Equal(At(double.Parse(csv[^3], CultureInfo.InvariantCulture)), whisker[1], 0.3);
        Assert.InRange(whisker[0] - whisker[1], 5, 100);
    }

    [Fact]
    public void All_charts_of_throughput_are_of_the_ratio_and_no_panel_is_of_the_plain_socket()
    {
        var records =
            from parallel in new[] { 1, 10 }
            from clients in new[] { 1, 100 }
            from library in new[] { (Name: "udp", Speed: 1.0), (Name: "enet", Speed: 0.6) }
            from record in Rounds(library.Name, library.Speed, clients, parallel)
            select record;
        Render([.. records]);
        Assert.Contains($"{Says} messages/s", Words(Svg("parallel")));
        Assert.Contains("udp (plain socket)", Words(Svg("parallel")));
        Assert.Contains("enet, unreliable: x plain", Words(Svg("heat-map")));
        Assert.DoesNotContain(Words(Svg("heat-map")), words => words.StartsWith("udp"));
    }

    [Fact]
    public void Without_a_plain_socket_in_the_same_rounds_the_rates_are_drawn()
    {
        Render([.. Rounds("enet", 0.6), .. Rounds("kcp2k", 0.7)]);
        Assert.Contains("messages/s", Words(Svg("throughput")));
        Assert.DoesNotContain("throughput-absolute-unreliable.svg", Files("*.svg"));
        Assert.DoesNotContain("throughput-absolute", File.ReadAllText(scratch.PathOf("report.md")));
    }

    // Five launches, each faster than the last, of rounds between which the machine drifts.
    static JObject[] Rounds(string library, double speed, int clients = 1, int parallel = 1)
    {
        double[] RatesOf(int launch)
        {
            var times = library == "udp" ? 1 : speed * (1 + 0.04 * launch);
            return [.. Enumerable.Range(1, 12).Select(round => 1_000 * round * times)];
        }
        var rates = Enumerable.Range(0, 5).Select(RatesOf).ToArray();
        return MadeUp.With(
            MadeUp.InTurn(library, "unreliable", clients * parallel, rates),
            ("settings.clients", clients),
            ("settings.parallel", parallel));
    }

    // Of the nth of the libraries' dots.
    static string? ColorOf(XElement svg, int place)
    {
        var fills = All(svg, "path").Concat(All(svg, "circle")).Select(dot => (string?)dot.Attribute("fill"));
        return fills.Where(fill => fill is not (null or "none" or Ground)).ElementAt(place);
    }

    static double[] Heights(XElement path)
    {
        var points = Regex.Matches((string)path.Attribute("d")!, @"[\d.]+ ([\d.]+)");
        return [.. points.Select(point => double.Parse(point.Groups[1].Value, CultureInfo.InvariantCulture))];
    }
}
