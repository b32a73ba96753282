using Newtonsoft.Json.Linq;

/// <summary>The report judges launches by rules with numbers in them: of each, one made-up launch just
/// within and one just beyond.</summary>
public sealed class JudgeTests : OfReport
{
    static (string, object?)[] Cpu(double client, double server) =>
    [
        .. Made.Cpu("client", client / 2, client / 2),
        .. Made.Cpu("server", server / 2, server / 2),
        ("window.outside.machine_cpu_s", client + server),
    ];

    // Both sides share both CPUs; neither is at 90 % of them.
    static (string, object?)[] Machine(double busy, double stolen) =>
    [
        .. Cpu(0.9, 0.95),
        ("ready.processor_count", 2),
        ("window.outside.machine_cpu_s", busy),
        ("window.outside.machine_steal_s", stolen),
    ];

    // One thread of a side that may use many CPUs.
    static (string, object?)[] Thread(string side, double seconds) =>
    [
        .. Cpu(0.95, 0.95),
        ("window.outside.machine_cpu_s", 1.0),
        ("ready.processor_count", 8),
        ($"{side}.window.outside.cpu_busiest_thread_s", seconds),
    ];

    // The round trip is 100 µs x in flight.
    static (string, object?)[] Tick(double seconds, double client = 0.5) =>
        [("client.ready.tick_s", seconds), .. Cpu(client, 0.4)];

    static readonly (string Verdict, (string, object?)[] Fields)[] bottlenecks =
    [
        ("–", []),
        ("client_bound", Cpu(0.9, 0.8)), ("–", Cpu(0.899, 0.8)), ("–", Cpu(0.9, 0.801)),
        ("server_bound", Cpu(0.8, 0.9)), ("–", Cpu(0.8, 0.899)), ("–", Cpu(0.801, 0.9)),
        ("machine_bound", Machine(1.85, 0.05)), ("–", Machine(1.849, 0.05)),
        ("–", [.. Machine(2, 0), ("window.outside.machine_steal_s", null)]),
        ("loss_bound", Made.Lost(100)), ("–", Made.Lost(99)),
        ("tick_bound", Tick(13e-4 / 1.09)), ("–", Tick(14e-4 / 1.12)), ("tick_bound", Tick(15e-4 / 0.91)),
        ("–", Tick(16e-4 / 0.89)), ("tick_bound", Tick(17e-4 / 0.52)), ("–", Tick(18e-4 / 0.4)),
        ("tick_bound", Tick(19e-4 / 4)), ("–", Tick(20e-4 / 5)), ("–", Tick(21e-4, client: 0.8)),
        ("client_bound", Thread("client", 0.9)), ("–", Thread("client", 0.899)),
        ("server_bound", Thread("server", 0.9)), ("–", Thread("server", 0.899)),
    ];

    [Fact]
    public void What_binds_a_row_is_said_from_the_edge_of_each_rule_on()
    {
        // Each is a row of its own number of messages in flight.
        var launches = bottlenecks.SelectMany((cell, i) => Made.Launch($"r1-{i + 1}", i + 1, cell.Fields));
        var page = Made.Render(scratch, launches.Prepend(Made.Machine));
        for (var i = 0; i < bottlenecks.Length; i++)
        {
            var row = Made.Row(page, "bound by", "udp (baseline)", "1", $"{i + 1}");
            Assert.Equal((i, bottlenecks[i].Verdict), (i, row["bound by"]));
        }
        var bound = Made.Row(page, "bound by", "udp (baseline)", "1", "2");
        Assert.Contains("client_bound: a lower bound of the library", bound["notes"]);
        var cost = Made.Row(page, "wire B/msg", "udp (baseline)", "1", "2");
        Assert.Equal("90.0 / 80.0", cost["busy % client / server"]);
    }

