using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>What a report says of broadcasts and games: a table for each load, and a verdict in a sentence.</summary>
public sealed class RoomPageTests : OfReport
{
    [Fact]
    public void A_game_has_a_table_a_load_with_what_its_players_and_its_server_have()
    {
        var page = Render(
        [
            .. MadeRooms.Game("udp", "unreliable", 60, 30, 0.2),
            .. MadeRooms.Game("enet", "unreliable", 60, 40, 0.12,
                ("server.window.ticks_late", 4),
                ("server.window.ticks_missed", 2),
                ("client.window.outcomes.deliveries_due", 12_000),
                ("client.window.outcomes.deliveries", 11_880),
                ("server.window.allocated_bytes", 50_000),
                ("server.window.rss_bytes", 60 * 1024 * 1024)),
            .. MadeRooms.Game("enet", "unreliable", 10, 40, 0.1),
        ]);
        var table = Part(page, "#### 60 players at 20 Hz in one room, inputs of 48 B, snapshots of 1,000 B");
        var row = Made.Row(table, "jitter p99 ms", "enet");
        Assert.StartsWith("40.", row["delay p99 ms"]);
        Assert.StartsWith("2.0", row["jitter p99 ms"]);
        // 4 late and 2 missed of 202 that were due.
        Assert.Equal("2.97", row["late ticks %"]);
        Assert.Equal("1.00", row["missing %"]);
        Assert.Equal("1,188", row["deliveries/s"]);
        Assert.Equal("0.120", row["server cores used"]);
        Assert.Equal("2.00", row["server CPU ms/s per player"]);
        Assert.Equal("500", row["players per core (computed)"]);
        // 20 inputs of 48 B, and 19.8 snapshots of 1,000 B a second.
        Assert.Equal("7.68", row["kbit/s per player up"]);
        Assert.Equal("158", row["kbit/s per player down"]);
        Assert.Equal("5.00", row["server alloc kB/s"]);
        Assert.Equal("1,024", row["server KiB per player"]);
        Assert.DoesNotContain("leaves/s", table);
        Assert.Contains("#### 10 players at 20 Hz in one room, ", page);
    }

    [Fact]
    public void A_verdict_says_who_keeps_50_ms_beyond_a_tick_and_at_which_cost()
    {
        var page = Render(
        [
            .. MadeRooms.Game("tcp", "reliable-ordered", 100, 30, 0.2),
            .. MadeRooms.Game("enet", "reliable-ordered", 100, 40, 0.11),
            .. MadeRooms.Game("kcp2k", "reliable-ordered", 100, 45, 0.3),
            .. MadeRooms.Game("enet", "unreliable", 100, 40, 0.11),
            .. MadeRooms.Game("litenetlib", "unreliable", 100, 130, 0.05, ("server.window.ticks_late", 5)),
            .. MadeRooms.Game("litenetlib", "unreliable", 10, 130, 0.05),
        ]);
        var verdict = Part(page, "## Games: 100 players at 20 Hz in one room, ");
        Assert.Contains(
            "- reliable-ordered game: every library stays within 100 ms (p99); the least server CPU was used by "
                + "enet (0.110 of a core; one launch: order not proven). Baseline, plain TCP: 0.200.\n",
            verdict);
        Assert.Matches(
            @"- unreliable game: all but litenetlib \((129|13\d) ms\) stay within 100 ms \(p99\); over 1 % of the "
                + @"ticks were late with litenetlib \(2\.50 %\); the least server CPU was used by enet ",
            verdict);
        Assert.Contains("\n| enet | unreliable game | ", verdict);
        Assert.DoesNotContain("10 players", verdict);
        Assert.Contains("\n**One launch: not a ranking.** ", page);
    }

    [Fact]
    public void Where_no_delay_is_valid_the_first_screen_says_so_and_shows_what_there_is()
    {
        (string, JToken) late = ("client.window.outcomes.send_lag_ns", MadeRooms.Times(20, 1_000));
        var page = Render(
        [
            .. MadeRooms.Game("udp", "unreliable", 100, 30, 0.2, late),
            .. MadeRooms.Game("enet", "unreliable", 100, 40, 0.11, late),
        ]);
        var verdict = Part(page, "## Games: 100 players at 20 Hz in one room, ");
        Assert.Contains("- unreliable game: no library has valid delays.\n", verdict);
        Assert.Matches(@"\n\| enet \| ~~4\d[.\d]*~~ \| ", verdict);
    }

