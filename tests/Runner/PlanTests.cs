using System.Text.RegularExpressions;

/// <summary>`runner plan`: the runs of a sweep in their order, and what the words of a run come to.</summary>
public sealed class PlanTests : InSuiteFolder
{
    const string Name = "udp-unreliable-1x1-32";

    static readonly string[] oneLibrary = ["--libraries", SuiteFolder.Unbuilt, "--delivery", "unreliable"];
    static readonly string[] apart = [.. oneLibrary, "--interleaved", "no"];

    public PlanTests() => suite.AddBench(SuiteFolder.Unbuilt);

    [Fact]
    public void A_plan_has_every_cell_once_a_repeat_in_an_order_that_its_seed_decides()
    {
        string[] loads = ["--clients", "1,2,3,4,5", "--parallel", "3,4", "--only", "1x3,2x3,3x3,4x3,5x3,1x4"];
        string[] messages = ["--payload-bytes", "32,64", "--delivery", "unreliable,reliable-ordered"];
        string[] flags =
            ["--libraries", SuiteFolder.Unbuilt, "--interleaved", "no", .. loads, .. messages, "--repeats", "3"];
        string[] Order(string seed) => Plan([.. flags, "--seed", seed]);
        const string Words = @"--delivery \2 --profile default --variant default --work echo "
            + @"--clients \3 --parallel \4 --payload-bytes \6 --rate 0 --warmup-seconds 3 --seconds 1";
        var first = Order("1");
        Assert.Equal(72, first.Length);
        foreach (var (repeat, runs) in first.Chunk(24).Index())
        {
            Assert.Equal(first[..24].Select(CellOf).Order(), runs.Select(CellOf).Order());
            Assert.Equal(24, runs.Distinct().Count());
            const string Title = @"(\w+) (\S+) (\d) x (\d)( of 64 bytes)?";
            var pattern = $@"^{Title}\t\1 --run-id r{repeat + 1}-\1-\2-\3x\4-(\d+) {Words}$";
            Assert.All(runs, run => Assert.Matches(pattern, run));
        }
        Assert.NotEqual(first[..24].Select(CellOf), first[24..48].Select(CellOf));
        Assert.Equal(first, Order("1"));
        Assert.NotEqual(first, Order("2"));
    }

    [Fact]
    public void A_block_has_all_cells_of_a_load_and_kind_of_delivery_baselines_first()
    {
        suite.AddBench("able");
        string[] cells =
        [
            "--libraries", "able,tcp,udp",
            "--clients", "2",
            "--payload-bytes", "32,64",
            "--profile", "default,tuned",
        ];
        string[] rounds = ["--rounds", "9", "--slice-ms", "8", "--settle-ms", "7", "--awake", "yes"];
        var plan = Plan([.. cells, "--repeats", "2", "--seed", "7", .. rounds]);
        Assert.Equal(2 * 2 * 2, plan.Length); // payloads, kinds, launches
        const string Unreliable = "unreliable 2 x 1: udp, able"
            + "\tudp/unreliable,able/unreliable,able/unreliable/tuned"
            + " --run-id r2 --variant default --work echo --clients 2 --parallel 1 --payload-bytes 32 --rate 0"
            + " --warmup-seconds 3 --seconds 1 --rounds 9 --slice-ms 8 --settle-ms 7 --order-seed 9 --awake";
        var unreliable = Assert.Single(plan, run => run.StartsWith("unreliable 2 x 1:") && run.Contains(" r2 "));
        Assert.Equal(Unreliable, unreliable);
        const string Reliable = "reliable 2 x 1 of 64 bytes: tcp, able"
            + "\ttcp/reliable-ordered,tcp/reliable-ordered/tuned,able/reliable-ordered,able/reliable-ordered/tuned,"
            + "able/reliable-unordered,able/reliable-unordered/tuned"
            + " --run-id r1 ";
        var ofLarge = plan.Where(run => run.StartsWith("reliable 2 x 1 of 64 bytes:"));
        Assert.StartsWith(Reliable, Assert.Single(ofLarge, run => run.Contains(" r1 ")));
        Assert.All(plan[..4], run => Assert.Contains(" r1 ", run)); // repeats outermost
    }

