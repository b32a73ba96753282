using Newtonsoft.Json.Linq;

/// <summary>A launch is disturbed by evidence from outside, of which none is hidden; the last attempt of a
/// run that was measured again counts.</summary>
public sealed class DisturbanceTests : IDisposable
{
    const int Usual = 100_000; // round trips of a canary

    readonly Scratch scratch = new();

    public DisturbanceTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    // Each of them in a cell of its own.
    static IEnumerable<JObject> Launches(int count, params (string, object?)[] fields) =>
        Enumerable.Range(1, count).SelectMany(i => Made.Launch($"r1-quiet-{i}", 100 + i, fields));

    [Fact]
    public void Evidence_counts_beyond_the_edge_of_each_rule()
    {
        // Of 2 CPU s; the sides took 0.9 s.
        (string Reason, (string, object?)[] Fields, int Canary)[] runs =
        [
            ("", [("cost.machine_steal_s", 0.02)], Usual),
            ("1.05 % of the CPU time of the machine was stolen", [("cost.machine_steal_s", 0.021)], Usual),
            ("", [("cost.machine_cpu_s", 1.099)], Usual),
            ("other load took 10.1 % of the CPU time of the machine", [("cost.machine_cpu_s", 1.102)], Usual),
            ("", [], 90_100), ("the canary before it was 10.1 % slower than the session's median", [], 89_900),
            ("", [], 109_900), ("the canary before it was 10.1 % faster than the session's median", [], 110_100),
            ("", [("cost.cpu_pressure_s", 1.0)], Usual),
            ("", [("cost.machine_steal_s", null), ("cost.machine_cpu_s", null)], Usual),
            ("3.00 % of the CPU time of the machine was stolen; other load took 20.0 % of the CPU time of the " +
                "machine", [("cost.machine_steal_s", 0.06), ("cost.machine_cpu_s", 1.3)], Usual),
        ];
        var machine = Made.Machine;
        machine["repeats"] = 1;
        var page = Made.Render(scratch, [machine, .. Launches(5), .. runs.SelectMany((run, i) =>
            Made.Launch($"r1-{i}", i + 1, run.Fields).Prepend(Made.Canary($"r1-{i}", run.Canary)))]);
        for (var i = 0; i < runs.Length; i++)
        {
            var notes = Made.Row(page, "bound by", "udp (floor)", "1", $"{i + 1}")["notes"];
            Assert.Equal((i, runs[i].Reason == "" ? "" : $"disturbed: {runs[i].Reason}"),
                (i, notes));
            if (runs[i].Reason == "") continue;
            var row = Made.Row(page, "reasons", $"r1-{i}", "udp");
            Assert.Equal(("yes", runs[i].Reason), (row["counts"], row["reasons"]));
        }
        Assert.Contains("5 launches of 16 disturbed, 0 of these measured again.", page);
        Assert.Contains("11 canaries: median 100,000 round trips/s, 89,900 to 110,100.", page);
        Assert.Contains(" 5 disturbed.", page);
        Assert.Equal(("3.00", "20.0", "12.0", "100"), (Made.Row(page, "reasons", "r1-10")["steal %"],
            Made.Row(page, "reasons", "r1-10")["other load %"], Made.Row(page, "reasons", "r1-10")["CPU pressure %"],
            Made.Row(page, "reasons", "r1-10")["canary %"]));
    }

    [Fact]
    public void Four_canaries_have_no_median_that_a_fifth_is_held_against()
    {
        JObject[] Canaries(int count) =>
            [.. Enumerable.Range(0, count).Select(i => Made.Canary($"r1-{i}", i == 0 ? 50_000 : Usual))];
        var page = Made.Render(scratch, [Made.Machine, .. Canaries(4), .. Made.Launch("r1-0", 1)]);
        Assert.Contains("4 canaries: median n/a", page);
        Assert.Contains("0 launches of 1 disturbed", page);
        page = Made.Render(scratch, [Made.Machine, .. Canaries(5), .. Made.Launch("r1-0", 1)]);
        Assert.Contains("1 launch of 1 disturbed", page);
        Assert.Contains("was 50.0 % slower", page);
    }

    [Fact]
    public void What_the_kernel_charges_to_nobody_in_the_quietest_launch_is_no_other_load()
    {
        // 0.4 s of system time; the kernel did as much again x 0.4 for the sides in each launch.
        string Page(params double[] rests) => Made.Render(scratch, rests.SelectMany((rest, i) =>
            Made.Launch($"r1-{i + 1}", i + 1, ("cost.machine_cpu_s", 0.9 + rest))).Prepend(Made.Machine));
        var page = Page(0.16, 0.2, 0.3, 0.359, 0.361);
        Assert.Contains("1 launch of 5 disturbed", page);
        Assert.Contains("| r1-5 |", page); // 0.361 s - 0.16 s of 2 s
        // Never more than half of the system time is taken off, and that much of fewer launches.
        page = Page(0.399, 0.399, 0.399, 0.399, 0.401);
        Assert.Contains("1 launch of 5 disturbed", page);
        Assert.Contains("| r1-5 |", page);
        page = Page(0, 0.3, 0.399, 0.401);
        Assert.Contains("1 launch of 4 disturbed", page);
        Assert.Contains("| r1-4 |", page);
    }

