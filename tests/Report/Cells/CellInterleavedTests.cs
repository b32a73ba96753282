using Newtonsoft.Json.Linq;

/// <summary>
/// What the report says of interleaved libraries. A block of 8 rounds and five launches; the machine's speed goes
/// up and down by half from round to round, for all alike:
/// <code>
/// udp         20,000 and 10,000 messages/s by turns
/// enet        0.8, kcp2k 0.79 (from 0.72 to 0.88 by launches) and litenetlib 1.25 times that
/// </code>
/// </summary>
public sealed class CellInterleavedTests : OfReport
{
    static readonly double[] drift = [20_000, 10_000, 20_000, 10_000, 20_000, 10_000, 20_000, 10_000];

    [Fact]
    public void A_row_is_its_ratio_to_the_baseline_of_the_same_rounds_with_the_rates_beside_it()
    {
        var page = Made.Render(scratch, Block());
        var enet = Rates(page, "enet");
        Assert.Equal("0.799", enet["x baseline"]);
        Assert.Equal("11,960", enet["msgs/s median"]);
        Assert.Equal("7,940–16,110", enet["range"]);
        Assert.Equal("", enet["notes"]);
        Assert.Matches(@"^0\.79\d–0\.80\d \(95 %\)$", enet["interval"]);
        var plain = Rates(page, "udp (baseline)");
        Assert.Equal("1.00", plain["x baseline"]);
        Assert.Equal("–", plain["interval"]);
        Assert.Equal("15,000", plain["msgs/s median"]);
        Assert.DoesNotContain("spread (CV)", page.Split("\n## Machine")[0]);
        var cost = Made.Row(page, "CPU x baseline", "enet", "10", "1");
        Assert.Equal("100 (50.0 + 50.0)", cost["CPU µs/msg client (user + system)"]);
        Assert.Equal("1.00", cost["CPU x baseline"]);
        Assert.Equal("1.00–1.00 (95 %)", cost["interval"]);
        Assert.Contains($"| enet | 11,960 | 0.799 ({enet["interval"].Split(' ')[0]}) |", page);
        Assert.DoesNotContain("noisy", page.Split("\n## Machine")[0]);
        Assert.Contains("differed by 35.6 % between the rounds of a launch and by 0 % between launches", page);
        // Slices of 100 ms, 125 ms each from going on to standing still.
        Assert.Contains("20.0 % went by around its slice", page);
    }

    [Fact]
    public void Throughput_and_cpu_are_of_the_rounds_and_the_rest_is_of_the_window()
    {
        var enet = MadeUp.Interleaved(
            "enet",
            "unreliable",
            10,
            Launches(0.8),
            ("window.cpu_user_ns", 1),
            ("client.window.outcomes.rtt_ns", new JArray { new JArray(4_096, 10_000) }));
        var page = Made.Render(scratch, [.. Plain(), .. enet]);
        Assert.Equal("4.13", Rates(page, "enet")["p99 µs"]);
        var cost = Made.Row(page, "CPU x baseline", "enet", "10", "1");
        Assert.Equal("100 (50.0 + 50.0)", cost["CPU µs/msg client (user + system)"]);
    }

    [Fact]
    public void Over_TLS_a_row_is_held_against_the_same_library_without_it()
    {
        static JObject[] Of(string security, double times)
        {
            var launches = Launches(times);
            var records = MadeUp.Interleaved("enet", "unreliable", 10, launches, ("settings.security", security));
            foreach (var record in records)
                record["run_id"] += security;
            return records;
        }
        var page = Made.Render(scratch, [.. Plain(), .. Of("none", 0.8), .. Of("tls", 0.4)]);
        Assert.Matches(@"^0\.50\d ±\d", Made.Row(page, "x unencrypted", "enet", "10", "1")["x unencrypted"]);
        Assert.StartsWith("1.00 ±", Made.Row(page, "CPU x unencrypted", "enet", "10", "1")["CPU x unencrypted"]);
        Assert.DoesNotContain("x unencrypted", Made.Render(scratch, [.. Plain(), .. Of("tls", 0.4)]));
    }