    [Fact]
    public void Broadcasts_at_a_rate_and_in_a_closed_loop_stand_apart_and_a_loop_beside_the_librarys_own_way()
    {
        var page = Render(
        [
            .. MadeRooms.Broadcast("enet", "reliable-ordered", 60, 1_200, 5, 0.5),
            .. Loop(MadeRooms.Broadcast("enet", "reliable-ordered", 60, 1_200, 6, 0.6)),
            .. MadeRooms.Broadcast("tcp", "reliable-ordered", 60, 0, 5, 1),
            .. MadeRooms.Broadcast("enet", "reliable-ordered", 60, 0, 5, 1),
        ]);
        var atRate = Part(page, "#### 60 clients at 20 messages/s each in rooms of 10, 100 B");
        Assert.Equal("12,000", Made.Row(atRate, "server cores used", "enet")["deliveries/s"]);
        Assert.Equal("0.600", Made.Row(atRate, "server cores used", "enet loop")["server cores used"]);
        Assert.DoesNotContain("jitter", atRate);
        var closed = Part(page, "#### 60 clients with 1 message in flight each in rooms of 10, 100 B");
        Assert.Equal("100", Made.Row(closed, "deliveries/s", "enet")["server CPU µs/delivery"]);
        page = Render(
        [
            .. MadeRooms.Broadcast("tcp", "reliable-ordered", 60, 0, 5, 1),
            .. MadeRooms.Broadcast("enet", "reliable-ordered", 60, 0, 5, 1),
        ]);
        Assert.Contains("\n## Broadcasts: 60 clients with 1 message in flight each in rooms of 10, 100 B\n", page);
        Assert.Contains(
            "- reliable-ordered broadcast: the most deliveries were made by enet (10 k deliveries/s; one launch: order "
                + "not proven). Baseline, plain TCP: 10 k.",
            page);
    }

    [Fact]
    public void Troubled_rooms_say_what_they_are_and_what_it_did()
    {
        var page = Render(MadeRooms.Broadcast("enet", "unreliable", 60, 1_200, 5, 0.5,
            ("settings.churn", 2),
            ("settings.stalled_clients", 1),
            ("launch.trouble", new JObject
            {
                ["leaves"] = 20,
                ["join_ns"] = new JArray(Enumerable.Repeat(30_000_000, 20)),
                ["stalled_ended"] = "The server closed the connection.",
            })));
        var table = Part(page, "#### 60 clients at 20 messages/s each in rooms of 10, 100 B, 1 of them reads nothing, "
            + "2 per second leave and join again");
        var row = Made.Row(table, "leaves/s", "enet");
        Assert.Equal("2.00", row["leaves/s"]);
        Assert.Equal("1.00", row["stalled clients lost"]);
        Assert.StartsWith("30.", row["join p50 ms"]);
        Assert.StartsWith("30.", row["join p99 ms"]);
    }

    [Fact]
    public void Rooms_in_which_one_lacks_a_message_have_their_rate_all_the_same_and_unsent_ones_have_it_not()
    {
        (string, object?)[] Lost(long lost, int sent) =>
        [
            .. MadeUp.Answered(sent - lost, 5_000_000, lost),
            ("client.window.outcomes.send_lag_ns", MadeRooms.Times(0.1, sent)),
        ];
        var page = Render(
        [
            .. MadeRooms.Broadcast("enet", "unreliable", 60, 1_200, 5, 0.5, Lost(600, 12_000)),
            .. MadeRooms.Broadcast("udp", "unreliable", 60, 1_200, 5, 0.5, Lost(0, 11_000)),
        ]);
        var table = Part(page, "#### 60 clients at 20 messages/s each in rooms of 10, 100 B");
        Assert.StartsWith("5.0", Made.Row(table, "server cores used", "enet")["delay p99 ms"]);
        Assert.Contains("1,100 of 1,200 messages/s were achieved", table);
    }

