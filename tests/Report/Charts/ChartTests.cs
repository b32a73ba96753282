using Newtonsoft.Json.Linq;

/// <summary>Which charts a sweep has, and what they show.</summary>
public sealed class ChartTests : ShownCharts
{
    static readonly string[] kinds =
    [
        "server-cpu",
        "throughput",
        "parallel",
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
            ("server-cpu", "stacked bars",
                "the server's CPU time per message, 100 messages/s (1 client at 100/s)", "CPU µs per message"),
            ("throughput", "lines", "throughput, 1 in flight per client", "clients"),
            ("parallel", "bars", "throughput, 1 client", "messages in flight per client"),
            ("round-trips", "ranges", "round trips", "round trip at saturation"),
            ("percentiles", "lines", "round trips by percentile, 1 client with 1 in flight",
                "percentile of the round trips"),
            ("rate-latency", "lines", "round trips at a given rate, 1 client", "messages/s offered"),
            ("round-trips-at-rate", "ranges", "round trips", "round trip from the due time"),
            ("cpu", "stacked bars", "CPU time per message, 1 client with 1 in flight", "CPU µs per message"),
            ("memory", "lines", "memory of the server, 1 in flight per client", "clients"),
        ];
        foreach (var (kind, sort, title, x) in panels)
        {
            var panel = Panels(kind)[0];
            Assert.Equal((kind, sort), (kind, (string?)panel["kind"]));
            Assert.Equal($"Unreliable: {title}, 32-byte messages", (string?)panel["title"]);
            Assert.Equal(x, (string?)panel["x"]!["title"]);
        }
        Assert.Equal("messages/s", (string?)Panels("throughput")[0]["y"]!["title"]);
        Assert.Equal("resident MiB", (string?)Panels("memory")[0]["y"]!["title"]);
        Assert.Equal("time", (string?)Panels("round-trips")[0]["x"]!["format"]);
        // Charts come before the tables, in each of which all cells are.
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        var page = Pages.In(scratch.Folder);
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
            ("percentiles", "1 client with 1 in flight"),
            ("parallel", "100 clients"),
            ("cpu", "100 clients with 2 in flight each"),
        ];
        foreach (var (kind, title) in charts)
        {
            Assert.Equal(4, Panels(kind).Length);
            Assert.Contains(Panels(kind), panel => ((string)panel["title"]!).Contains(title));
        }
        Assert.Equal(8, Panel("round-trips")["groups"]!.Count());
    }

    [Fact]
    public void Baselines_are_dashed_lower_bounds_hollow_and_the_highest_rate_with_the_SLO_ringed()
    {
        Show([.. Loads("udp"), .. Loads("kcp2k", isClientBound: true)]);
        foreach (var (kind, list) in ofLibraries)
        {
            var ofBaseline = All(Panels(kind), list).ToLookup(shown => ColorOf(shown) == BaselineColor);
            Assert.All(ofBaseline[true], shown => Assert.Equal((kind, "dashed"), (kind, PatternOf(shown))));
            Assert.All(ofBaseline[false], shown => Assert.Equal((kind, "solid"), (kind, PatternOf(shown))));
            Assert.True(ofBaseline[true].Any() && ofBaseline[false].Any(), kind);
        }
        // There are 2 numbers of clients x 2 in flight.
        var bars = All(All(Panels("parallel"), "series"), "bars").ToLookup(bar => Is(bar, "is_lower_bound"));
        Assert.Equal((4, 4), (bars[true].Count(), bars[false].Count()));
        var points = All(All(Panels("throughput"), "lines"), "points").ToLookup(point => Is(point, "is_lower_bound"));
        Assert.Equal((4, 4), (points[true].Count(), points[false].Count()));
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
        Assert.Contains("9,122–10,878 (95 %)", Pages.In(scratch.Folder));
        var enet = All(Panels("throughput"), "bars").Single(bar => (string?)bar["name"] == "enet");
        Assert.Equal(10_000, (double)Assert.Single(enet["figures"]!), 0.1);
        Assert.Equal(9_122, (double)enet["low"]!, 0.5);
        Assert.Equal(10_878, (double)enet["high"]!, 0.5);
        var udp = All(Panels("throughput"), "bars").Single(bar => (string?)bar["name"] == "udp (baseline)");
        Assert.Null(udp["low"]);
    }

    [Fact]
    public void A_single_load_has_sorted_bars_with_full_names_and_intervals()
    {
        var named = MadeUp.With(
            [.. Cell("standardnetworklibrary", 100, 10, 20_000), .. Cell("standardnetworklibrary", 100, 10, 22_000)],
            ("settings.variant", "rudp"),
            ("settings.profile", "tuned"));
        Show([.. Cell("udp", 100, 10, 15_000), .. Cell("kcp2k", 100, 10, 9_000, isClientBound: true), .. named]);
        var panel = Panel("throughput");
        Assert.Equal("sorted bars", (string?)panel["kind"]);
        Assert.Equal(
            "Unreliable: throughput, 100 clients with 10 in flight each, 32-byte messages",
            (string?)panel["title"]);
        var bars = panel["bars"]!.ToArray();
        Assert.Equal(
            ["standardnetworklibrary rudp (tuned)", "udp (baseline)", "kcp2k"],
            bars.Select(bar => (string?)bar["name"]));
        Assert.Equal(["21,000", "15,000", "≥ 9,000"], bars.Select(bar => (string?)bar["label"]));
        Assert.Equal((20_000, 22_000), ((double)bars[0]["low"]!, (double)bars[0]["high"]!));
        Assert.Equal([false, false, true], bars.Select(bar => Is(bar, "is_lower_bound")));
        // The page says nothing of clients either, against which nothing is shown.
        Assert.StartsWith("Throughput, unreliable", ShownWords[0]);
    }

    [Fact]
    public void Bars_of_cost_are_sorted_the_least_first()
    {
        Show([.. Cell("enet", 1, 1, 10_000), .. Cell("kcp2k", 1, 1, 30_000), .. Cell("litenetlib", 1, 1, 20_000)]);
        var sums = Panel("cpu")["bars"]!.Select(bar => bar["figures"]!.Sum(figure => (double)figure));
        Assert.Equal(sums.Order(), sums);
    }

    [Fact]
    public void Nines_of_percentiles_are_marked_each()
    {
        Show(Cell("enet", 1, 1, 10_000));
        var ticks = Panel("percentiles")["x"]!["ticks"]!.Select(tick => (string?)tick["label"]);
        Assert.Equal(["least", "90", "99", "99.9"], ticks);
    }

    [Fact]
    public void Axes_are_logarithmic_where_figures_differ_much_and_marked_where_was_measured()
    {
        Show([.. Cell("enet", 1, 1, 10_000), .. Cell("enet", 200, 1, 90_000)]);
        var panel = Panel("throughput");
        Assert.False(Is(panel["y"]!, "is_log"));
        Assert.True(Is(panel["x"]!, "is_log"));
        // Two alone would not show that it is logarithmic.
        Assert.Equal(["1", "10", "100", "200"], panel["x"]!["ticks"]!.Select(tick => (string?)tick["label"]));
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
        // Half of either side's 100 µs per message is the user's.
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
        Assert.Equal("10 clients with 1 in flight each", (string?)group["title"]);
        // Each takes 1 ms, within 1 %; there are 10,000, and ten are to lie beyond a percentile.
        var figures = Assert.Single(group["rows"]!)["figures"]!.ToArray();
        Assert.All(figures.Where(figure => figure.Type != JTokenType.Null), figure =>
            Assert.InRange((double)figure, 0.99e6, 1.01e6));
        Assert.Equal(3, figures.Length);
        Assert.Equal(JTokenType.Float, figures[1].Type);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(10, 100)]
    public void Streams_have_nothing_in_flight(params int[] clients)
    {
        Write([.. clients.SelectMany(some => MadeUp.With(Cell("enet", some, 1, 10_000), MadeUp.Streamed()))]);
        string[] titles =
        [
            .. ChartsOf(scratch.Folder)
                .SelectMany(chart => chart.SelectTokens("$..title"))
                .Select(title => $"{title}"),
        ];
        Assert.Contains(titles, title => title.Contains("throughput"));
        Assert.DoesNotContain(titles, title => title.Contains("in flight"));
    }
}
