using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The charts of interleaved throughput: ratios to the baseline, and the rates one click away.</summary>
public sealed class RatioChartTests : ShownCharts
{
    const string Says = "times the baseline's";

    [Fact]
    public void Interleaved_the_ratio_is_drawn_with_its_interval_and_the_rates_besides()
    {
        var aside = MadeUp.With(Cell("aside", 1, 1, 20_000), ("settings.rounds", 12));
        Show([.. Rounds("udp", 1), .. Rounds("enet", 0.6), .. Rounds("kcp2k", 0.7), .. aside]);
        Assert.Contains($"Throughput, {Says}, unreliable, payload_bytes 32", ShownWords);
        // What was measured separately stands in the chart of the rates alone.
        var ratios = Panel("throughput");
        var rates = Panel("throughput-absolute");
        string[] highestFirst = ["udp (baseline)", "kcp2k", "enet"];
        Assert.Equal(highestFirst, NamesIn(ratios));
        Assert.Contains("aside", NamesIn(rates));
        Assert.Equal($"{Says} messages/s", (string?)ratios["x"]!["title"]);
        Assert.Equal("messages/s", (string?)rates["x"]!["title"]);
        Assert.Null(rates["baseline"]);

        var one = ratios["baseline"]!;
        Assert.Equal(("udp (baseline)", BaselineColor), ((string?)one["name"], (string?)one["color"]));
        Assert.Equal(1, (double)one["y"]!);
        Assert.True(Is(one, "is_baseline"));
        var rows = Tool.Run("export", scratch.Folder).WithCode(0).Out.Select(line => line.Split(','));
        var csv = rows.Single(row => row[0] == "enet" && row.Contains("ratio_to_baseline"));
        var bar = ratios["bars"]!.Single(bar => (string?)bar["name"] == "enet");
        Assert.Equal(double.Parse(csv[^4], CultureInfo.InvariantCulture), (double)bar["low"]!, 5);
        Assert.Equal(double.Parse(csv[^3], CultureInfo.InvariantCulture), (double)bar["high"]!, 5);
        var ratio = (double)Assert.Single(bar["figures"]!);
        Assert.InRange(ratio, (double)bar["low"]! + 0.01, (double)bar["high"]! - 0.01);
    }

    [Fact]
    public void The_chart_of_the_rates_is_linked_to_and_not_shown()
    {
        Write([.. Rounds("udp", 1), .. Rounds("enet", 0.6)]);
        Pictures.Render(scratch.Folder);
        var page = Pages.In(scratch.Folder);
        Assert.Contains($"![Throughput, {Says}, unreliable", page);
        Assert.Contains("\n[Throughput in messages/s, unreliable", page);
        Assert.Contains("](throughput-absolute-unreliable.png)\n", page);
        var pictures = string.Concat(Regex.Matches(page, @"!\[[^]]*\]\([^)]*\)"));
        Assert.DoesNotContain("(throughput-absolute-unreliable.png)", pictures);
    }

    [Fact]
    public void All_charts_of_throughput_are_of_the_ratio_and_no_panel_is_of_the_baseline()
    {
        var records =
            from parallel in new[] { 1, 10 }
            from clients in new[] { 1, 100 }
            from library in new[] { (Name: "udp", Speed: 1.0), (Name: "enet", Speed: 0.6) }
            from record in Rounds(library.Name, library.Speed, clients, parallel)
            select record;
        Show([.. records]);
        foreach (var panel in Panels("parallel"))
        {
            Assert.Equal($"{Says} messages/s", (string?)panel["y"]!["title"]);
            Assert.Equal("udp (baseline)", (string?)panel["baseline"]!["name"]);
            Assert.Equal(["enet"], panel["series"]!.Select(series => (string?)series["name"]));
        }
        // Against clients they are lines, with the baseline as a level.
        Assert.All(Panels("throughput"), panel =>
        {
            Assert.Equal($"{Says} messages/s", (string?)panel["y"]!["title"]);
            Assert.Equal("udp (baseline)", (string?)Assert.Single(panel["levels"]!)["name"]);
        });
    }

    [Fact]
    public void Without_a_baseline_in_the_same_rounds_the_rates_are_drawn()
    {
        Show([.. Rounds("enet", 0.6), .. Rounds("kcp2k", 0.7)]);
        Assert.Equal("messages/s", (string?)Panel("throughput")["x"]!["title"]);
        Assert.DoesNotContain("throughput-absolute-unreliable", ShownFiles);
    }

    static string[] NamesIn(JObject panel) => [.. panel["bars"]!.Select(bar => (string)bar["name"]!)];

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
            MadeUp.Interleaved(library, "unreliable", clients * parallel, rates),
            ("settings.clients", clients),
            ("settings.parallel", parallel));
    }
}