    [Fact]
    public void All_that_reads_a_sweep_knows_rooms()
    {
        MadeUp.Write(scratch.PathOf("results/2026-one"),
        [
            MadeUp.Machine(("repeats", 1)),
            .. MadeRooms.Game("udp", "unreliable", 100, 30, 0.2),
            .. MadeRooms.Game("enet", "unreliable", 100, 40, 0.11),
            .. MadeRooms.Broadcast("tcp", "reliable-ordered", 60, 1_200, 7, 0.3),
            .. MadeRooms.Broadcast("websocket", "reliable-unordered", 60, 1_200, 7, 0.4),
            .. MadeRooms.Broadcast("signalr", "reliable-unordered", 60, 1_200, 8, 0.6),
            .. MadeRooms.Broadcast("enet", "unreliable", 60, 1_200, 5, 0.5),
        ]);
        MadeUp.Write(scratch.PathOf("results/2027-few"),
        [
            MadeUp.Machine(("repeats", 1), ("date_utc", "2027-01-01T00:00:00Z")),
            .. MadeRooms.Game("enet", "unreliable", 16, 40, 0.11),
            .. MadeRooms.Broadcast("enet", "unreliable", 10, 200, 5, 0.5),
        ]);
        Tool.Run("render", scratch.PathOf("results/2027-few"), "--charts", "none").WithCode(0);
        File.WriteAllText(
            scratch.PathOf("README.md"),
            "<!-- report index: games -->\n<!-- end -->\n\n<!-- report index: chats -->\n<!-- end -->\n");
        var folder = scratch.PathOf("results/2026-one");
        Tool.Run("render", folder, "--charts", "none").WithCode(0);
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        var front = File.ReadAllText(scratch.PathOf("README.md"));
        Assert.Contains(
            "[Games: 100 players at 20 Hz in one room, inputs of 48 B, snapshots of 1,000 B]"
                + "(results/2026-one/report.md)",
            front.Replace('\n', ' '));
        Assert.Contains("| library | delay p99 ms |", front);
        Assert.Matches(@"\n\| enet \| 40\.\d \|\n", front);
        Assert.Contains("\n| library | reliable: delay p99 ms | unreliable: delay p99 ms |\n", front);
        Assert.Matches(@"\n\| tcp \(baseline\) \| [67]\.\d+ \| – \|\n", front);
        Assert.Matches(@"\n\| websocket \(baseline\) \| [67]\.\d+ \| – \|\n", front);
        Assert.Matches(@"\n\| signalr \| [78]\.\d+ \| – \|\n", front);
        Assert.Matches(@"\n\| enet \| – \| [45]\.\d+ \|\n", front);
        var index = File.ReadAllText(scratch.PathOf("results/README.md"));
        Assert.Contains("\n## Games\n", index);
        Assert.Contains(
            "[games of 100 players at 20 Hz; broadcasts of 60 clients at 20 messages/s each](2026-one/report.md)",
            index);

        var shown = Tool.Run("show", folder, "--width", "200").WithCode(0).Out;
        Assert.Contains(shown, line => line.Contains("Games: 100 players at 20 Hz in one room"));
        var csv = Tool.Run("export", folder).WithCode(0).Out;
        Assert.Contains(csv, line => line.Contains(",players_per_server_core,909.0909"));
        Assert.DoesNotContain(csv, line => line.Contains(",join_p50_us,"));
        var markdown = string.Join('\n', Tool.Run("export", folder, "--format", "markdown").WithCode(0).Out);
        Assert.Contains("Delay p99 ms", markdown);
    }