    [Fact]
    public void Content_makes_loads_of_its_own()
    {
        string[] cells = [.. oneLibrary, "--clients", "4", "--parallel", "2", "--seed", "1"];
        var plan = Plan([.. cells, "--payload", "random,zeros"]);
        Assert.Equal(2, plan.Length);
        var zeros = Assert.Single(plan, run => run.Contains(" --payload-bytes 32 --payload zeros --rate 0 "));
        Assert.StartsWith("unreliable 4 x 2, payload zeros: ", zeros);
        var usual = Assert.Single(plan, run => run.StartsWith("unreliable 4 x 2: "));
        Assert.Contains(" --payload-bytes 32 --rate 0 --warmup-seconds ", usual);

        // Calls have data of their own.
        string[] both = ["--work", "echo,sum", "--payload", "random,zeros", "--payload-bytes", "32,64"];
        var calls = Plan([.. cells, .. both]).Where(run => run.Contains(" sum: "));
        Assert.Contains("unreliable 4 x 2 sum: ", Assert.Single(calls));
        string told = suite.Run(["sweep", .. cells, "--work", "sum", "--payload-bytes", "64"]).WrongUsage();
        Assert.Contains("payload_bytes is of work echo, stream, broadcast, game or say-hello.", told);
        // But say-hello has a size.
        var sized = Plan([.. cells, "--work", "say-hello,get-user", "--payload-bytes", "32,64"]);
        string[] loads = ["unreliable 4 x 2 get-user", "unreliable 4 x 2 say-hello",
            "unreliable 4 x 2 say-hello of 64 bytes"];
        Assert.Equal(loads, sized.Select(run => run.Split(':')[0]).Order());
        Assert.Contains("'noise' is no value for --payload", suite.Run("sweep", "--payload", "noise").WrongUsage());
    }

    [Fact]
    public void Percentages_come_when_all_other_launches_are_over()
    {
        string[] cells = [.. oneLibrary, "--clients", "2,3", "--profile", "default,tuned"];
        string[] flags = [.. cells, "--rate", "50%,30/client,90,7", "--repeats", "2"];
        var plan = Plan([.. flags, "--interleaved", "no"]);
        static bool IsPercentage(string run) => run.Contains(" --rate-percent 50 ");
        var first = plan.TakeWhile(run => !IsPercentage(run)).ToArray();
        Assert.All(plan[first.Length..], run => Assert.True(IsPercentage(run)));
        Assert.All(plan, run => Assert.Matches(@"^made unreliable( tuned)? ([23]) x 1( at (\d+|50%))?\tmade "
            + @"--run-id r\d-made-unreliable(-tuned)?-\2x1-32(-at-(\4|50pct))? ", run));
        Assert.Equal(plan.Length, plan.Select(IdOf).Distinct().Count());
        // 30/client of 3 clients is 90: one cell.
        Assert.Equal(["0", "60", "7", "90"], RatesOf(first, 2));
        Assert.Equal(["0", "7", "90"], RatesOf(first, 3));
        Assert.Equal(2 * 2 * (4 + 3), first.Length);
        Assert.Equal(2 * 2 * 2, plan.Length - first.Length);
        foreach (var launches in new[] { first, plan[first.Length..] }) // repeats outermost
            Assert.All(launches[..(launches.Length / 2)], run => Assert.StartsWith("r1-", IdOf(run)));

        var blocks = Plan(flags);
        Assert.Equal(2 * (4 + 3 + 2), blocks.Length); // both profiles in one
        Assert.All(blocks[..14], run => Assert.False(IsPercentage(run)));
        const string Percentage = @"^unreliable [23] x 1 at 50%: made\tmade/unreliable,made/unreliable/tuned ";
        Assert.All(blocks[14..], run => Assert.Matches(Percentage, run));

        static IEnumerable<string> RatesOf(string[] runs, int clients)
        {
            var ofClients = runs.Where(run => run.Contains($"-{clients}x1-"));
            return ofClients.Select(RateOf).Distinct().Order(StringComparer.Ordinal);
        }
    }

    [Fact]
    public void A_ladder_is_the_closed_loop_and_five_rungs()
    {
        string[] ladder = [.. oneLibrary, "--clients", "1", "--repeats", "1", "--ladder", "yes"];
        string[] Rates(params string[] flags) => [.. Plan([.. ladder, .. flags]).Select(RateOf).Order()];
        Assert.Equal(["0", "10%", "25%", "50%", "75%", "90%"], Rates());
        Assert.Equal(["0", "10%", "25%", "3", "50%", "75%", "90%"], Rates("--rate", "3,50%"));
    }

