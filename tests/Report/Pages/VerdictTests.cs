using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>What a report says first: true sentences, all rows under one load, and what the server pays.</summary>
public sealed class VerdictTests : OfReport
{
    [Fact]
    public void Rows_stand_under_the_load_of_100_clients_x_10_where_it_was_measured_whatever_others_have()
    {
        JObject[] Of(string library, double speed) =>
        [
            .. Cell(library, 100, 10, speed),
            .. Cell(library, 100, 1, 2 * speed),
            .. Cell(library, 10, 1, speed),
        ];
        var page = Render([.. Of("udp", 10), .. Of("enet", 20), .. Cell("kcp2k", 100, 1, 30)]);
        var oneLoad = Part(page, "## 32-byte messages: 100 clients with 10 messages in flight each");
        Assert.Contains("\n- unreliable: fastest was enet (200 k msgs/s). Baseline, plain UDP: 100 k.\n", oneLoad);
        Assert.Contains("\n| enet | 200,000 | 2.00 | ", oneLoad);
        Assert.DoesNotContain("kcp2k", oneLoad);
        Assert.DoesNotContain("launch", oneLoad.Split("| library |")[0]);
        // The other loads are in the appendix.
        Assert.Equal("300,000", Made.Row(page, "bound by", "kcp2k", "100", "1")["msgs/s median"]);
    }

    [Fact]
    public void One_launch_is_said_to_be_no_ranking_once_and_above_the_tables()
    {
        static JObject[] Sweep(double[] rates) =>
        [
            .. MadeUp.Cell("udp", "unreliable", 1, rates),
            .. MadeUp.Cell("enet", "unreliable", 1, [.. rates.Select(rate => 2 * rate)]),
            .. MadeUp.Cell("enet", "unreliable", 10, rates),
        ];
        const string One = "\n\n**One launch: not a ranking.** ";
        var page = Render(Sweep(MadeUp.Five[..1]));
        Assert.Contains(One, page);
        Assert.Equal(2, page.Split("One launch").Length);
        Assert.Contains("enet (20 k msgs/s; one launch: order not proven)", page);
        Assert.Contains("\n\n**3 launches: a first look.** ", Render(Sweep(MadeUp.Five[..3])));
        Assert.DoesNotContain("**", Render(Sweep(MadeUp.Five)));
        // One of five that failed is told of its row; of four others one launch is left.
        string WithFailed(int failed)
        {
            var runs = MadeUp.Cell("enet", "unreliable", 1, MadeUp.Five).GroupBy(record => (string?)record["run_id"]);
            var records = runs.SelectMany((run, i) => i < failed ? [MadeUp.Failed([.. run])] : run.ToArray());
            return Render([.. MadeUp.Cell("udp", "unreliable", 1, MadeUp.Five), .. records]);
        }
        Assert.DoesNotContain("**", WithFailed(1));
        Assert.Contains("1 launch failed", WithFailed(1));
        Assert.Contains(One, WithFailed(4));
    }

    [Fact]
    public void What_most_rows_bear_is_said_once_and_what_is_invalid_is_struck_out_with_its_reason()
    {
        var page = Render(
        [
            .. MadeUp.Cell("udp", "unreliable", 1, MadeUp.Five),
            .. MadeUp.Cell("enet", "unreliable", 1, MadeUp.Five),
            .. MadeUp.With(MadeUp.Cell("kcp2k", "unreliable", 1, MadeUp.Five), ("launch.not_warm", true)),
            .. MadeUp.Cell("zzz", "unreliable", 1, MadeUp.Five, MadeUp.Slept(2)),
        ]);
        var verdict = Pages.FrontIn(scratch.Folder);
        Assert.Contains("\nAll rows bear the note \"measured separately\".\n", verdict);
        Assert.Matches(@"(?m)^\| enet \|.* \|  \|$", verdict);
        Assert.Matches(@"(?m)^\| kcp2k \|.* \| not warm \|$", verdict);
        Assert.Matches(@"(?m)^\| zzz \| ~~10,000~~ \| ~~1\.00~~ \|.*\| the machine slept for 2 s \|$", verdict);
        // A mark is the same in all tables.
        Assert.Contains("| ~~10,000~~ |", Part(page, "## Cells"));
    }

    [Fact]
    public void Few_rows_that_do_not_bear_what_others_do_are_named()
    {
        static JObject[] Cold(string library) =>
            MadeUp.With(MadeUp.Cell(library, "unreliable", 1, MadeUp.Five), ("launch.not_warm", true));
        var cells = new[] { "udp", "enet", "kcp2k", "zzz" }.Select(Cold).ToArray();
        var warm = MadeUp.Cell("litenetlib", "unreliable", 1, MadeUp.Five);
        var page = Render([.. cells.SelectMany(cell => cell), .. warm]);
        const string Sentence = "\nAll rows but litenetlib bear the note \"not warm\".\n";
        Assert.Contains("\nAll rows bear the note \"measured separately\".\n", page);
        Assert.Contains(Sentence, Pages.FrontIn(scratch.Folder));
        Assert.DoesNotContain("| not warm |", page);
        Assert.Contains(Sentence, Part(page, "## Cells"));
        // One in three is no exception.
        page = Render([.. cells[0], .. cells[1], .. warm]);
        Assert.DoesNotContain("but litenetlib", page);
        Assert.Contains("| not warm |", Pages.FrontIn(scratch.Folder));
    }