    [Fact]
    public void What_was_played_here_and_over_a_link_shares_a_table_on_the_front_page()
    {
        (string, object?)[] link = [("settings.rtt_ms", 50.0), ("settings.loss_percent", 2.0)];
        MadeUp.Write(scratch.PathOf("results/2026-here"),
        [
            MadeUp.Machine(("repeats", 1)),
            .. MadeRooms.Game("udp", "unreliable", 100, 30, 0.2),
            .. MadeRooms.Game("enet", "unreliable", 100, 40, 0.11),
            .. MadeRooms.Game("enet", "reliable-ordered", 100, 41, 0.1),
        ]);
        MadeUp.Write(scratch.PathOf("results/2026-link"),
        [
            MadeUp.Machine(("repeats", 1)),
            .. MadeRooms.Game("enet", "unreliable", 100, 90, 0.1, link),
            .. MadeRooms.Game("kcp2k", "unreliable", 100, 91, 0.2, [.. link, MadeUp.Slept(2)]),
        ]);
        foreach (string sweep in new[] { "results/2026-here", "results/2026-link" })
        {
            Tool.Run("render", scratch.PathOf(sweep), "--charts", "none").WithCode(0);
        }
        const string Empty = "<!-- report index: games, games-link -->\n<!-- end -->\n";
        File.WriteAllText(scratch.PathOf("README.md"), Empty);
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        string front = File.ReadAllText(scratch.PathOf("README.md"));
        string inOneLine = front.Replace('\n', ' ');
        Assert.Contains(
            "(results/2026-here/report.md) and [over a link of 50 ms, 2 % loss](results/2026-link/report.md), measured",
            inOneLine);
        Assert.Single(Regex.Matches(inOneLine, Regex.Escape("**One launch: not a ranking.**")));
        string[] head =
        [
            "library", "loopback, reliable: delay p99 ms", "loopback, unreliable: delay p99 ms", "link: delay p99 ms",
        ];
        Assert.Contains($"\n| {string.Join(" | ", head)} |\n", front);
        Assert.Matches(@"\n\| enet \| 4[01]\.\d \| 40\.\d \| [89]\d\.\d \|\n", front);
        Assert.Contains("\n| kcp2k | – | – | – |\n", front);
        Assert.Contains("A dash: there is no such figure, or the machine slept for 2 s.", inOneLine);

        // Where nothing is fit for one of both, all of it stays as it is.
        Directory.Delete(scratch.PathOf("results/2026-link"), recursive: true);
        Ended told = Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        Assert.Contains("No sweep of 'games-link' is fit to be shown in", told.Sentence());
        Assert.Equal(front, File.ReadAllText(scratch.PathOf("README.md")));
    }

    [Fact]
    public void A_game_or_a_broadcast_at_a_rate_is_held_against_itself_by_its_delay()
    {
        static JObject[] Sweep(double delayMs) =>
        [
            MadeUp.Machine(("repeats", 5)),
            .. Enumerable.Range(1, 5).SelectMany(launch => MadeRooms.Broadcast(
                "enet", "unreliable", 60, 1_200, delayMs, 0.5,
                ("run_id", $"r{launch}-enet"), ("settings.run_id", $"r{launch}-enet"))),
        ];
        MadeUp.Write(scratch.PathOf("base"), Sweep(5));
        MadeUp.Write(scratch.PathOf("new"), Sweep(10));
        var page = string.Join('\n', Tool.Run("compare", scratch.PathOf("base"), scratch.PathOf("new")).Out);
        Assert.Contains("| delay p99 µs | ", page);
        Assert.Contains("0 better, 1 worse", page);
    }

    string Render(JObject[] records) => Rendered([MadeUp.Machine(("repeats", 1)), .. records]);

    static JObject[] Loop(JObject[] launch) => MadeUp.With(
        launch, ("run_id", "r1-loop"), ("settings.run_id", "r1-loop"), ("settings.variant", "loop"));

    // From a heading to the next of its depth or above.
    static string Part(string page, string heading)
    {
        var from = page.IndexOf($"\n{heading}", StringComparison.Ordinal);
        Assert.True(from >= 0, $"There is no {heading} in\n{page}");
        var depth = heading.TakeWhile(letter => letter == '#').Count();
        var ends = Enumerable.Range(1, depth)
            .Select(other => page.IndexOf($"\n{new string('#', other)} ", from + 1, StringComparison.Ordinal))
            .Where(end => end >= 0)
            .DefaultIfEmpty(page.Length);
        return page[from..ends.Min()];
    }
}
