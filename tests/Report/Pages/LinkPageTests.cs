using Newtonsoft.Json.Linq;

/// <summary>What was measured over links has a section a kind of delivery, whatever the number of links, a verdict of
/// its own, and is invalid where the link was not what was asked.</summary>
public sealed class LinkPageTests : OfReport
{
    // A cell at 1,000 messages/s over 10 s, whose answers all take so long.
    static JObject[] Over(string library, double rttMs, double lossPercent, double answerMs, int bytes)
    {
        var runId = $"{library}-{rttMs}-{lossPercent}";
        return MadeUp.Cell(library, "reliable-ordered", 10, [1_000],
        [
            ("run_id", runId),
            ("settings.run_id", runId),
            ("settings.rate", 1_000),
            ("settings.seconds", 10.0),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(1_000, 10_000) }),
            .. MadeUp.Answered(10_000, (long)(answerMs * 1e6)),
            ("settings.rtt_ms", rttMs),
            ("settings.loss_percent", lossPercent),
            ("launch.link", LinkOf(rttMs, lossPercent, bytes)),
        ]);
    }

    static JObject LinkOf(double rttMs, double lossPercent, int bytes) => new()
    {
        ["emulator"] = "tun",
        ["mtu_bytes"] = 1_500,
        ["queue_bytes"] = null,
        ["cpu"] = null,
        ["cpu_s"] = 0.5,
        ["probe_sent"] = Both(1_000),
        ["probe_lost"] = Both((int)(20 * lossPercent)),
        ["probe_rtt_p50_us"] = Both((int)(1_000 * rttMs) + 100),
        ["probe_rtt_p99_us"] = Both(60_000),
        ["probe_rate_kbit"] = new JArray(),
        ["packets"] = Both(10_000),
        ["bytes"] = Both(bytes * 5_000),
        ["lost"] = Both(200),
        ["dropped"] = Both(0),
        ["late_p99_us"] = new JArray(50, 70),
    };

    // The same before and after the run, or in either direction.
    static JArray Both(int value) => new(value, value);

    string Render(params JObject[][] cells) =>
        Rendered([MadeUp.Machine(("repeats", 1)), .. cells.SelectMany(cell => cell)]);

    [Theory]
    [InlineData(10, 900_000, "")]
    [InlineData(10, 1_100_000, "1.00 ms")]
    [InlineData(80, 3_900_000, "")]
    [InlineData(80, 4_200_000, "4.00 ms")]
    public void Messages_may_be_sent_late_by_a_small_part_of_the_round_trip(double rttMs, int lagNs, string over)
    {
        var lags = new JArray { new JArray(MadeUp.BucketOf(lagNs), 10_000) };
        var cell = Over("enet", rttMs, 0, rttMs, 100);
        var page = Render(MadeUp.With(cell, ("client.window.outcomes.send_lag_ns", lags)));
        Assert.Equal(over != "", page.Contains($"late (p99), over {over}"));
        Assert.Equal(over != "", page.Contains("invalid for latency: "));
    }

    // At the server, behind what the link lost.
    [Theory]
    [InlineData(0, 100_000, "")]
    [InlineData(0, 94_000, "the link's rate was 94.0 Mbit/s, not 100")]
    [InlineData(10, 100_000, "")]
    [InlineData(10, 90_000, "the link's rate was 90.0 Mbit/s, not 100")]
    public void A_link_has_its_rate_within_a_twentieth_whatever_it_loses(double lossPercent, int kbit, string reason)
    {
        var cell = Over("enet", 50, lossPercent, 51, 100);
        var page = Render(MadeUp.With(
            cell, ("settings.rate_mbit", 100), ("launch.link.probe_rate_kbit", Both(kbit))));
        Assert.Equal(reason != "", page.Contains("the link's rate was"));
        Assert.Contains(reason, page);
    }

    // Ten clients and round trips of 300 ms make 33.3 a second; a window of 1 s holds four volleys.
    [Fact]
    public void A_closed_loop_is_no_faster_than_its_round_trips_however_short_the_window_is()
    {
        var cell = MadeUp.With(
            Over("tcp", 300, 0, 300, 100),
            [
                ("settings.rate", 0), ("settings.clients", 10), ("settings.parallel", 1), ("settings.seconds", 1.0),
                .. MadeUp.Lasting(1),
                .. MadeUp.Answered(40, 300_000_000),
                ("client.window.outcomes.send_lag_ns", new JArray()),
            ]);
        var row = Made.Row(Render(cell), "in time %", "tcp (baseline)");
        Assert.Equal("tcp (baseline)", row["library"]);
        var csv = Tool.Run("export", scratch.Folder).WithCode(0).Out;
        Assert.Contains(csv, line => line.Contains(",throughput_per_s,33.3"));
    }

    [Fact]
    public void All_links_stand_in_one_table_with_what_the_loss_cost()
    {
        var page = Render(
            Over("tcp", 50, 0, 51, 200),
            Over("tcp", 50, 2, 120, 210),
            Over("enet", 50, 0, 51, 100),
            Over("enet", 50, 2, 60, 120));
        Assert.Contains(
            "\n## On a link of 50 ms, 2 % loss: 1,000 messages/s (10 clients at 100/s each)\n\n"
                + "- reliable-ordered: the most answers in time came from enet (100 %; one launch: order not proven). "
                + "Baseline, plain TCP: 0 %.\n",
            page);
        Assert.Contains("\n| enet | 100 | 60.", page);
        Assert.Contains("\n| tcp (baseline) | 0 | ", page);
        Assert.Contains("\n### Over links, reliable-ordered\n", page);
        Assert.Contains("\n| enet | 50 ms, 2 % loss | 10 clients at 100/s each | 60.", page);
        Assert.Contains(" | 100 | 0 | 120 | 1.20 | 2.00 | 100 | – | 2.00, 70.0, 5.00 |  |\n", page);
        var charts = ShownCharts.ChartsOf(scratch.Folder);
        string[] files = ["loss-on-time", "loss-latency", "loss-wire"];
        Assert.Equal(files.Select(file => $"{file}-reliable-ordered"), charts.Select(chart => (string)chart["file"]!));
        var onTime = Assert.Single(charts[0]["panels"]!);
        Assert.Equal(
            "Reliable, ordered: % answered in time, 50 ms link, 10 clients at 100/s each",
            (string?)onTime["title"]);
        // What answers nothing in time stands at 0.
        var tcp = onTime["lines"]!.Single(line => (string?)line["name"] == "tcp (baseline)");
        Assert.Equal([100, 0], tcp["points"]!.Select(point => (double)point["y"]!));
        var enet = onTime["lines"]!.Single(line => (string?)line["name"] == "enet");
        Assert.Equal([0, 2], enet["points"]!.Select(point => (double)point["x"]!));
    }

    static JObject[] Launches(string library, params double[] answerMs)
    {
        var launches = answerMs.SelectMany((ms, launch) =>
        {
            var runId = $"{library}-{launch}";
            return MadeUp.With(Over(library, 50, 2, ms, 100), ("run_id", runId), ("settings.run_id", runId));
        });
        return [.. launches];
    }

    // In the first so many.
    static JObject[] LateIn(int count, JObject[] launches)
    {
        foreach (var launch in launches.Where(record => Record.KindOf(record) == "launch").Take(count))
        {
            launch["link"]!["late_p99_us"] = Both(1_500);
        }
        return launches;
    }

    [Theory]
    [InlineData(2, @"100 \| 60\.\d \|.*\| 2 launches failed")]
    [InlineData(3, @"~~100~~ \|.*\| the link's emulator was late")]
    public void A_launch_over_a_link_that_was_not_what_was_asked_failed_beside_more_that_are_sound(int late, string row)
    {
        var page = Render(LateIn(late, Launches("kcp2k", 90, 90, 60, 60, 60)), Launches("tcp", 60, 60, 60, 60, 60));
        Assert.Matches($@"(?m)^\| kcp2k \| {row}", Pages.FrontIn(scratch.Folder));
        Assert.Equal(late == 2, page.Contains("2 launches failed: the link's emulator was late"));
    }

    [Fact]
    public void Of_several_launches_over_a_link_the_intervals_are_told_and_what_is_invalid_stays()
    {
        var late = LateIn(5, Launches("kcp2k", 60, 60, 60, 60, 60));
        var page = Render(Launches("enet", 60, 61, 62, 63, 64), Launches("tcp", 60, 60, 120, 60, 60), late);
        var verdict = Pages.FrontIn(scratch.Folder);
        Assert.DoesNotContain("launch", verdict);
        Assert.Contains("the most answers in time came from enet (100 %). Baseline, plain TCP: 100 %.", verdict);
        Assert.Contains("| in time % | p50 ms | p99 ms | server CPU µs/msg | notes |", verdict);
        Assert.Matches(@"(?m)^\| kcp2k \| ~~100~~ \|.*\| the link's emulator was late", verdict);
        var cells = page.Split("## Cells")[1];
        Assert.Contains("| in time % | in time % interval |", cells);
        Assert.Matches(@"(?m)^\| enet \| .* \| 6.*–6.* \(95 %\) \| .* \| 100 \| 100–100 \(95 %\) \|", cells);
        // Of one link there are bars, the best first, of what is valid.
        var charts = ShownCharts.ChartsOf(scratch.Folder);
        string[] files = ["link-on-time", "link-latency", "link-wire"];
        Assert.Equal(files.Select(file => $"{file}-reliable-ordered"), charts.Select(chart => (string)chart["file"]!));
        var trips = Assert.Single(charts[1]["panels"]!);
        Assert.Equal(
            "Reliable, ordered: round trips (p99), 50 ms link, 2 % loss, 10 clients at 100/s each",
            (string?)trips["title"]);
        Assert.Equal(["enet", "tcp (baseline)"], trips["bars"]!.Select(bar => (string?)bar["name"]));
        Assert.DoesNotContain("interval |", Render(Over("tcp", 50, 2, 60, 100)));
    }

    [Fact]
    public void Jitter_and_bursts_have_charts_as_loss_has()
    {
        Render(
            Shaken("enet", 0, 1, 60),
            Shaken("enet", 20, 1, 80),
            Shaken("enet", 0, 5, 70),
            Shaken("enet", 20, 5, 90));
        var charts = ShownCharts.ChartsOf(scratch.Folder);
        string[] files = ["burst-on-time", "burst-latency", "jitter-on-time", "jitter-latency"];
        Assert.Equal(files.Select(file => $"{file}-reliable-ordered"), charts.Select(chart => (string)chart["file"]!));
        (string Title, int[] Ms)[][] panels =
        [
            [("50 ms link, 5 % loss", [60, 70]), ("50 ms link, jitter up to 20 ms, 5 % loss", [80, 90])],
            [("50 ms link, 5 % loss", [60, 80]), ("50 ms link, 5 % loss, in bursts of 5", [70, 90])],
        ];
        foreach (var (chart, expected) in new[] { charts[1], charts[3] }.Zip(panels))
        {
            foreach (var (panel, (link, ms)) in chart["panels"]!.Zip(expected))
            {
                Assert.Equal(
                    $"Reliable, ordered: round trips (p99), {link}, 10 clients at 100/s each",
                    (string?)panel["title"]);
                var points = Assert.Single(panel["lines"]!)["points"]!.ToArray();
                Assert.Equal(ms, points.Select(point => (int)Math.Round((double)point["y"]! / 1e6)));
                var places = panel["x"]!["ticks"]!.Select(tick => (string?)tick["label"]);
                Assert.Equal(chart == charts[1] ? ["1", "5"] : ["0", "20"], places);
            }
        }
    }

    // Over a link of 50 ms that loses 5 %.
    static JObject[] Shaken(string library, double jitterMs, int burstPackets, double answerMs)
    {
        var runId = $"{library}-{jitterMs}-{burstPackets}";
        return MadeUp.With(
            Over(library, 50, 5, answerMs, 200),
            ("run_id", runId),
            ("settings.run_id", runId),
            ("settings.jitter_ms", jitterMs),
            ("settings.loss_burst_packets", burstPackets),
            ("launch.link.probe_rtt_p50_us", Both((int)(1_000 * (50 + jitterMs / 2)))));
    }

    [Theory]
    [InlineData("probe_rtt_p50_us", 52_000, "the link's round trip was 52.0 ms, not 50.0 ms")]
    [InlineData("probe_lost", 200, "the link lost 20.0 % of round trips, not 3.96 %")]
    [InlineData("late_p99_us", 1_500, "the link's emulator was late by 1.50 ms (p99)")]
    public void A_link_that_was_not_what_was_asked_makes_a_row_invalid(string what, int both, string told)
    {
        var cell = Over("tcp", 50, 2, 120, 210);
        Record.Single(cell, "launch")["link"]![what] = Both(both);
        Assert.Contains($"invalid: {told}", Render(cell));
        Assert.DoesNotContain("invalid:", Render(Over("tcp", 50, 2, 120, 210)));
    }

    [Theory]
    [InlineData(
        "reliable-ordered",
        "window.streamed",
        9_999,
        "reliable-ordered delivery lost 1, repeated 0, changed 0 and disordered 0 messages of the stream")]
    [InlineData(
        "reliable-unordered",
        "other.stream_repeated",
        1,
        "reliable-unordered delivery lost 0, repeated 1, changed 0 and disordered 0 messages of the stream")]
    [InlineData(
        "reliable-ordered",
        "warmup.stream_corrupt",
        2,
        "reliable-ordered delivery lost 0, repeated 0, changed 2 and disordered 0 messages of the stream")]
    [InlineData(
        "reliable-ordered",
        "window.stream_disordered",
        3,
        "reliable-ordered delivery lost 0, repeated 0, changed 0 and disordered 3 messages of the stream")]
    [InlineData("reliable-unordered", "window.stream_disordered", 3, null)]
    [InlineData("unreliable", "window.streamed", 9_999, null)]
    [InlineData("unreliable", "window.streamed", 10_001, "clients sent 10,000 messages, the server received 10,001")]
    public void A_stream_that_did_not_arrive_as_promised_makes_a_row_invalid(
        string delivery, string field, int value, string? told)
    {
        string Stream(params (string, object?)[] fields) => Render(MadeUp.Cell("litenetlib", delivery, 1, [1_000],
        [
            .. MadeUp.Streamed(),
            ("settings.rtt_ms", 50.0),
            ("launch.link", LinkOf(50, 0, 100)),
            .. fields,
        ]));
        Assert.DoesNotContain("invalid:", Stream());
        // A stream has no slots that could wait.
        Assert.DoesNotContain("in flight 0 were", Stream());
        var page = Stream(($"server.{field}", value));
        if (told == null)
            Assert.DoesNotContain("invalid:", page);
        else
            Assert.Contains($"invalid: {told}", page);
    }
}
