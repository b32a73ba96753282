using Newtonsoft.Json.Linq;

/// <summary>What a report says of searches for players: a table and a chart, and nothing in the sweep's own cells.
/// </summary>
public sealed class SearchPageTests : OfReport
{
    [Fact]
    public void A_search_is_a_row_with_its_steps_and_a_line_of_the_chart()
    {
        var page = Rendered(
        [
            MadeUp.Machine(("repeats", 1), ("sweep.players_until", "p99=50ms,late-ticks=1%")),
            .. MadeRooms.Game("enet", "unreliable", 60, 40, 0.11),
            .. Search("enet", (60, 40), (120, 40), (240, 80), (180, 80), (150, 40), (165, 80), (157, 40), (161, 80)),
            .. Search("udp", (60, 80), (30, 80), (15, 80), (7, 80), (3, 80), (1, 80)),
        ]);
        const string Heading = "### unreliable game: players at 20 Hz in one room, inputs of 48 B, "
            + "snapshots of 1,000 B";
        Assert.Contains($"\n{Heading}\n", page);
        const string Found = "## The most players that keep p99=50ms,late-ticks=1%\n\nOf players at 20 Hz in one room, "
            + "inputs of 48 B, snapshots of 1,000 B:\n\n| library | delivery | most players |\n|---|---|---:|\n"
            + "| enet | unreliable game | 157 |\n| udp (baseline) | unreliable game | none |\n";
        string front = Pages.FrontIn(scratch.Folder);
        Assert.Contains(Found, front);
        Assert.Matches("^# Preset quick: the most players at 20 Hz in one room, inputs of 48 B, .*p99=50ms", front);
        Assert.Matches(@"\n\| enet \| 157 \| 60 ok; 120 ok; 240 p99 8\d\.\d ms; 180 p99 ", page);
        Assert.Matches(@"\n\| udp \(baseline\) \| none \| 60 p99 ", page);
        // What it tried is none of the sweep's cells.
        Assert.DoesNotContain("120 players", page);
        var charts = JArray.Parse(string.Join('\n', Tool.Run("export", scratch.Folder, "--format", "charts").Out));
        var panel = charts.Single(chart => (string?)chart["file"] == "players-unreliable-game")["panels"]![0]!;
        var ofEnet = panel["lines"]!.Single(line => (string?)line["name"] == "enet");
        Assert.Equal(8, ofEnet["points"]!.Count());
        Assert.Equal(157, (int)ofEnet["points"]!.Single(point => point["is_ringed"] != null)["x"]!);
        Assert.Equal(50e6, (double)panel["levels"]![0]!["y"]!);
    }

    [Fact]
    public void A_search_that_goes_on_has_a_lower_bound()
    {
        var page = Rendered(
        [
            MadeUp.Machine(("repeats", 1), ("sweep.players_until", "p99=50ms")),
            .. MadeRooms.Game("enet", "unreliable", 60, 40, 0.11),
            .. Search("enet", (60, 40), (120, 40)),
        ]);
        Assert.Contains("\n| enet | ≥ 120 | 60 ok; 120 ok |\n", page);
    }

    [Theory]
    [InlineData("Within 30 s nothing answered (0 of 126 clients are connected).", "≥ 120")]
    [InlineData("The client did not get ready within 135 s.", "≥ 120")]
    [InlineData("The server closed the connection.", "120")]
    public void How_long_it_takes_to_connect_does_not_bound_how_many_fit(string reason, string most)
    {
        var page = Rendered(
        [
            MadeUp.Machine(("repeats", 1), ("sweep.players_until", "p99=50ms")),
            .. Search("enet", (120, 40)),
            .. Failed(126, reason),
        ]);
        Assert.Contains($"\n| enet | {most} | 120 ok; 126 {reason.TrimEnd('.')} |\n", page);
    }

    [Theory]
    [InlineData("2026-11-22", "")]
    [InlineData("2026-11-21", ", measured 2026-11-22 on AMD EPYC, 2 CPUs,")]
    public void What_searches_found_here_and_over_a_link_shares_a_table_on_the_front_page(string day, string between)
    {
        Write("2026-here", "p99=50ms", [.. Search("enet", (60, 40), (120, 40)), .. Search("udp", (60, 40))]);
        (string, object?)[] link = [("settings.rtt_ms", 50.0), ("settings.loss_percent", 2.0)];
        Write(
            "2026-link",
            "p99=150ms",
            [.. MadeRooms.Step(1, "enet", 60, 90, link), .. MadeRooms.Step(2, "enet", 60, 90, link)],
            $"{day}T00:00:00Z");
        string front = Front("players-that-fit, players-that-fit-link");
        // What both are of is said once.
        string found = "[the most players at 20 Hz in one room, inputs of 48 B, snapshots of 1,000 B, that keep "
            + $"p99=50ms](results/2026-here/report.md){between} and [that keep "
            + $"p99=150ms over a link of 50 ms, 2 % loss](results/2026-link/report.md), measured {day} on ";
        Assert.Contains(found, front.Replace('\n', ' '));
        const string Head = "loopback, unreliable: players that fit | link, unreliable: players that fit";
        Assert.Contains($"\n| library | {Head} |\n", front);
        Assert.Contains("\n| enet | ≥ 120 | ≥ 60 |\n", front);
        Assert.Contains("\n| udp (baseline) | ≥ 60 | – |\n", front);
    }

    [Theory]
    [InlineData(90, "≥ 120–240")]
    [InlineData(40, "≥ 240")]
    public void Searches_in_different_hours_share_a_cell_of_the_front_page(double earlierDelayMs, string most)
    {
        // One of another limit says nothing of this one.
        Write("2026-1", "p99=60ms", Search("enet", (60, 40), (480, 40)));
        Write("2026-2", "p99=50ms", Search("enet", (60, 40), (120, 40), (240, earlierDelayMs)));
        // One that began with what failed is of a known version all the same.
        Write("2026-3", "p99=50ms", [.. Failed(480, "It broke."), .. Search("enet", (60, 40), (120, 40), (240, 40))]);
        Assert.Contains($"\n| enet | {most} |\n", Front("players-that-fit"));
    }

    void Write(string name, string slo, IEnumerable<JObject> launches, string date = "2026-11-22T00:00:00Z")
    {
        string folder = scratch.PathOf($"results/{name}");
        JObject machine = MadeUp.Machine(("repeats", 1), ("sweep.players_until", slo), ("date_utc", date));
        MadeUp.Write(folder, [machine, .. launches]);
        Tool.Run("render", folder, "--charts", "none").WithCode(0);
    }

    // What the index writes between these marks of the README.md.
    string Front(string marks)
    {
        string path = scratch.PathOf("README.md");
        File.WriteAllText(path, $"<!-- report index: {marks} -->\n<!-- end -->\n");
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        return File.ReadAllText(path);
    }

    // Two launches of ENet's that failed.
    static IEnumerable<JObject> Failed(int players, string reason) =>
        new[] { 1, 2 }.Select(launch =>
            MadeUp.Failed(MadeRooms.Step(launch, "enet", players, 40), ("kind", "failed"), ("reason", reason)));

    // Two launches of each step.
    static IEnumerable<JObject> Search(string library, params (int Players, double DelayMs)[] steps) =>
        steps.SelectMany(step => new[] { 1, 2 }.SelectMany(launch =>
            MadeRooms.Step(launch, library, step.Players, step.DelayMs)));
}
