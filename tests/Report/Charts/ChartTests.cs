using Newtonsoft.Json.Linq;

/// <summary>Which charts a sweep has, and what they show.</summary>
public sealed class ChartTests : ShownCharts
{
    static readonly string[] kinds =
    [
        "throughput",
        "parallel",
        "heat-map",
        "round-trips",
        "percentiles",
        "rate-latency",
        "round-trips-at-rate",
        "cpu",
        "memory",
    ];

    [Fact]
    public void Each_kind_of_chart_is_there_where_there_is_something_to_show()
    {
        Show([.. Loads("udp"), .. Loads("enet"), .. Loads("kcp2k", isClientBound: true)]);
        Assert.Equal(kinds.Select(kind => $"{kind}-unreliable"), ShownFiles);
        Assert.All(ShownWords, says => Assert.EndsWith(", unreliable, payload_bytes 32", says));
        (string Kind, string Panel, string Title, string X)[] panels =
        [
            ("throughput", "lines", "Throughput, unreliable, 1 in flight a client", "clients"),
            ("parallel", "bars", "Throughput, unreliable, 1 client", "messages in flight a client"),
            ("heat-map", "heat map", "enet, unreliable: messages/s", "clients"),
            ("round-trips", "ranges", "Round trips, unreliable", "round trip at saturation"),
            ("percentiles", "lines", "Round trips, unreliable, 1 client x 1 in flight", "percentile"),
            ("rate-latency", "lines", "At a given rate, unreliable, 1 client x 1", "messages/s offered"),
            ("round-trips-at-rate", "ranges", "Round trips, unreliable", "round trip from the due time"),
            ("cpu", "stacked bars", "CPU a message, unreliable, 1 client x 1", "CPU µs a message"),
            ("memory", "lines", "Memory of the server, unreliable, 1 in flight a client", "clients"),
        ];
        foreach (var (kind, sort, title, x) in panels)
        {
            var panel = Panels(kind)[0];
            Assert.Equal((sort, title), ((string?)panel["kind"], (string?)panel["title"]));
            Assert.Equal($"{x} (payload_bytes 32)", (string?)panel["x"]!["title"]);
        }
        Assert.Equal("messages/s", (string?)Panels("throughput")[0]["y"]!["title"]);
        Assert.Equal("resident MiB", (string?)Panels("memory")[0]["y"]!["title"]);
        Assert.Equal("time", (string?)Panels("round-trips")[0]["x"]!["format"]);
        // Charts come before the tables, in each of which all cells are.
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.InRange(page.IndexOf("\n## Charts\n"), page.IndexOf("\n## Verdict\n"), page.IndexOf("\n## Cells\n"));
    }

    [Fact]
    public void Of_a_single_load_nothing_is_drawn_that_needs_two()
    {
        Show(Cell("enet", 1, 1, 10_000));
        Assert.Equal(
            ["throughput", "round-trips", "percentiles", "cpu"],
            ShownFiles.Select(file => file.Replace("-unreliable", "")));
    }

    [Fact]
    public void More_loads_than_fit_are_chosen_evenly()
    {
        JObject[] OfClients(int clients) =>
            [.. Cell("enet", clients, 1, 10_000), .. Cell("enet", clients, 2, 10_000)];
        Show([.. new[] { 1, 2, 5, 10, 20, 50, 100 }.SelectMany(OfClients)]);
        (string, string)[] charts =
        [
            ("percentiles", "1 client x 1"),
            ("parallel", "100 clients"),
            ("cpu", "100 clients x 2"),
        ];
        foreach (var (kind, title) in charts)
        {
            Assert.Equal(4, Panels(kind).Length);
            Assert.Contains(Panels(kind), panel => ((string)panel["title"]!).Contains(title));
        }
        Assert.Equal(8, Panel("round-trips")["groups"]!.Count());
    }

    [Fact]
    public void Floors_are_dashed_lower_bounds_hollow_and_the_highest_rate_with_the_SLO_ringed()
    {
        Show([.. Loads("udp"), .. Loads("kcp2k", isClientBound: true)]);
        (string Kind, string List)[] lists =
        [
            ("throughput", "lines"),
            ("memory", "lines"),
            ("percentiles", "lines"),
            ("rate-latency", "lines"),
            ("parallel", "series"),
            ("cpu", "bars"),
        ];
        foreach (var (kind, list) in lists)
        {
            var ofFloor = All(Panels(kind), list).ToLookup(shown => (string?)shown["color"] == Floor);
            Assert.All(ofFloor[true], shown => Assert.True(Is(shown, "is_dashed"), kind));
            Assert.All(ofFloor[false], shown => Assert.False(Is(shown, "is_dashed"), kind));
            Assert.True(ofFloor[true].Any() && ofFloor[false].Any(), kind);
        }
        // There are 2 numbers of clients x 2 in flight.
        var bars = All(All(Panels("parallel"), "series"), "bars").ToLookup(bar => Is(bar, "is_lower_bound"));
        Assert.Equal((4, 4), (bars[true].Count(), bars[false].Count()));
        var points = All(All(Panels("throughput"), "lines"), "points").ToLookup(point => Is(point, "is_lower_bound"));
        Assert.Equal((4, 4), (points[true].Count(), points[false].Count()));
        Assert.Equal(
            4,
            All(Panels("heat-map"), "fields").Count(field => ((string)field["words"]!).StartsWith('≥')));
        // p99 is 10 ms at 100 messages/s, and 0.2 ms at 5,000.
        var panel = Panel("rate-latency");
        var lines = All([panel], "lines");
        foreach (var line in lines.Where(line => !Is(line, "is_thin")))
        {
            var ringed = Assert.Single(line["points"]!, point => Is(point, "is_ringed"));
            Assert.Equal(5_000, (double)ringed["x"]!);
        }
        Assert.Equal(2, lines.Count(line => Is(line, "is_thin")));
        Assert.Equal("highest with the SLO", (string?)panel["rings"]);
        var level = Assert.Single(panel["levels"]!);
        Assert.Equal(("SLO: p99 5 ms", 5e6), ((string?)level["name"], (double)level["y"]!));
        Assert.False(Is(level, "is_baseline"));
    }