    [Fact]
    public void A_reason_of_several_launches_is_said_once_with_its_worst_figure()
    {
        var late = AtRate("enet", 200_000);
        var lags = new Queue<int>([2_000_000, 9_000_000, 3_000_000, 2_500_000, 4_000_000]);
        foreach (var launch in late.GroupBy(record => (string?)record["run_id"]))
        {
            var lag = new JArray { new JArray(MadeUp.BucketOf(lags.Dequeue()), 1_000) };
            MadeUp.With([.. launch], ("client.window.outcomes.send_lag_ns", lag));
        }
        var cells = Part(Render([.. AtRate("udp", 400_000), .. late]), "## Cells");
        var notes = Made.Row(cells, "latency", "enet", "5")["notes"];
        Assert.StartsWith("invalid for latency: messages were sent up to 8.98 ms late", notes);
        Assert.Single(Regex.Matches(notes, "messages were sent"));
    }

    [Fact]
    public void Calls_are_named_with_their_serializer_and_the_fastest_is_named_whatever_it_has()
    {
        static JObject[] Call(string library, string serializer, double speed) => MadeUp.Cell(
            library, "reliable-unordered", 1, [.. MadeUp.Five.Select(rate => rate * speed)],
            ("settings.work", "say-hello"), ("ready.serializer", serializer));
        var page = Render(
        [
            .. Call("websocket", "bytes", 1),
            .. Call("grpc", "protobuf", 3),
            .. Call("signalr", "json", 4),
            .. Call("magiconion", "messagepack", 2),
            .. Call("http", "json", 0.5),
        ]);
        Assert.Contains("say-hello calls: fastest was signalr json (40 k calls/s).", page);
        var verdict = Pages.FrontIn(scratch.Folder).Split("| library | calls/s | ")[1];
        string[] rows =
            ["signalr json", "grpc protobuf", "magiconion messagepack", "websocket (baseline)", "http json"];
        Assert.Equal(rows, verdict.Split('\n').Where(line => line.StartsWith("| ") && line.Contains(",000"))
            .Select(line => line.Split(" | ")[0][2..]));
    }

    [Fact]
    public void Who_is_ahead_is_said_of_each_size_of_messages_and_calls()
    {
        static JObject[] Of(string work, int bytes, string library, double speed)
        {
            var delivery = work == "echo" ? "unreliable" : "reliable-unordered";
            var records = MadeUp.Cell(
                library, delivery, 1, [.. MadeUp.Five.Select(rate => rate * speed)],
                ("settings.work", work), ("settings.payload_bytes", bytes));
            foreach (var record in records)
                record["run_id"] = $"{record["run_id"]}-{work}-{bytes}";
            return records;
        }
        Render(
        [
            .. Of("echo", 32, "enet", 2), .. Of("echo", 32, "kcp2k", 1),
            .. Of("echo", 1_000, "enet", 1), .. Of("echo", 1_000, "kcp2k", 2),
            .. Of("sum", 32, "grpc", 1), .. Of("sum", 32, "http", 2),
            .. Of("say-hello", 32, "grpc", 1), .. Of("say-hello", 32, "http", 2),
            .. Of("say-hello", 10_000, "grpc", 2), .. Of("say-hello", 10_000, "http", 1),
        ]);
        string[] sentences = [.. Pages.FrontIn(scratch.Folder).Split('\n').Where(line => line.StartsWith("- "))];
        Assert.Collection(
            sentences,
            echo => Assert.StartsWith("- unreliable: fastest was enet (20 k msgs/s).", echo),
            echo => Assert.StartsWith("- With 1,000-byte messages, unreliable: fastest was kcp2k ", echo),
            sum => Assert.StartsWith("- sum calls: fastest was http ", sum),
            hello => Assert.StartsWith("- say-hello calls: fastest was http ", hello),
            hello => Assert.StartsWith("- With 10,000 bytes of data, say-hello calls: fastest was grpc ", hello));
    }

    [Fact]
    public void At_a_rate_the_table_is_of_what_the_server_pays_the_least_first()
    {
        var page = Render(
        [
            .. AtRate("udp", 400_000),
            .. AtRate("enet", 200_000),
            .. AtRate("kcp2k", 300_000),
            .. AtRate("kcp2k", 300_000, rate: 2_000),
        ]);
        const string Title = "## 32-byte messages: 1,000 messages/s (5 clients at 200/s each)";
        var cost = Part(page, Title);
        Assert.Contains(
            "\n- unreliable: the least server CPU was used by enet (20.0 µs/msg). Baseline, plain UDP: 40.0 µs.\n",
            cost);
        Assert.Contains("\n| library | server CPU µs/msg | p50 µs | p99 µs | notes |", cost);
        Assert.Contains("\n| enet | 20.0 | ", cost);
        Assert.Equal("20.0–20.0 (95 %)", Made.Row(page, "latency", "enet")["interval"]);
        string[] cheapestFirst = ["enet", "kcp2k", "udp"];
        var rows = cost.Split('\n').Where(line => line.StartsWith("| ") && line.Contains(".0 | "));
        Assert.Equal(cheapestFirst, rows.Select(row => row.Split(' ')[1]));
    }