    [Fact]
    public void A_verdict_is_of_the_median_launch()
    {
        var page = Made.Render(scratch,
        [
            .. Made.Launch("r1", 1),
            .. Made.Launch("r2", 1, Cpu(0.95, 0.3)),
            .. Made.Launch("r3", 1, Cpu(0.91, 0.3)),
        ]);
        Assert.Equal("client_bound", Made.Row(page, "bound by", "udp (baseline)", "1", "1")["bound by"]);
    }

    static JArray Lag(long lowerNs, int late) => [new JArray(1_008, Made.Messages - late), new JArray(lowerNs, late)];

    static (string, object?)[] At(int rate, int completed, JArray lag, int notSent = 0) =>
    [
        ("settings.rate", rate),
        ("client.window.outcomes.send_lag_ns", lag),
        ("client.window.outcomes.completed", completed),
        ("client.other.outcomes.completed", Made.Messages - completed),
        ("client.window.outcomes.not_sent", notSent),
    ];

    [Fact]
    public void At_a_given_rate_a_row_is_valid_up_to_the_edge_of_each_rule()
    {
        (bool IsValid, (string, object?)[] Fields)[] cells =
        [
            (true, At(10_000, 10_000, Lag(1_998_848, 100))),
            (false, At(10_000, 10_000, Lag(1_998_848, 101))),
            (true, At(10_000, 10_000, Lag(991_232, 101))),
            (false, At(10_000, 10_000, Lag(999_424, 101))),
            // One message may be at the window's edge.
            (true, At(10_000, 9_899, Lag(1_998_848, 1))),
            (false, At(10_000, 9_898, Lag(1_998_848, 1), notSent: 7)),
        ];
        var launches = cells.SelectMany((cell, i) => Made.Launch($"r1-{i + 1}", i + 1, cell.Fields));
        var page = Made.Render(scratch, launches.Prepend(Made.Machine));
        Assert.DoesNotContain("Rates and latency", page);
        for (var i = 0; i < cells.Length; i++)
        {
            var row = Made.Row(page, "latency", "udp (baseline)", "1", $"{i + 1}");
            Assert.Equal((i, cells[i].IsValid ? "valid" : "invalid"), (i, row["latency"]));
            var isStruckOut = row["p99 µs"].StartsWith("~~") && row["p99 µs"].EndsWith("~~");
            Assert.Equal((i, !cells[i].IsValid), (i, isStruckOut));
            Assert.Equal((i, !cells[i].IsValid), (i, row["notes"].Contains("invalid for latency: ")));
            Assert.DoesNotContain("bound", row["notes"]);
        }
        var late = Made.Row(page, "latency", "udp (baseline)", "1", "2");
        Assert.Equal("2,007", late["send lag p99 µs"]);
        Assert.Equal("10,000", late["msgs/s offered"]);
        Assert.Equal("10,000", late["msgs/s achieved"]);
        var slow = Made.Row(page, "latency", "udp (baseline)", "1", "6");
        Assert.Equal("7", slow["not sent"]);
        Assert.EndsWith("; 7 due messages not sent", slow["notes"]);
        Assert.Contains("9,898 of 10,000 messages/s were achieved, under 99 %", slow["notes"]);
        Assert.Contains("Not drawn, as invalid: 3 rows.", page);
        var charts = ShownCharts.ChartsOf(scratch.Folder);
        var chart = charts.Single(chart => (string?)chart["file"] == "round-trips-at-rate-unreliable");
        var loads = chart["panels"]![0]!["groups"]!.Select(group => (string)group["title"]!);
        Assert.Equal(3, loads.Count(load => load == "10,000 messages/s (1 client at 10,000/s)"));
    }

    [Fact]
    public void The_send_lag_is_judged_over_all_launches_as_round_trips_are()
    {
        string NotesOf(int lateInFirst)
        {
            var page = Made.Render(scratch,
            [
                Made.Machine,
                .. Made.Launch("r1-at", 1, At(10_000, 10_000, Lag(1_998_848, lateInFirst))),
                .. Made.Launch("r2-at", 1, At(10_000, 10_000, Lag(2_000, 1))),
            ]);
            return Made.Row(page, "latency", "udp (baseline)", "1", "1")["notes"];
        }

        Assert.DoesNotContain("late", NotesOf(200));
        Assert.Contains("invalid for latency: messages were sent up to 2.01 ms late (p99), over 1.00 ms", NotesOf(201));
    }