    [Fact]
    public void Whiskers_are_the_interval_and_not_the_extremes()
    {
        // 5 launches: the t-interval of the mean, 10,000 ± 2.776 x 707.1 / √5, as the table has it.
        double[] rates = [9_000, 9_999, 10_000, 10_001, 11_000];
        Show([.. rates.SelectMany(rate => Cell("enet", 1, 1, rate)), .. Cell("udp", 1, 1, 1_000)]);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        Assert.Contains("9,122–10,878 (95 %)", File.ReadAllText(scratch.PathOf("report.md")));
        var enet = Assert.Single(Line(Panel("throughput"), "enet")["points"]!);
        Assert.Equal(10_000, (double)enet["y"]!, 0.1);
        Assert.Equal(9_122, (double)enet["low"]!, 0.5);
        Assert.Equal(10_878, (double)enet["high"]!, 0.5);
        var udp = Assert.Single(Line(Panel("throughput"), "udp (baseline)")["points"]!);
        Assert.Null(udp["low"]);
    }

    [Fact]
    public void Axes_are_logarithmic_where_figures_differ_much_and_marked_where_was_measured()
    {
        Show([.. Cell("enet", 1, 1, 10_000), .. Cell("enet", 200, 1, 90_000)]);
        var panel = Panel("throughput");
        Assert.False(Is(panel["y"]!, "is_log"));
        Assert.True(Is(panel["x"]!, "is_log"));
        Assert.Equal(["1", "200"], panel["x"]!["ticks"]!.Select(tick => (string?)tick["label"]));
        Show([.. Cell("enet", 1, 1, 10_000), .. Cell("enet", 200, 1, 110_000)]);
        Assert.True(Is(Panel("throughput")["y"]!, "is_log"));
    }

    [Fact]
    public void Lines_stand_in_the_order_of_their_right_ends()
    {
        Show(
        [
            .. Cell("enet", 1, 1, 9_000),
            .. Cell("enet", 10, 1, 10_000),
            .. Cell("kcp2k", 1, 1, 8_000),
            .. Cell("kcp2k", 10, 1, 30_000),
            .. Cell("udp", 1, 1, 20_000),
        ]);
        Assert.Equal(
            ["kcp2k", "udp (baseline)", "enet"],
            Panel("throughput")["lines"]!.Select(line => (string?)line["name"]));
    }

    [Fact]
    public void Bars_of_CPU_time_add_up_to_what_is_written_at_their_ends()
    {
        Show(Cell("enet", 1, 1, 10_000));
        var bar = Assert.Single(Panel("cpu")["bars"]!);
        // Half of either side's 100 µs a message is the user's.
        Assert.Equal([50, 50, 50, 50], bar["figures"]!.Select(figure => Math.Round((double)figure, 6)));
        Assert.Equal("200", (string?)bar["label"]);
        string[] parts = ["clients, user", "clients, system", "server, user", "server, system"];
        Assert.Equal(parts, Panel("cpu")["parts"]!.Select(part => (string?)part["name"]));
        Assert.Equal(4, Panel("cpu")["parts"]!.Select(part => (double)part["opacity"]!).Distinct().Count());
    }

    [Fact]
    public void Rows_of_round_trips_have_the_percentiles_that_are_known()
    {
        Show(Cell("enet", 10, 1, 10_000));
        var panel = Panel("round-trips");
        Assert.Equal(["p50", "p99", "p99.9"], panel["marks"]!.Select(mark => (string?)mark["name"]));
        var group = Assert.Single(panel["groups"]!);
        Assert.Equal("10 clients x 1 in flight", (string?)group["title"]);
        // Each takes 1 ms, within 1 %; there are 10,000, and ten are to lie beyond a percentile.
        var figures = Assert.Single(group["rows"]!)["figures"]!.ToArray();
        Assert.All(figures.Where(figure => figure.Type != JTokenType.Null), figure =>
            Assert.InRange((double)figure, 0.99e6, 1.01e6));
        Assert.Equal(3, figures.Length);
        Assert.Equal(JTokenType.Float, figures[1].Type);
    }
}
