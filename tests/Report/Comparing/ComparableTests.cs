using Newtonsoft.Json.Linq;

/// <summary>What is not to be compared is refused or set aside, and never a regression.</summary>
public sealed class ComparableTests : ComparedSweeps
{
    [Fact]
    public void A_cell_that_is_not_comparable_says_why_and_is_no_regression()
    {
        void Not(string reason, JObject[] before, JObject[] after)
        {
            var page = Compare(before, after, 0);
            Assert.EndsWith($"| not comparable: {reason} |", RowOf(page));
            Assert.Contains("1 not comparable**", page);
        }
        JObject[] sound = [.. Cell(MadeUp.Five)];
        JObject[] slow = [.. Cell(MadeUp.Five, 0.5)];
        Not("only in BASE", sound, []);
        Not("only in NEW", [], sound);
        Not("NEW 4 launches, of at least 5", sound, [.. Cell(MadeUp.Five[1..], 0.5)]);
        Not("BASE 4 launches, of at least 5", [.. Cell(MadeUp.Five[1..])], slow);

        var failed = MadeUp.Failed([.. Cell(MadeUp.Five[..1])], ("run_id", "r9"), ("reason", "It *hung*."));
        Not("NEW failed: It \\*hung\\*.", sound, [.. slow, failed]);

        JObject[] invalid = [.. Cell(MadeUp.Five, 0.5)];
        MadeUp.With(First(invalid), MadeUp.Slept(3.2));
        Not("NEW invalid: the machine slept for 3.2 s", sound, invalid);

        JObject[] mixed = [.. Cell(MadeUp.Five, 0.5)];
        MadeUp.With(First(mixed), ("ready.library_version", "0.1"));
        Not("NEW mixes versions of the library", sound, mixed);
        Not(
            "BASE traced",
            MadeUp.With([.. Cell(MadeUp.Five)], ("settings.trace", true)),
            MadeUp.With([.. Cell(MadeUp.Five, 0.5)], ("settings.trace", true)));
    }

    [Fact]
    public void Where_nothing_is_comparable_the_first_sentence_says_why_and_what_to_run()
    {
        static string First(string page) => page.Split('\n')[2];
        const string Few = "Nothing can be compared: NEW 4 launches, of at least 5 (so 1 of 1 cell). "
            + "Run both sweeps with `--repeats 5` or more, with `scripts/run-all.sh`.";
        Assert.Equal(Few, First(Compare([.. Cell(MadeUp.Five)], [.. Cell(MadeUp.Five[1..])], 0)));
        const string Other = "Nothing can be compared: only in BASE (so 1 of 1 cell). "
            + "Run both sweeps with the same libraries and loads, with `scripts/run-all.sh`.";
        Assert.Equal(Other, First(Compare([.. Cell(MadeUp.Five)], [], 0)));
        Assert.StartsWith("**", First(Compare([.. Cell(MadeUp.Five)], [.. Cell(MadeUp.Five)], 0)));
    }

    [Fact]
    public void Pinned_cells_are_not_compared_with_unpinned_ones()
    {
        var pinned = MadeUp.With(
            [.. Cell(MadeUp.Five, 0.5)],
            ("settings.server_cpus", "0"),
            ("settings.client_cpus", "1"));
        var page = Compare([.. Cell(MadeUp.Five)], pinned, 0);
        Assert.Contains("2 not comparable**, of 2 cells.", page);
        Assert.Contains("| payload_bytes 32, server_cpus 0, client_cpus 1 |", page);
        Assert.Contains("only in BASE |", page);
        Assert.Contains("only in NEW |", page);
    }

    [Fact]
    public void A_fact_that_one_machine_does_not_tell_is_no_difference()
    {
        Write("base", [.. Cell(MadeUp.Five)]);
        Write("new", [Machine(("tcp_congestion_control", "bbr")), .. Cell(MadeUp.Five, 0.9)], false);
        Assert.DoesNotContain("differ in", Run(Worse));
    }

    [Fact]
    public void Different_machines_are_refused_unless_forced()
    {
        Write("base", [.. Cell(MadeUp.Five)]);
        (string, object, string)[] differences =
        [
            ("cpu_model", "Another", "cpu_model is Example CPU in BASE, but Another in NEW"),
            ("hypervisor", "kvm", "hypervisor is n/a in BASE, but kvm in NEW"),
            ("memory_bytes", 1, "memory_bytes is 25769803776 in BASE, but 1 in NEW"),
            ("dotnet_version", "9", "dotnet_version is 10.0.12 in BASE, but 9 in NEW"),
            (
                "dotnet_environment",
                new JObject { ["DOTNET_gcServer"] = "1" },
                "dotnet_environment is none in BASE, but DOTNET_gcServer 1 in NEW"),
        ];
        foreach (var (fact, value, said) in differences)
        {
            Write("new", [Machine((fact, value)), .. Cell(MadeUp.Five, 0.9)], false);
            Assert.Contains(said, Command().WrongUsage());
            var forced = Run(Worse, "--force");
            Assert.Contains($"**The machines differ in {fact}; the comparison was forced.**", forced);
        }
        foreach (var fact in new[] { "run_id", "date_utc", "suite_commit" })
        {
            Write("new", [Machine((fact, "2026-11-22T00:00:00Z")), .. Cell(MadeUp.Five, 0.9)], false);
            Assert.DoesNotContain("forced", Run(Worse));
        }
        Write("new", [Machine(("role", "server")), .. Cell(MadeUp.Five)], false);
        Assert.Contains("the machine of role all is recorded in BASE, but n/a in NEW", Command().WrongUsage());
        Write("new", [Machine(), Machine(("kernel", "9")), .. Cell(MadeUp.Five)], false);
        Assert.Contains("NEW has records of two machines: kernel", Command().WrongUsage());
    }

    [Fact]
    public void Whatever_is_no_comparison_ends_in_2_and_not_as_a_regression_does()
    {
        Write("base", [.. Cell(MadeUp.Five)]);
        Tool.Run("compare", scratch.PathOf("base")).WrongUsage();
        Command().WrongUsage(); // there is no NEW
        Write("new", [.. Cell(MadeUp.Five)], false);
        Assert.Contains("NEW has no record of its machine", Command().WrongUsage());
        Write("new", [.. Cell(MadeUp.Five, 0.9)]);
        Command("--out", scratch.PathOf("nowhere", "page.md")).WrongUsage();
        Write("new", []);
        Assert.Equal("No cell is comparable.", Command().WithCode(0).Sentence());
        var help = string.Join(' ', Tool.Run("compare", "--help").WithCode(0).Out);
        Assert.Contains("0: none is worse, 1: at least one is, 2: wrong usage or refused", help);
    }

    static JObject[] First(JObject[] records) =>
        [.. records.TakeWhile(record => (string?)record["run_id"] == (string?)records[0]["run_id"])];
}