    [Fact]
    public void Where_a_full_machine_made_messages_late_the_reason_says_so()
    {
        string NotesOf(double stolen)
        {
            (string, object?)[] busy = [.. Machine(1.85, stolen), .. At(10_000, 10_000, Lag(1_998_848, 200))];
            var page = Made.Render(scratch, [Made.Machine, .. Made.Launch("r1-at", 1, busy)]);
            return Made.Row(page, "latency", "udp (baseline)", "1", "1")["notes"];
        }

        Assert.Contains("invalid for latency: machine_bound: messages were sent up to ", NotesOf(0.05));
        Assert.Contains("invalid for latency: messages were sent up to ", NotesOf(0.049));
    }

    [Fact]
    public void Closed_and_open_loops_of_one_load_share_a_section_but_no_table()
    {
        var page = Made.Render(scratch,
        [
            Made.Machine,
            .. Made.Launch("r1", 1),
            .. Made.Launch("r2", 1),
            .. Made.Launch("r1-at", 1, At(10_000, 10_000, Lag(2_000, 1))),
            .. Made.Launch("r2-at", 1, At(10_000, 10_000, Lag(2_000, 1))),
        ]);
        Assert.Equal(2, page.Split("\n## Cells\n")[1].Split("\n### ").Length);
        Assert.Equal("0", Made.Row(page, "not sent", "udp (baseline)", "1", "1")["not sent"]);
        Assert.Equal("", Made.Row(page, "bound by", "udp (baseline)", "1", "1")["notes"]);
    }

    [Fact]
    public void Losses_are_the_kernels_as_far_as_it_dropped_datagrams()
    {
        (string Split, long? InErrors, long? Sndbuf)[] cells =
            [("0.600 / 0.400", 50, 10), ("1.00 / 0", 200, 0), ("0 / 1.00", 0, 0), ("n/a", null, 10)];
        static JObject[] Launch(int i, long? inErrors, long? sndbuf) => Made.Launch($"r1-{i}", i,
        [
            .. Made.Lost(100),
            ("window.outside.udp_in_errors", inErrors),
            ("window.outside.udp_rcvbuf_errors", inErrors / 2),
            ("window.outside.udp_sndbuf_errors", sndbuf),
        ]);
        var launches = cells.SelectMany((cell, i) => Launch(i + 1, cell.InErrors, cell.Sndbuf));
        var page = Made.Render(scratch, launches.Prepend(Made.Machine));
        for (var i = 0; i < cells.Length; i++)
        {
            var row = Made.Row(page, "bound by", "udp (baseline)", "1", $"{i + 1}");
            Assert.Equal((i, cells[i].Split), (i, row["lost % kernel / library"]));
        }

        // On two machines the kernels' drops, bytes and packets add up.
        page = Made.Render(scratch, [.. Made.TwoMachines, .. Launch(1, 20, 10)]);
        var ofBoth = Made.Row(page, "bound by", "udp (baseline)", "1", "1");
        Assert.Equal("0.600 / 0.400", ofBoth["lost % kernel / library"]);
        // 2 x 1,480 / 9,900.
        Assert.Equal("0.299", Made.Row(page, "wire B/msg", "udp (baseline)", "1", "1")["wire B/msg"]);
    }