    [Fact]
    public void A_row_is_held_against_the_baseline_that_waits_as_it_does_and_the_other_ratio_stands_beside_it()
    {
        var enet = Waiting("polls", "enet", Launches(0.8));
        var blocking = MadeUp.Interleaved("kcp2k", "unreliable", 10, Launches(0.5));
        var page = Made.Render(scratch, [.. Plain(), .. Spinning(Launches(2)), .. enet, .. blocking]);
        void AssertRow(string library, string waits, string toBaseline, string toOther)
        {
            var row = Rates(page, library);
            Assert.Equal(waits, row["waits"]);
            Assert.Matches($@"^{toBaseline}\d?( |$)", row["x baseline"]);
            Assert.Matches($@"^{toOther}\d?( |$)", row["x baseline that waits otherwise"]);
        }
        AssertRow("enet", "polls", @"0\.(39|40)", @"0\.(79|80)");
        AssertRow("kcp2k", "blocks", @"0\.(49|50)", @"0\.(24|25)");
        Assert.DoesNotContain("its baseline", Rates(page, "enet")["notes"]);

        // Where none that waits alike was measured, or none to rely on, the row says so.
        var unsound = Spinning(Launches(2), fields: MadeUp.Slept(2));
        foreach (var spinning in new[] { [], unsound })
        {
            var row = Rates(Made.Render(scratch, [.. Plain(), .. spinning, .. enet]), "enet");
            Assert.Equal("0.799", row["x baseline"]);
            Assert.Contains("polls, its baseline blocks", row["notes"]);
        }
    }

    [Fact]
    public void What_it_costs_to_wake_a_thread_is_told_where_the_baseline_makes_lone_round_trips_in_both_ways()
    {
        static double[][] Steady(double rate) => [.. Enumerable.Repeat(Enumerable.Repeat(rate, 8).ToArray(), 5)];
        var blocking = MadeUp.Interleaved("udp", "unreliable", 1, Steady(10_000));
        var spinning = Spinning(Steady(25_000), clients: 1);
        const string Told = "A thread is woken within ";
        // Half of what the two round trips differ by, as each wakes two.
        Assert.Contains(
            Told + "30.0 µs on this machine: a round trip of plain udp at 1 x 1 takes 100 µs where both sides block "
                + "and 40.0 µs where both spin.",
            Made.Render(scratch, [.. blocking, .. spinning]));
        Assert.DoesNotContain(Told, Made.Render(scratch, blocking));
        Assert.DoesNotContain(Told, Made.Render(scratch, [.. Plain(), .. Spinning(Launches(2))]));
    }

    [Fact]
    public void Libraries_are_ranked_pair_by_pair_where_the_interval_of_their_own_ratio_excludes_1()
    {
        var page = Made.Render(scratch, Block());
        string Pair(string pair) => Made.Row(page, "times the rate of", pair)["10 x 1"];
        Assert.Matches(@"^\*\*0\.6[34]\d ±\d\.\d+ %\*\*$", Pair("enet / litenetlib"));
        Assert.Matches(@"^1\.0\d ±\d+\.\d+ %$", Pair("enet / kcp2k"));
        Assert.StartsWith("**0.63", Pair("kcp2k / litenetlib"));
        Assert.Contains(" Of 3 pairs of libraries under the same load 1 is not told apart.\n", page);
        Assert.Contains("- unreliable: fastest was litenetlib (19 k msgs/s). Baseline, plain UDP: 15 k.\n", page);
        // Without litenetlib the two that cannot be told apart are ahead together.
        page = Made.Render(scratch, Block().Where(record => (string?)record["library"] != "litenetlib"));
        Assert.Contains("- unreliable: enet and kcp2k tie (12 k and 11 k msgs/s). Baseline, plain UDP: 15 k.\n", page);
    }

    [Fact]
    public void The_top_says_how_closely_the_ratios_are_known()
    {
        var page = Made.Render(scratch, [Until("3%"), .. Block()]);
        const string Known = @"\nRatios to the baseline are known within ±0\.\d+ % "
            + @"\(median of 3 rows; widest ±\d+\.\d+ %, kcp2k unreliable 10 x 1\), at 95 %, "
            + @"on this machine in this hour\. 2 of 3 rows are within the ±3\.00 % asked for\. ";
        Assert.Matches(Known, page);
        page = Made.Render(scratch, Block().Where(record => !((string?)record["run_id"] ?? "").StartsWith("r4-")));
        Assert.Contains(", at 95 %, on this machine in this hour, by the rounds of 4 launches alone. ", page);
        Assert.EndsWith(" (rounds)", Rates(page, "enet")["interval"]);
    }

