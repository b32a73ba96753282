using Newtonsoft.Json.Linq;

/// <summary>The index says what each sweep answers, in the group of those that ask the like.</summary>
public sealed class QuestionTests : OfReport
{
    static readonly (string, object?)[] atThirtyHz = [("settings.rate", 3_000), ("settings.clients", 100)];

    public static TheoryData<string, string, (string, object?)[][]> Sweeps => new()
    {
        { "Raw messages", "echoes of 32 B, 1 client with 1 message in flight each", [[]] },
        {
            "Raw messages",
            "echoes of 32 and 1,000 B, 1 to 500 clients with 1 and 10 messages in flight each with and without TLS",
            [
                [("settings.clients", 500), ("settings.parallel", 10)],
                [("settings.clients", 10)],
                [("settings.clients", 100)],
                [("settings.security", "tls"), ("settings.payload_bytes", 1_000)],
            ]
        },
        {
            "Raw messages",
            "echoes of 32 B, 100 clients at 20,000 messages/s",
            [[.. atThirtyHz, ("settings.rate", 20_000)]]
        },
        {
            "Raw messages",
            "echoes of 32 B, 100 clients with 10 messages in flight each, and at 20,000 messages/s",
            [
                [("settings.clients", 100), ("settings.parallel", 10)],
                [.. atThirtyHz, ("settings.rate", 20_000)],
            ]
        },
        { "Games", "100 players at 30 Hz", [atThirtyHz] },
        { "Games", "100 players at 30 Hz over a link of 50 ms, 2 % loss", [[.. atThirtyHz, .. Link(50, 2)]] },
        {
            "Games",
            "100 players at 30 Hz with and without a link of 50 ms",
            [atThirtyHz, [.. atThirtyHz, .. Link(50, 0)]]
        },
        {
            "Links",
            "100 players at 30 Hz over 4 links of 50 ms, 0 to 10 % loss",
            [.. new[] { 0, 2, 5, 10 }.Select(loss => ((string, object?)[])[.. atThirtyHz, .. Link(50, loss)])]
        },
        { "Links", "1 client with 1 message in flight each over a link of 50 ms", [[.. Link(50, 0)]] },
        {
            "Calls",
            "sum and say-hello calls, 1 client with 1 call in flight each over TLS",
            [Call("sum"), Call("say-hello")]
        },
        {
            "Calls",
            "sum calls, 100 clients at 1,000, 5,000 and 20,000 calls/s",
            [.. new[] { 1_000, 5_000, 20_000 }.Select(rate => ((string, object?)[])
                [("settings.work", "sum"), ("settings.rate", rate), ("settings.clients", 100)])]
        },
        {
            "Bulk",
            "streams of 1,200 B, 1 client over 2 links of 10 and 50 ms, 100 Mbit/s",
            [Stream(10), Stream(50)]
        },
    };

    [Theory, MemberData(nameof(Sweeps))]
    public void Work_rate_and_links_say_what_a_sweep_answers(
        string group, string words, (string, object?)[][] cells)
    {
        Sweep("one", cells);
        Assert.Equal([$"## {group}", $"[{words}](one/raw.jsonl)"], Read());
    }

    [Fact]
    public void Groups_stand_in_one_order_and_a_sweep_in_that_of_most_of_its_cells()
    {
        Sweep("mostly-raw", [], [("settings.parallel", 10)], [.. atThirtyHz]);
        Sweep("game", [.. atThirtyHz]);
        Sweep("bulk", Stream(10));
        Sweep("calls", Call("sum"));
        string[] groups = ["## Games", "## Calls", "## Bulk", "## Raw messages"];
        Assert.Equal(groups, Read().Where(line => line.StartsWith('#')));
        const string MostlyRaw = "[echoes of 32 B, 1 client with 1 and 10 messages in flight each]"
            + "(mostly-raw/raw.jsonl)";
        Assert.Contains(MostlyRaw, Read());
    }

    [Fact]
    public void A_preset_that_flags_changed_says_so()
    {
        var machine = MadeUp.Machine(("changed", new[] { "security none,tls", "seconds 3" }));
        MadeUp.Write(scratch.PathOf("results", "one"), [machine, .. MadeUp.Cell("enet", "unreliable", 1, [9_000])]);
        Read();
        var index = File.ReadAllText(scratch.PathOf("results", "README.md"));
        Assert.Contains(" | quick (changed) | 1 | AMD EPYC, 2 CPUs | [echoes of 32 B", index);
    }

    [Fact]
    public void Launches_of_loads_are_counted()
    {
        Sweep("one", [], [("settings.parallel", 10)]);
        var records = MadeUp.Cell("enet", "unreliable", 1, [9_000, 9_100, 9_200]);
        MadeUp.Write(scratch.PathOf("results", "two"), [MadeUp.Machine(), .. records]);
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        var rows = File.ReadAllLines(scratch.PathOf("results", "README.md"));
        Assert.Contains(rows, row => row.Contains("(one/") && row.Contains("| quick | 1 |"));
        Assert.Contains(rows, row => row.Contains("(two/") && row.Contains("| quick | 3 |"));
    }

    static (string, object?)[] Link(double rttMs, double lossPercent) =>
        [("settings.rtt_ms", rttMs), ("settings.loss_percent", lossPercent)];

    static (string, object?)[] Call(string work) => [("settings.work", work), ("settings.security", "tls")];

    static (string, object?)[] Stream(double rttMs) =>
    [
        ("settings.work", "stream"), ("settings.payload_bytes", 1_200), ("settings.rate_mbit", 100.0),
        .. Link(rttMs, 0),
    ];

    // Of enet, a launch of each cell; links of which nothing is measured but what was asked.
    void Sweep(string name, params (string, object?)[][] cells)
    {
        var records = cells.SelectMany((cell, i) => MadeUp.Cell(
            "enet", "unreliable", 1, [9_000], [("run_id", $"r{i}"), ("settings.run_id", $"r{i}"), .. cell]));
        MadeUp.Write(scratch.PathOf("results", name), [MadeUp.Machine(), .. records]);
    }

    // Headings and the links to reports, from the top.
    string[] Read()
    {
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        var lines = File.ReadAllLines(scratch.PathOf("results", "README.md"))
            .Where(line => line.StartsWith("## ") || line.StartsWith("| 2"));
        return [.. lines.Select(line => line.StartsWith('|') ? line.Split(" | ")[4] : line)];
    }
}