    [Fact]
    public void A_connections_memory_is_the_slope_over_ten_times_as_many_clients()
    {
        // 50 MiB and 8 KiB a connection of the clients, 16 KiB of the server.
        static JObject[] Launch(int parallel, int clients) => Made.Launch(
            $"r1-{clients}x{parallel}",
            parallel,
            ("settings.clients", clients),
            ("client.connected.rss_bytes", (50 << 20) + clients * 8_192),
            ("server.connected.rss_bytes", (60 << 20) + clients * 16_384),
            ("client.ready.connect_s", 0.5),
            ("client.closed.disconnect_s", clients == 1 ? null : 0.02));
        var page = Made.Render(scratch,
        [
            .. Launch(1, 1),
            .. Launch(1, 4),
            .. Launch(1, 10),
            .. Launch(2, 2),
            .. Launch(2, 19),
            .. Launch(3, 100),
        ]);
        string[] Row(string clients, string parallel)
        {
            var row = Made.Row(page, "connections/s", "udp (baseline)", clients, parallel);
            return
            [
                row["connections/s"],
                row["disconnect ms"],
                row["KiB per connection client"],
                row["KiB per connection server"],
            ];
        }
        Assert.Equal(["2.00", "n/a", "8.00", "16.0"], Row("1", "1"));
        Assert.Equal(["20.0", "20.0", "8.00", "16.0"], Row("10", "1"));
        Assert.Equal(["38.0", "20.0", "n/a", "n/a"], Row("19", "2"));
        Assert.Equal(["200", "20.0", "n/a", "n/a"], Row("100", "3"));
    }

    [Fact]
    public void Memory_that_comes_with_the_load_is_no_connections()
    {
        // Each has 60 MiB when all are connected, and a further 1 MiB per connection when the window ends.
        static JObject[] Launch(int clients) => Made.Launch(
            $"r1-{clients}",
            1,
            ("settings.clients", clients),
            ("connected.rss_bytes", 60 << 20),
            ("window.rss_bytes", (60 + clients) << 20));
        var page = Made.Render(scratch, [.. Launch(1), .. Launch(100)]);
        var row = Made.Row(page, "connections/s", "udp (baseline)", "100", "1");
        Assert.Equal("0", row["KiB per connection client"]);
        Assert.Equal("0", row["KiB per connection server"]);
        var cost = Made.Row(page, "wire B/msg", "udp (baseline)", "100", "1");
        Assert.Equal("160 / 160", cost["RSS steady MiB client / server"]);
        var json = Tool.Run("export", scratch.Folder, "--format", "json").WithCode(0).Out;
        var exported = JArray.Parse(string.Join('\n', json));
        var ofMemory = exported.Where(metric => ((string)metric["metric"]!).EndsWith("_bytes_per_connection"));
        Assert.All(ofMemory, metric => Assert.Equal(0, (double)metric["median"]!));
    }

    [Fact]
    public void Profiles_are_rows_of_one_table_and_pinned_launches_a_table_of_their_own()
    {
        var plain = Made.Launch("r1", 1, ("library", "x"));
        var tuned = Made.Launch(
            "r1-tuned",
            1,
            ("library", "x"),
            ("settings.profile", "tuned"),
            ("client.ready.tuning", JObject.Parse("""{"a|b":"*x*","n":7}""")),
            ("server.ready.tuning", JObject.Parse("""{"on":true}""")));
        var pinned = Made.Launch(
            "r1-pinned",
            1,
            ("library", "x"),
            ("settings.server_cpus", "0"),
            ("settings.client_cpus", "1"));
        var page = Made.Render(scratch, [.. plain, .. tuned, .. pinned]);
        var sections = page.Split("\n## Cells\n")[1].Split("\n### ");
        Assert.StartsWith("unreliable, payload_bytes 32, server_cpus 0, client_cpus 1\n", sections[1]);
        Assert.StartsWith("unreliable, payload_bytes 32, server_cpus all, client_cpus all\n", sections[2]);
        Made.Row(sections[2], "bound by", "x", "1", "1");
        Made.Row(sections[2], "bound by", "x (tuned)", "1", "1");
        Assert.DoesNotContain("(tuned)", sections[1]);
        Assert.Contains("\n\nx (tuned): client a\\|b \\*x\\*, n 7\n\nx (tuned): server on yes\n", sections[2]);
    }
}