    [Fact]
    public void The_top_says_between_which_distances_a_hypervisor_moved_the_CPUs()
    {
        string PageAt(long[] cpuToCpuNs) =>
            Made.Render(scratch, MadeUp.With(Block(), ("launch.rounds.cpu_to_cpu_ns", cpuToCpuNs)));
        const string Moved = "\nA hypervisor moved the two CPUs: a line of the cache took 104 ns (71 % of slices) "
            + "or 720 ns (29 % of slices) from one to the other and back.\n";
        Assert.Contains(Moved, PageAt([104, 104, 720, 104, 0, 104, 104, 720]));
        Assert.DoesNotContain("hypervisor moved", PageAt([104, 110, 90, 120]));
    }

    [Fact]
    public void Wide_is_a_row_that_is_wider_than_was_asked_for_or_than_the_others()
    {
        string Notes(JObject[] records, string library) => Rates(Made.Render(scratch, records), library)["notes"];
        Assert.Equal("wide", Notes(Block(), "kcp2k"));
        Assert.Equal("", Notes([Until("20%"), .. Block()], "kcp2k"));
        Assert.Equal("", Notes([Until("2%"), .. Block()], "enet"));
        // What all but the baseline bear stands below them.
        Assert.Equal("", Notes([Until("0.1%"), .. Block()], "enet"));
        Assert.Contains("bear the note \"wide\"", Made.Render(scratch, [Until("0.1%"), .. Block()]));
        // Where all are, none is.
        var alike = new[] { "a", "b", "c" }
            .SelectMany(library => MadeUp.Interleaved(library, "unreliable", 10, Launches(0.79, Spread)));
        Assert.Equal("", Notes([.. Plain(), .. alike], "a"));
    }

    [Theory]
    [InlineData(1.009, null)]
    [InlineData(1.1, "1.10")]
    [InlineData(0.98, null)]
    public void Littles_law_holds_in_the_rounds_too(double times, string? told)
    {
        var records = Block();
        var rounds = records
            .Where(record => (string?)record["phase"] == "rounds" && (string?)record["library"] == "enet");
        foreach (var outcomes in rounds.Select(record => record["outcomes"]).OfType<JObject>())
        {
            outcomes["rtt_sum_ns"] = (long)((long)outcomes["rtt_sum_ns"]! * times);
        }
        var notes = Rates(Made.Render(scratch, records), "enet")["notes"];
        const string Law = "invalid: Little's law in the rounds: the sum of round trips / (slots x elapsed) is ";
        Assert.Equal(told == null ? "" : Law + told, notes);
    }

    [Fact]
    public void A_single_client_whose_rounds_jump_shows_each_speed()
    {
        double[] jumping = [.. Enumerable.Range(0, 20).Select(i => i % 10 < 7 ? 70_000.0 : 9_500)];
        Dictionary<string, string> RowOf(string cpus, int clients)
        {
            (string, object?)[] pins = [("settings.server_cpus", cpus), ("settings.client_cpus", cpus)];
            var page = Made.Render(scratch, MadeUp.Interleaved("udp", "unreliable", clients, [jumping], pins));
            return Made.Row(page, "bound by", "udp (baseline)", $"{clients}", "1");
        }
        var row = RowOf("all", 1);
        Assert.Equal("70,000 or 9,500", row["msgs/s median"]);
        Assert.Equal("70 % of slices 14.3 µs, 30 % 105 µs per round trip: see --pin auto", row["notes"]);
        // Whoever has pinned is not told to.
        Assert.EndsWith("105 µs per round trip", RowOf("0-1", 1)["notes"]);
        Assert.Equal("", RowOf("all", 2)["notes"]);
    }

