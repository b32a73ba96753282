using Newtonsoft.Json.Linq;

/// <summary>What must hold of a launch before its figures are worth anything, over all of its slices.</summary>
public sealed class SelfCheckTests : IDisposable
{
    readonly Scratch scratch = new();

    public SelfCheckTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    // Shares of the time of all slots in which messages were in flight, and in which slots were idle.
    static (string, object?)[] Slots(int parallel, double underWay, double free) =>
    [
        ("client.window.outcomes.rtt_min_ns", 1),
        ("client.window.outcomes.rtt_max_ns", long.MaxValue / 2),
        ("client.window.outcomes.rtt_sum_ns", MadeUp.Ns(underWay * parallel)),
        ("client.window.outcomes.in_flight_ns", MadeUp.Ns(underWay * parallel)),
        ("client.window.outcomes.idle_ns", MadeUp.Ns(free * parallel)),
    ];

    [Fact]
    public void Littles_law_holds_of_messages_in_flight_and_idle_slots_together()
    {
        const string Law = "invalid: Little's law: (in flight + idle time) / (slots x elapsed) is ";
        (double UnderWay, double Free, string? Told)[] cells =
        [
            (1, 0, null),
            (0.82, 0.18, null),
            (0.82, 0, "0.820"),
            (0.02, 0.98, null),
            (0.9905, 0, null),
            (0.988, 0, "0.988"),
            (0.81, 0.1815, null),
            (0.80, 0.18, "0.980"),
            (1.0095, 0, null),
            (1.013, 0, "1.01"),
            (0.84, 0.18, "1.02"),
        ];
        var page = RenderCells([.. cells.Select((cell, i) => Slots(i + 1, cell.UnderWay, cell.Free))]);
        for (var i = 0; i < cells.Length; i++)
        {
            var told = cells[i].Told == null ? "" : Law + cells[i].Told;
            Assert.Equal((i, told), (i, Notes(page, i)));
        }
        // Where messages are lost as well.
        page = Made.Render(scratch, Made.Launch("r1", 1, [.. Made.Lost(1), .. Slots(1, 0.5, 0.48)]));
        Assert.Equal(Law + "0.980", Notes(page, 0));
    }

    [Fact]
    public void A_row_says_where_slots_waited_for_the_client_and_not_where_messages_were_lost()
    {
        (string Delivery, double UnderWay, string Told)[] cells =
        [
            ("reliable-ordered", 0.91, ""),
            ("reliable-ordered", 0.49, "of 2 messages in flight 0.980 were"),
            ("unreliable", 0.49, ""),
        ];
        (string, object?)[] Fields((string Delivery, double UnderWay, string) cell, int i) =>
            [("settings.delivery", cell.Delivery), .. Slots(i + 1, cell.UnderWay, 1 - cell.UnderWay)];
        var page = RenderCells([.. cells.Select(Fields)]);
        for (var i = 0; i < cells.Length; i++)
            Assert.Equal((i, cells[i].Told), (i, Notes(page, i)));
    }

    [Fact]
    public void Of_round_trips_longer_than_the_window_latency_is_a_lower_bound()
    {
        // 10,000 a second were answered.
        (int Parallel, string Told)[] cells =
        [
            (5, ""),
            (20_000, "a round trip takes 2.00 s, longer than the window: latency is a lower bound"),
        ];
        var launches = cells.SelectMany(cell => Made.Launch($"r1-{cell.Parallel}", cell.Parallel));
        var page = Made.Render(scratch, launches.Prepend(MadeUp.Machine(("repeats", 1))));
        foreach (var (parallel, told) in cells)
            Assert.Equal(told, Notes(page, parallel - 1));
    }