    [Fact]
    public void What_was_sent_late_at_a_rate_has_its_cost_but_no_latency()
    {
        var late = MadeUp.With(
            AtRate("enet", 200_000),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(MadeUp.BucketOf(2_000_000), 1_000) }));
        var page = Render([.. AtRate("udp", 400_000), .. late]);
        Assert.Contains("the least server CPU was used by enet (20.0 µs/msg)", page);
        var row = Made.Row(page, "server CPU µs/msg", "enet");
        Assert.Equal("20.0", row["server CPU µs/msg"]);
        Assert.StartsWith("~~", row["p99 µs"]);
        Assert.StartsWith("messages were sent over 1.00 ms late (p99)", row["notes"]);
    }

    [Fact]
    public void How_sides_wait_is_told()
    {
        var sleeping = AtRate("enet", 200_000);
        MadeUp.With(sleeping, ("client.ready.waits", "sleeps"));
        var page = Render([.. AtRate("udp", 400_000), .. sleeping]);
        Assert.Equal("sleeps / blocks", Made.Row(page, "waits", "enet")["waits"]);
        Assert.Equal("blocks", Made.Row(page, "waits", "udp (baseline)")["waits"]);
    }

    [Fact]
    public void The_CPU_of_a_server_that_polls_is_no_cost()
    {
        var polling = AtRate("litenetlib", 100_000);
        MadeUp.With(polling, ("server.ready.waits", "polls"));
        var page = Render([.. AtRate("udp", 400_000), .. AtRate("enet", 200_000), .. polling]);
        Assert.Contains("the least server CPU was used by enet (20.0 µs/msg)", page);
        var row = Made.Row(page, "server CPU µs/msg", "litenetlib");
        Assert.Equal("–", row["server CPU µs/msg"]);
        Assert.Equal("its server polls, so that its CPU is no cost", row["notes"]);
    }

    [Fact]
    public void What_missed_its_rate_is_not_said_to_be_late_besides()
    {
        JObject[] records = [.. AtRate("udp", 400_000), .. AtRate("enet", 200_000)];
        var lag = new JArray { new JArray(MadeUp.BucketOf(2_000_000), 1_000) };
        MadeUp.With(records, ("settings.rate", 2_000), ("client.window.outcomes.send_lag_ns", lag));
        Assert.Equal("the rate was not reached", Made.Row(Render(records), "server CPU µs/msg", "enet")["notes"]);
    }

    [Fact]
    public void The_first_screen_of_all_views_is_short_and_its_tables_are_narrow()
    {
        MadeUp.Write(scratch.Folder, Sweeps.OfAllViews);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        var front = Pages.FrontIn(scratch.Folder);
        Assert.InRange(front.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length, 50, 1_300);
        Assert.All(front.Split('\n').Where(line => line.StartsWith('|')), row =>
            Assert.InRange(row.Count(letter => letter == '|'), 4, 8));
    }

    static JObject[] Cell(string library, int clients, int parallel, double speed)
    {
        var records = MadeUp.Cell(
            library,
            "unreliable",
            clients * parallel,
            [.. MadeUp.Five.Select(rate => rate * speed)],
            ("settings.clients", clients),
            ("settings.parallel", parallel));
        // 10 x 1 and 1 x 10 are other runs.
        foreach (var record in records)
            record["run_id"] += $"x{parallel}";
        return records;
    }

    // Of five launches; the server takes so much CPU time in all of the 10,000 messages.
    static JObject[] AtRate(string library, long serverCpuUs, int rate = 1_000)
    {
        var launches = Enumerable.Range(0, MadeUp.Five.Length).SelectMany(launch => MadeUp.Cell(
            library,
            "unreliable",
            5,
            [rate],
            ("run_id", $"{library}-{rate}-{launch}"),
            ("settings.run_id", $"{library}-{rate}-{launch}"),
            ("settings.rate", rate),
            ("server.window.cpu_user_ns", 1_000 * serverCpuUs),
            ("server.window.cpu_system_ns", 0),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(1000, 10_000) })));
        return [.. launches];
    }

    string Render(JObject[] records) => Rendered([MadeUp.Machine(("repeats", 5)), .. records]);

    // What stands under a heading, up to the next of the same level or above.
    static string Part(string page, string heading)
    {
        var end = heading.StartsWith("## ") ? "\n## " : "\n##";
        Assert.Contains($"\n{heading}\n", page);
        return page.Split($"\n{heading}\n")[1].Split(end)[0];
    }
}