    [Fact]
    public void Pins_traces_and_hosts_are_words_of_every_run()
    {
        string[] oneRun = [.. oneLibrary, "--clients", "1", "--repeats", "1"];
        string Words(params string[] flags) => Assert.Single(Plan([.. oneRun, .. flags])).Split('\t')[1];
        Assert.EndsWith(" --seconds 1 --trace", Words("--trace", "yes"));
        Assert.EndsWith(" --order-seed 2", Words());
        string[] hosts = ["--server-host", "a", "--client-hosts", "b,c", "--remote-folder", "d", "--address", "e"];
        const string Elsewhere = " --order-seed 2 --server-cpus 0,2 --client-cpus 1"
            + " --server-host a --client-hosts b,c --remote-folder d --address e";
        Assert.EndsWith(Elsewhere, Words(["--pin", "0,2/1", .. hosts]));
    }

    [Fact]
    public void A_dry_run_is_the_same_runs_as_commands()
    {
        foreach (var flags in new[] { apart, oneLibrary })
        {
            var settings = suite.Run(["sweep", .. flags]).WithCode(0).Out;
            var words = suite.RunWith(settings, "plan").Out.Select(run => run.Split('\t')[1]);
            var commands = suite.RunWith(settings, "plan", "--dry-run", "a b/raw.jsonl").WithCode(0).Out;
            Assert.Equal(
                words.Select(run => $"dotnet runner/bin/Release/runner.dll run {run} --out a b/raw.jsonl"),
                commands.SkipWhile(line => line != "").Skip(1));
        }
    }

    [Fact]
    public void A_dry_run_opens_with_what_is_measured_in_about_what_time()
    {
        string[] Told(params string[] flags)
        {
            var settings = suite.Run(["sweep", .. flags]).WithCode(0).Out;
            var lines = suite.RunWith(settings, "plan", "--dry-run", "raw.jsonl").WithCode(0).Out;
            return [.. lines.TakeWhile(line => line != "")];
        }
        string Time(params string[] flags) => Told([.. oneLibrary, .. flags])[^1];

        // A library that is not built is taken at its word.
        string[] expected =
        [
            "preset: quick, changed: libraries made; delivery unreliable; repeats 3",
            "loads: unreliable 1 x 1; unreliable 100 x 1",
            "libraries: made",
            "not built yet: made (what they cannot do will be left out)",
            // A start, a warm-up of 3 s and some, 35 slices of 80 ms that settle for 30 ms, a window of 1 s.
            "launches: 6, in about 70 s, besides builds",
        ];
        Assert.Equal(expected, Told([.. oneLibrary, "--repeats", "3"]));
        string[] one = ["--clients", "1", "--warmup-seconds", "0"];
        Assert.Equal("launches: 1, in about 10 min, besides builds", Time([.. one, "--seconds", "550"]));
        Assert.Equal("launches: 1, in about 11 min, besides builds", Time([.. one, "--rounds", "5000"]));
        Assert.Equal("launches: 1, in about 2.0 h, besides builds", Time([.. one, "--seconds", "7200", .. apart[4..]]));
        string[] overLink = [.. one, "--rtt-ms", "1000", "--seconds", "288", "--libraries", "udp"];
        Assert.Equal("launches: 1, in about 5 min, besides builds", Told([.. oneLibrary[2..], .. overLink])[^1]);
        Assert.EndsWith(" as long as you let it run, besides builds", Time([.. one, "--seconds", "-1"]));
        Assert.EndsWith(", and more until 3% or 20min, besides builds", Time([.. one, "--until", "3%"]));

        var many = Told([.. oneLibrary, "--clients", string.Join(',', Enumerable.Range(1, 1_000))])[1];
        Assert.Equal(12, many.Split(" x 1;").Length - 1);
        Assert.EndsWith("; and 988 more", many);
    }

