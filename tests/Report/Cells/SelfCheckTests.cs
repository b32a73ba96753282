using Newtonsoft.Json.Linq;

/// <summary>What must hold of a launch before its figures are worth anything, over all of its slices.</summary>
public sealed class SelfCheckTests : OfReport
{
    [Fact]
    public void Messages_are_in_flight_for_no_longer_than_their_slots_have_time()
    {
        const string Law = "invalid: Little's law: the sum of round trips / (slots x elapsed) is ";
        (double InFlight, string? Told)[] cells = [(0.5, null), (1, null), (1.0095, null), (1.013, "1.01")];
        var page = RenderCells([.. cells.Select((cell, i) => InFlight(i + 1, cell.InFlight))]);
        for (var i = 0; i < cells.Length; i++)
        {
            var told = cells[i].Told == null ? "" : Law + cells[i].Told;
            Assert.Equal((i, told), (i, Notes(page, i)));
        }
    }

    // The share of the time of all slots in which messages were in flight.
    static (string, object?)[] InFlight(int parallel, double share) =>
        [("client.window.outcomes.rtt_sum_ns", MadeUp.Ns(share * parallel))];

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
            // At a window's edge.
            (
                "",
                "unreliable",
                [
                    ("client.window.sent", Made.Messages - 1),
                    ("client.window.outcomes.unanswered", -1),
                    ("client.other.sent", 1),
                    ("client.other.outcomes.unanswered", 1),
                ]),
            (
                "invalid: more messages ended than were sent",
                "unreliable",
                [
                    ("client.window.sent", Made.Messages - 1),
                    ("client.window.outcomes.unanswered", -1),
                    ("server.window.received", Made.Messages - 1),
                ]),
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
            ($"server.{phase}.sent", 5),
            ($"server.{phase}.received", 5),
            ($"client.{phase}.outcomes.completed", 5),
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
        var page = Pages.In(scratch.Folder);
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