    [Fact]
    public void Each_machine_of_a_launch_is_judged_by_its_own_counters()
    {
        JObject Of(string role, int? share)
        {
            var machine = Made.Machine;
            (machine["role"], machine["client_machine"]) = (role, share);
            return machine;
        }
        var page = Made.Render(scratch, [Of("server", null), Of("clients", 0), .. Made.Launch("r1", 1,
            ("client.cost.machine_cpu_s", 0.5), ("client.cost.machine_steal_s", 0.1),
            ("server.cost.machine_cpu_s", 1.2))]);
        // The client's 5 % of 2 s; the server's 1.2 s - 0.4 s - half of 0.2 s.
        Assert.Contains("disturbed: 5.00 % of the CPU time of client machine 1 was stolen; other load took 35.0 % of " +
            "the CPU time of the server's machine |", page);
    }

    [Fact]
    public void The_last_attempt_counts_and_the_others_are_listed()
    {
        (string, object?)[] Stolen(double seconds, int completed = Made.Messages) =>
        [
            ("cost.machine_steal_s", seconds), ("client.elapsed_s", Made.Messages / (double)completed),
            ("client.rtt_sum_ns", Made.Messages * (1_000_000_000L / completed)),
            ("client.rtt_min_ns", 1L), ("client.rtt_max_ns", 1_000_000_000L),
        ];
        JObject[] records =
        [
            Made.Machine, .. Launches(5),
            // r1 was disturbed once, r2 each time, r3 not.
            .. Made.Launch("r1-a", 1, Stolen(0.1, 5_000)), .. Made.Launch("r1-a-again1", 1, Stolen(0)),
            .. Made.Launch("r2-a", 1, Stolen(0.1, 4_000)), .. Made.Launch("r2-a-again1", 1, Stolen(0.1, 3_000)),
            .. Made.Launch("r2-a-again2", 1, Stolen(0.08)),
        ];
        var page = Made.Render(scratch, records);
        var row = Made.Row(page, "bound by", "udp (floor)", "1", "1");
        Assert.Equal(("10,000", "10,000–10,000"), (row["msgs/s median"], row["range"]));
        Assert.Equal("3 disturbed launches measured again; disturbed: 4.00 % of the CPU time of the machine was " +
            "stolen (1 of 2 launches, see Noise)", row["notes"]);
        Assert.Contains("7 launches, 2 planned for each cell.", page);
        Assert.Contains("3 disturbed launches measured again (see Noise).", page);
        Assert.Contains("4 launches of 10 disturbed, 3 of these measured again.", page);
        foreach (var (run, counts) in new[] { ("r1-a", false), ("r2-a", false), ("r2-a-again1", false), ("r2-a-again2", true) })
            Assert.Equal((run, counts ? "yes" : "no: measured again"), (run, Made.Row(page, "reasons", run)["counts"]));
        Assert.DoesNotContain("| r1-a-again1 |", page);

        // A later median may judge otherwise; the attempt stays left out, and listed.
        foreach (var record in records.Where(record => (string?)record["run_id"] == "r1-a"))
            record["cost"]!["machine_steal_s"] = 0.0;
        page = Made.Render(scratch, records);
        Assert.Equal("as judged when it was measured", Made.Row(page, "reasons", "r1-a")["reasons"]);
        Assert.Equal("10,000–10,000", Made.Row(page, "bound by", "udp (floor)", "1", "1")["range"]);
    }

    [Fact]
    public void An_attempt_that_failed_is_a_failure_and_the_attempt_before_it_counts()
    {
        var failed = Record.Parse(Contract.Examples["error"]);
        (failed["run_id"], failed["kind"], failed["reason"]) = ("r1-again1", "failed", "It hung.");
        var disturbed = Made.Launch("r1", 1, ("cost.machine_steal_s", 0.1));
        failed["settings"]!.Replace(disturbed[0]["settings"]!.DeepClone());
        var row = Made.Row(Made.Render(scratch, [Made.Machine, .. disturbed, failed]), "bound by", "udp (floor)", "1", "1");
        Assert.Equal("10,000", row["msgs/s median"]);
        Assert.StartsWith("1 launch failed: It hung.; disturbed: 5.00 %", row["notes"]);
    }
}