    [Fact]
    public void What_a_library_that_is_built_cannot_do_is_in_no_plan()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-udp"), "bench-udp is not built.");
        string[] flags =
        [
            "--libraries", $"udp,{SuiteFolder.Unbuilt}",
            "--delivery", "reliable-ordered,unreliable",
            "--clients", string.Join(',', Enumerable.Range(1, 1_000)),
            "--payload-bytes", "32,40",
            "--profile", "default,tuned",
        ];
        var plan = Plan([.. flags, "--interleaved", "no"]); // of udp 8,000 answers, which no pipe holds at once
        Assert.Equal(8_000, plan.Count(run => run.StartsWith("made ")));
        var ofUdp = plan.Where(run => run.Contains("\tudp --run-id r1-udp-unreliable-"));
        Assert.Equal(2_000, ofUdp.Count());
        Assert.All(ofUdp, run => Assert.Contains(" --profile default ", run));
        Assert.Equal(10_000, plan.Length);
        Assert.Equal("made/reliable-ordered,made/reliable-ordered/tuned", MembersOf("reliable 1 x 1:"));
        Assert.Equal("udp/unreliable,made/unreliable,made/unreliable/tuned", MembersOf("unreliable 1 x 1:"));
        string MembersOf(string title)
        {
            var run = Plan([.. flags, "--interleaved", "yes"]).First(run => run.StartsWith(title));
            return run.Split('\t')[1].Split(' ')[0];
        }
    }

    [Fact]
    public void A_plan_refuses_what_is_no_sweep_and_results_that_are_not_there()
    {
        Assert.Contains("'udp 1'", suite.RunWith(["udp 1"], "plan").WrongUsage());
        var withoutRepeats = SuiteFolder.With(("repeats", "0"));
        Assert.Contains("'0' is no value for stdin: repeats", suite.RunWith(withoutRepeats, "plan").WrongUsage());
        suite.RunWith(SuiteFolder.Quick, "plan", "--resume", suite.PathOf("nosuch")).WrongUsage();
        File.WriteAllText(suite.PathOf("built"), ""); // where none could be built
        Assert.Empty(suite.RunWith(SuiteFolder.Quick, "plan", "--built", "built").WithCode(0).Out);
        var failed = SuiteFolder.Error("build", "failed", 1, side: "build");
        File.WriteAllLines(suite.PathOf("built"), [SuiteFolder.Info(SuiteFolder.Unbuilt), failed]);
        var ofBoth = SuiteFolder.With(("libraries", $"udp,{SuiteFolder.Unbuilt}"));
        var ofOne = suite.RunWith(ofBoth, "plan", "--built", "built").WithCode(0).Out;
        Assert.Equal(2 * 2, ofOne.Length);
        Assert.All(ofOne, run => Assert.Contains($": {SuiteFolder.Unbuilt}\t", run));
        File.AppendAllText(suite.PathOf("built"), "garbage\n");
        Assert.Contains("built:3: ", suite.RunWith(SuiteFolder.Quick, "plan", "--built", "built").WrongUsage());
    }

    [Fact]
    public void The_plan_of_a_sweep_that_goes_on_has_precisely_the_runs_that_it_lacks()
    {
        string[] flags = [.. apart, "--clients", "1,2,3,4,5,6,7,8,9", "--seed", "7", "--repeats", "2"];
        var all = Plan(flags);
        string[] whole = [.. all[..4], .. all[5..11]];
        File.WriteAllLines(suite.Raw,
        [
            SuiteFolder.BegunHere(),
            .. whole.SelectMany(run => SuiteFolder.Whole(IdOf(run))),
            SuiteFolder.Error(IdOf(all[4]), "failed", 1),
            .. SuiteFolder.Whole(IdOf(all[12]))[..^1], // cut off before its end was written
        ]);
        var settings = suite.Run(["sweep", .. flags]).Out;
        // The same before and after the file is tidied.
        for (var time = 0; time < 2; time++)
        {
            Assert.Equal(all.Except(whole), Plan(flags, "--resume", suite.Folder));
            string[] built = [SuiteFolder.Info(SuiteFolder.Unbuilt)];
            suite.BeginWith(settings, suite.Folder, built, "--resume").WithCode(0);
        }
    }

    [Fact]
    public void A_percentage_is_of_the_median_of_the_cells_own_closed_loop_and_stays_what_it_was()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-udp"), "bench-udp is not built.");
        int Rate(string runId, string percent)
        {
            var before = Record.In(suite.Raw).Length;
            RunAtPart(runId, percent).WithCode(0);
            return (int)Record.Single(Record.In(suite.Raw)[before..], "launch")["settings"]!["rate"]!;
        }
        void Add(string runId, int completed)
        {
            var run = MadeUp.With(MadeUp.Run(runId), ("client.window.outcomes.completed", completed));
            File.AppendAllLines(suite.Raw, SuiteFolder.Lines(run));
        }

        // Windows of 2 s; other cells, and a failure that has been measured again.
        Add($"r1-{Name}", 1000);
        Add($"r2-{Name}", 4003);
        Add($"r3-{Name}", 1000);
        Add("r1-udp-unreliable-1x1-320", 70_000);
        Add("r1-udp-unreliable-tuned-1x1-32", 80_000);
        Add("r1-made@look-at-Made-unreliable-1x1-32", 1000);
        File.AppendAllLines(suite.Raw, [SuiteFolder.Error($"r4-{Name}", "retried", 1)]);
        Assert.Equal(250, Rate($"r1-{Name}-at-50pct", "50"));
        Assert.Equal(125, Rate($"r1-{Name}-at-25pct", "25"));
        Assert.Equal(4_000, Rate("r1-udp-unreliable-tuned-1x1-32-at-10pct", "10"));
        // Whatever the folder of a library's sources is called.
        Assert.Equal(250, Rate("r1-made@look-at-Made-unreliable-1x1-32-at-50pct", "50"));

        // Of an even number it is the mean of the middle two. A cell's rate does not change any more.
        Add($"r4-{Name}", 4_002);
        Assert.Equal(750, Rate($"r1-{Name}-at-60pct", "60"));
        Assert.Equal(250, Rate($"r2-{Name}-at-50pct", "50"));
        // Of interleaved launches it is the median of their rounds, whatever the window says.
        var interleaved = SuiteFolder.Interleaved(
            1, "unreliable-2x1-32", 9, (Name.Replace("1x1", "2x1"), [700, 300, 500]));
        File.AppendAllLines(suite.Raw, interleaved);
        Assert.Equal(2_500, Rate("r1-udp-unreliable-2x1-32-at-50pct", "50"));
        RunAtPart("x", "5%").WrongUsage();
        suite.Run("run", "udp", "--rate-percent", "50").WrongUsage();
    }

    [Fact]
    public void A_percentage_of_a_closed_loop_that_did_not_measure_leaves_an_error_record()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-udp"), "bench-udp is not built.");
        File.WriteAllLines(suite.Raw,
        [
            SuiteFolder.BegunHere(),
            SuiteFolder.Error($"r1-{Name}", "failed", 1),
            .. SuiteFolder.Whole("r1-udp-unreliable-2x1-32"),
        ]);
        var ended = RunAtPart($"r1-{Name}-at-50pct", "50").WithCode(1);
        Assert.Contains("No closed-loop launch of this cell measured", ended.Sentence());
        var error = Record.In(suite.Raw)[^1];
        Assert.Empty(Contract.Faults(error, "error"));
        Assert.Equal($"r1-{Name}-at-50pct", (string?)error["run_id"]);
        Assert.Equal("failed", (string?)error["kind"]);
        Assert.Equal(1, (int)error["exit_code"]!);
        Assert.Equal("run", (string?)error["side"]);
        Assert.StartsWith("failed: No closed-loop", Assert.Single(ended.Out));
        Tool.Run("check", suite.Raw).WithCode(0);
    }

    Ended RunAtPart(string runId, string percent)
    {
        string[] cell = ["--run-id", runId, "--delivery", "unreliable", "--rate-percent", percent];
        return suite.Run(["run", "udp", .. cell, "--warmup-seconds", "0", "--seconds", "0.1", "--out", suite.Raw]);
    }

    static string CellOf(string run) => Regex.Replace(run, " r[0-9]+-", " ");

    static string IdOf(string run) => run.Split(' ').SkipWhile(word => word != "--run-id").ElementAt(1);

    static string RateOf(string run)
    {
        var rate = Regex.Match(run, @" --rate(-percent)? (\d+)");
        return rate.Groups[2].Value + (rate.Groups[1].Success ? "%" : "");
    }

    // The runs of a sweep with such flags.
    string[] Plan(string[] flags, params string[] more)
    {
        var settings = suite.Run(["sweep", .. flags]).WithCode(0).Out;
        return suite.RunWith(settings, ["plan", .. more]).WithCode(0).Out;
    }
}