    [Fact]
    public void The_sums_of_all_phases_count()
    {
        (string Told, string Delivery, (string, object?)[] Fields)[] cells =
        [
            // 5 messages each, and what came to an end after the drain.
            (
                "",
                "reliable-ordered",
                [.. Phase("warmup"), .. Phase("other")]),
            (
                "invalid: clients sent 10,000 messages, the server received 10,001",
                "reliable-ordered",
                [("server.end.received", 1)]),
            (
                "invalid: reliable delivery lost, repeated or changed 1 message",
                "reliable-ordered",
                [("client.end.outcomes.foreign", 1)]),
            (
                "invalid: clients sent 10,005 messages, the server received 10,004",
                "reliable-ordered",
                [.. Phase("warmup"), ("server.warmup.received", 4)]),
            (
                "invalid: clients sent 10,005 messages, the server received 10,006",
                "unreliable",
                [.. Phase("other"), ("server.other.received", 6)]),
            (
                "invalid: reliable delivery lost, repeated or changed 1 message",
                "reliable-ordered",
                [
                    .. Phase("warmup"),
                    ("client.warmup.received", 4),
                    ("client.warmup.outcomes.corrupt", 1),
                    ("client.warmup.outcomes.rtt_ns", new JArray { new JArray(100, 4) }),
                    ("client.warmup.outcomes.rtt_sum_ns", 400),
                ]),
            (
                "invalid: reliable delivery lost, repeated or changed 2 messages",
                "reliable-ordered",
                [("client.other.outcomes.duplicates", 2)]),
            (
                "invalid: warmup: sent is 6, but its outcomes add up to 5",
                "unreliable",
                [.. Phase("warmup"), ("client.warmup.sent", 6)]),
            // A datagram that was lost on its way there.
            (
                "",
                "unreliable",
                [.. Made.Lost(1), ("server.window.received", Made.Messages - 1)]),
        ];
        static (string, object?)[] Fields((string, string Delivery, (string, object?)[] Others) cell) =>
            [("settings.delivery", cell.Delivery), .. cell.Others];
        var page = RenderCells([.. cells.Select(Fields)]);
        for (var i = 0; i < cells.Length; i++)
            Assert.StartsWith($"{i} {cells[i].Told}", $"{i} {Notes(page, i)}");
        Assert.Equal("", Notes(page, 0));
        // A sweep that was stopped may lack the last slice.
        page = Made.Render(scratch, Made.Launch("r1", 1).Where(record => (string?)record["phase"] != "end"));
        Assert.Equal("10,000", Made.Row(page, "bound by", "udp (baseline)", "1", "1")["msgs/s median"]);
        Assert.Equal("", Notes(page, 0));

        static (string, object?)[] Phase(string phase) =>
        [
            ($"client.{phase}.sent", 5),
            ($"client.{phase}.received", 5),
            ($"{phase}.bytes", 160),
            ($"server.{phase}.sent", 5),
            ($"server.{phase}.received", 5),
            ($"client.{phase}.outcomes.completed", 5),
            ($"client.{phase}.outcomes.rtt_min_ns", 100),
            ($"client.{phase}.outcomes.rtt_max_ns", 100),
            ($"client.{phase}.outcomes.rtt_sum_ns", 500),
            ($"client.{phase}.outcomes.rtt_ns", new JArray { new JArray(100, 5) }),
        ];
    }

    [Fact]
    public void A_run_without_its_launch_measured_nothing_and_one_without_its_server_lacks_what_the_server_says()
    {
        var launch = Made.Launch("r1", 1);
        var withoutServer = launch.Where(record => (string?)record["side"] != "server");
        var row = Made.Row(Made.Render(scratch, withoutServer), "bound by", "udp (baseline)", "1", "1");
        Assert.Equal("10,000", row["msgs/s median"]);
        Assert.Equal("n/a", row["bound by"]);
        Assert.Equal("server's figures missing", row["notes"]);

        var withoutLaunch = launch.Where(record => Record.KindOf(record) != "launch");
        MadeUp.Write(scratch.Folder, [Made.Machine, .. withoutLaunch]);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Sentence();
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.Contains("- udp failed (1 run): It left no launch record.\n", page);
    }

    // Renders a sweep of one launch per cell, each with fields of its own; the first has one message in flight, the
    // second two, and so on.
    string RenderCells((string, object?)[][] fields)
    {
        var launches = fields.SelectMany((ofCell, i) => Made.Launch($"r1-{i + 1}", i + 1, ofCell));
        return Made.Render(scratch, launches.Prepend(MadeUp.Machine(("repeats", 1))));
    }

    // The notes of a cell of such a sweep.
    static string Notes(string page, int cell) =>
        Made.Row(page, "bound by", "udp (baseline)", "1", $"{cell + 1:N0}")["notes"];
}