    [Fact]
    public void What_was_measured_separately_says_so_and_why_and_is_never_held_against_what_was_interleaved()
    {
        var apart = MadeUp.Cell(
            "kcp2k",
            "unreliable",
            10,
            [12_000, 12_000, 12_000, 12_000, 12_000],
            ("settings.rounds", 8),
            ("launch.separately_because", "Its block needs 3.1 GB of memory."));
        var interleaved = MadeUp.Interleaved("enet", "unreliable", 10, Launches(0.8));
        var mixed = MadeUp.Cell(
            "enet",
            "unreliable",
            10,
            [40_000],
            ("settings.rounds", 8),
            ("launch.separately_because", "It did."),
            ("run_id", "r9"),
            ("settings.run_id", "r9"));
        var page = Made.Render(scratch, [.. Plain(), .. interleaved, .. apart, .. mixed]);
        Assert.Contains("| measured separately: Its block needs 3.1 GB of memory |\n", page);
        var kcp2k = Rates(page, "kcp2k");
        Assert.Equal("n/a", kcp2k["x baseline"]);
        Assert.Equal("n/a", kcp2k["interval"]);
        Assert.Equal("12,000", kcp2k["msgs/s median"]);
        Assert.Equal("0.0 %", kcp2k["spread (CV)"]);
        var enet = Rates(page, "enet");
        Assert.Equal("11,960", enet["msgs/s median"]);
        Assert.Equal("measured separately in 1 of 6: It did", enet["notes"]);
        Assert.DoesNotContain("Pair by pair", page);
    }

    [Fact]
    public void Without_a_sound_baseline_rows_have_no_ratio_but_are_ranked()
    {
        var unsound = MadeUp.Interleaved("udp", "unreliable", 10, Launches(1), MadeUp.Slept(2));
        var others = Block().Where(record => (string?)record["library"] != "udp");
        var page = Made.Render(scratch, [.. unsound, .. others]);
        var enet = Rates(page, "enet");
        Assert.Equal("n/a", enet["x baseline"]);
        // All rows but the baseline's own bear it, so that it stands below them.
        Assert.Contains("bear the note \"no valid baseline in its rounds\"", page);
        Assert.Equal("", enet["notes"]);
        Assert.StartsWith("**0.6", Made.Row(page, "times the rate of", "enet / litenetlib")["10 x 1"]);
    }

    static JObject Until(string half)
    {
        var machine = MadeUp.Machine(("repeats", 5));
        machine["sweep"]!["until"] = half;
        return machine;
    }

    static JObject[] Block() =>
    [
        .. Plain(),
        .. MadeUp.Interleaved("enet", "unreliable", 10, Launches(0.8)),
        .. MadeUp.Interleaved("kcp2k", "unreliable", 10, Launches(0.79, Spread)),
        .. MadeUp.Interleaved("litenetlib", "unreliable", 10, Launches(1.25)),
    ];

    static JObject[] Plain() => MadeUp.Interleaved("udp", "unreliable", 10, [.. Enumerable.Repeat(drift, 5)]);

    // The baseline in its variant that spins. Its runs are others than those of the usual one.
    static JObject[] Spinning(double[][] launches, int clients = 10, params (string Path, object? Value)[] fields) =>
        Waiting(
            "polls",
            "udp-spin",
            launches,
            clients,
            [("library", "udp"), ("settings.variant", "spin"), .. fields]);

    static JObject[] Waiting(
        string waits,
        string library,
        double[][] launches,
        int clients = 10,
        params (string Path, object? Value)[] fields) =>
        MadeUp.Interleaved(
            library,
            "unreliable",
            clients,
            launches,
            [("client.ready.waits", waits), ("server.ready.waits", waits), .. fields]);

    static double[] Spread => [0.91, 1.09, 1, 0.96, 1.05];

    // Five launches, each with the rates of its rounds. Rounds differ by up to 1 % to either side; of who is slower
    // than udp the other way round.
    static double[][] Launches(double speed, double[]? launches = null)
    {
        var direction = Math.Sign(1 - speed);
        double[] Rounds(int launch)
        {
            var ofLaunch = speed * (launches?[launch] ?? 1);
            return [.. drift.Select((rate, i) => rate * ofLaunch * (1 + 0.01 * direction * (i - 3.5) / 3.5))];
        }
        return [.. Enumerable.Range(0, 5).Select(Rounds)];
    }

    static Dictionary<string, string> Rates(string page, string library) =>
        Made.Row(page, "bound by", library, "10", "1");
}
