using System.Diagnostics;
using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The verbs of runner that the scripts call: what a sweep runs, and how it goes on.</summary>
public sealed class SweepTests : IDisposable
{
    const string Name = "udp-unreliable-1x1-32", RunId = $"r1-{Name}";

    static readonly string[] oneLibrary = ["--libraries", "udp", "--delivery", "unreliable"];

    static readonly string[] quick =
    [
        "preset=quick", "seed=1", "libraries=tcp,udp",
        "delivery=reliable-ordered,reliable-unordered,unreliable", "clients=1,100", "parallel=1", "only=",
        "payload_bytes=32", "profile=default", "rate=0", "ladder=no", "slo=", "pin=none", "canary=no", "reruns=0",
        "warmup_seconds=1", "seconds=1.5", "repeats=2", "trace=no",
    ];

    readonly Scratch scratch = new();

    string Raw => scratch.PathOf("raw.jsonl");
    string Superseded => scratch.PathOf("raw.superseded.jsonl");

    public SweepTests()
    {
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        foreach (var bench in new[] { "bench-udp", "bench-tcp" })
            Directory.CreateDirectory(scratch.PathOf(bench));
        Repo.Copy("scripts", scratch.PathOf("scripts"));
    }

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void Without_flags_the_settings_are_those_of_quick_for_every_bench_folder() =>
        Assert.Equal(quick, Run("sweep").WithCode(0).Out);

    [Fact]
    public void A_flag_of_every_key_wins_over_the_preset()
    {
        string[] given =
        [
            "preset=quick", "seed=999999999", "libraries=udp", "delivery=unreliable,reliable-ordered",
            "clients=100000,2", "parallel=10000,3", "only=2x3", "payload_bytes=65507,24",
            "profile=tuned,default", "rate=10000000,7,1000/client,200%", "ladder=yes",
            "slo=p99.9=999999999.999s,loss=100%,p50=0.001us,p90=7ms,p99=8ms", "pin=0/0", "canary=yes", "reruns=1",
            "warmup_seconds=0", "seconds=0.125", "repeats=1000", "trace=yes",
        ];
        var flags = given.Skip(1).Select(line => line.Split('=', 2))
            .SelectMany(setting => new[] { "--" + setting[0].Replace('_', '-'), setting[1] });
        Assert.Equal(given, Run(["sweep", .. flags]).WithCode(0).Out);
    }

    [Fact]
    public void Every_preset_of_the_suite_is_sound() => Assert.All(
        Directory.GetFiles(Repo.PathOf("scripts", "presets")).Select(Path.GetFileNameWithoutExtension),
        preset => Assert.Contains($"preset={preset}", Run("sweep", "--preset", preset!).WithCode(0).Out));

    [Theory]
    [InlineData("--clients", "0")]
    [InlineData("--clients", "100001")]
    [InlineData("--clients", "x")]
    [InlineData("--clients", "1.0")]
    [InlineData("--clients", "01")]
    [InlineData("--clients", "+1")]
    [InlineData("--clients", " 1")]
    [InlineData("--clients", "1\n")]
    [InlineData("--clients", "1e3")]
    [InlineData("--clients", "١")]
    [InlineData("--clients", "")]
    [InlineData("--clients", "1,,2")]
    [InlineData("--clients", "1,")]
    [InlineData("--clients", ",1")]
    [InlineData("--clients", "1,2,1")]
    [InlineData("--parallel", "0")]
    [InlineData("--parallel", "10001")]
    [InlineData("--payload-bytes", "23")]
    [InlineData("--payload-bytes", "65508")]
    [InlineData("--repeats", "0")]
    [InlineData("--repeats", "1001")]
    [InlineData("--repeats", "1,2")]
    [InlineData("--warmup-seconds", "3600.001")]
    [InlineData("--warmup-seconds", "1,5")]
    [InlineData("--seconds", "0.099")]
    [InlineData("--seconds", "86400.001")]
    [InlineData("--seconds", "1.2345")]
    [InlineData("--seconds", "1.")]
    [InlineData("--seconds", "NaN")]
    [InlineData("--seconds", "-0.5")]
    [InlineData("--seconds", "-1")]
    [InlineData("--seed", "-1")]
    [InlineData("--seed", "1000000000")]
    [InlineData("--profile", "fast")]
    [InlineData("--rate", "1.5")]
    [InlineData("--rate", "10000001")]
    [InlineData("--rate", "0%")]
    [InlineData("--rate", "201%")]
    [InlineData("--rate", "12.5%")]
    [InlineData("--rate", "0/client")]
    [InlineData("--rate", "1000001/client")]
    [InlineData("--rate", "5/clients")]
    [InlineData("--ladder", "maybe")]
    [InlineData("--slo", "p95=5ms")]
    [InlineData("--slo", "p99=0ms")]
    [InlineData("--slo", "loss=1")]
    [InlineData("--slo", "loss=100.1%")]
    [InlineData("--slo", "loss=1%,p99=1s,loss=2%")]
    [InlineData("--slo", "p99=1s\n")]
    [InlineData("--pin", "0/")]
    [InlineData("--pin", "1-0/0")]
    [InlineData("--pin", "9999/0")]
    [InlineData("--pin", "auto,none")]
    [InlineData("--canary", "1")]
    [InlineData("--reruns", "3")]
    [InlineData("--trace", "true")]
    [InlineData("--trace", "yes,no")]
    [InlineData("--delivery", "invented")]
    [InlineData("--delivery", "unreliable,unreliable")]
    [InlineData("--libraries", "nosuch")]
    [InlineData("--libraries", "../udp")]
    [InlineData("--libraries", "UDP")]
    [InlineData("--libraries", "")]
    [InlineData("--only", "1")]
    [InlineData("--only", "1x0")]
    [InlineData("--only", "1x1x1")]
    [InlineData("--only", "7x7")]
    [InlineData("--only", "1x1,1x1")]
    [InlineData("--preset", "nosuch")]
    [InlineData("--preset", "../presets/quick")]
    [InlineData("--client", "1")]
    public void A_value_that_no_sweep_can_have_is_wrong_usage(string flag, string value) =>
        Run("sweep", flag, value).WrongUsage();

    [Fact]
    public void A_refusal_names_the_flag_and_the_value()
    {
        Assert.Contains("'0' is no value for --clients", Run("sweep", "--clients", "1,0").WrongUsage());
        Assert.Contains("--clients names '1' twice", Run("sweep", "--clients", "1,1").WrongUsage());
        Assert.Contains("--repeats takes one value", Run("sweep", "--repeats", "1,2").WrongUsage());
        Assert.Contains("'50' is no value for --pin", Run("sweep", "--pin", "50").WrongUsage());
        Assert.Contains("--slo: 'p95=1ms' is no term", Run("sweep", "--slo", "loss=1%,p95=1ms").WrongUsage());
        Assert.Contains("--slo names 'p99' twice", Run("sweep", "--slo", "p99=1s,p99=2s").WrongUsage());
        Assert.Contains("rate of 101 clients is 101000000 messages/s",
            Run("sweep", "--rate", "1000000/client", "--clients", "101").WrongUsage());
        Assert.Contains("--clients", Run("sweep", "--clients").WrongUsage());
        Assert.Contains("presets: classic, essential", Run("sweep", "--preset", "nosuch").WrongUsage());
        Directory.CreateDirectory(scratch.PathOf("bench-my-own"));
        Assert.Contains("'my-own' is no value for --libraries", Run("sweep", "--libraries", "my-own").WrongUsage());
        Assert.Contains("'my-own' is no value for libraries", Run("sweep").WrongUsage());
        foreach (var bench in new[] { "udp", "tcp", "my-own" }) Directory.Delete(scratch.PathOf($"bench-{bench}"));
        Assert.Contains("bench-*", Run("sweep").WrongUsage());
    }

    [Fact]
    public void Until_stopped_goes_with_one_launch()
    {
        string[] one = ["sweep", "--seconds", "-1", "--libraries", "udp", "--delivery", "unreliable",
            "--clients", "1,2", "--only", "2x1", "--repeats"];
        Assert.Contains("seconds=-1", Run([.. one, "1"]).WithCode(0).Out);
        Assert.Contains("not of 2", Run([.. one, "2"]).WrongUsage());
    }

    [Theory]
    [InlineData("client=1", ":2: 'client=1' is no setting")]
    [InlineData("seed=1", ":2: 'seed=1' is no setting")]
    [InlineData("clients", ":2: 'clients' is no setting")]
    [InlineData("clients=0", ":2: clients")]
    [InlineData("clients=1,,2", ":2: clients takes")]
    [InlineData("clients= 1", ":2: clients")]
    [InlineData("libraries=", ":2: libraries takes")]
    [InlineData("delivery=unreliable", ":2: delivery is there twice")]
    [InlineData("rate=50%,x", ":2: rate")]
    [InlineData("slo=p99=5ms,p99=6ms", ":2: slo names 'p99' twice")]
    [InlineData("pin=0", ":2: pin")]
    [InlineData("# nothing", " lacks a line 'clients=…'")]
    public void A_fault_of_a_preset_is_told_with_its_file_and_its_line(string line, string told)
    {
        File.WriteAllText(scratch.PathOf("odd.preset"), $"delivery=unreliable\n{line}\n");
        Assert.Contains($"odd.preset{told}", Run("sweep", "--preset", "odd.preset").WrongUsage());
    }

    [Fact]
    public void A_preset_may_come_from_another_folder_with_carriage_returns_and_without_a_last_line_end()
    {
        using var other = new Scratch();
        File.WriteAllText(other.PathOf("my own.preset"),
            "\uFEFF# mine\r\n\r\n" + string.Join("\r\n", quick[3..^2]) + "\r\nrepeats=2");
        foreach (var preset in new[] { "my own.preset", other.PathOf("my own.preset") })
            Assert.Equal(["preset=my-own.preset", .. quick[1..]],
                Run("sweep", "--preset", preset, "--folder", other.Folder).WithCode(0).Out);
        Run("sweep", "--preset", "my own.preset").WrongUsage();
    }

    [Fact]
    public void Culture_changes_no_setting()
    {
        using var sweep = Command.StartIn(scratch.Folder, [("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")], "dotnet", Tool.LeadPath, "sweep", "--seconds", "1.25");
        Assert.Contains("seconds=1.25", sweep.Wait().WithCode(0).Out);
    }

    [Fact]
    public void A_sweep_that_goes_on_has_the_settings_that_it_began_with()
    {
        File.WriteAllLines(Raw, [Line("info", "info"), Machine(), Machine(m => m["sweep"]!["clients"] = "5")]);
        string[] resumed = ["sweep", "--resume", scratch.Folder];
        var settings = Run(resumed).WithCode(0).Out;
        Assert.Equal([.. quick[..3], "delivery=reliable-ordered,unreliable", .. quick[4..]], settings);
        void Same(params string[] flags) =>
            Assert.Equal(settings, Run([.. resumed, .. flags]).WithCode(0).Out);
        Same("--clients", "1,100", "--seed", "1", "--trace", "no");

        var told = Run([.. resumed, "--clients", "1,10"]).WrongUsage();
        Assert.Matches("clients is '1,100' in .*, but '1,10' is given", told);
        Assert.Contains("'2'", Run([.. resumed, "--seed", "2"]).WrongUsage());
        Assert.Contains("preset is 'quick'", Run([.. resumed, "--preset", "scale"]).WrongUsage());
        Assert.Contains("delivery is ", Run([.. resumed, "--preset", "quick"]).WrongUsage());
        Same("--preset", "quick", "--delivery", "reliable-ordered,unreliable");
        Run([.. resumed, "--preset", "nosuch"]).WrongUsage();
        Run([.. resumed, "--clients", "0"]).WrongUsage();
    }

    [Fact]
    public void A_sweep_whose_settings_are_not_recorded_or_unsound_cannot_go_on()
    {
        string Told() => Run("sweep", "--resume", scratch.Folder).WrongUsage();
        Assert.Contains("raw.jsonl", Told());
        File.WriteAllLines(Raw, [Machine(m => m.Remove("sweep")), Line("info", "info")]);
        Assert.Contains("no machine record", Told());
        File.WriteAllLines(Raw, [Machine(m => m["sweep"]!["libraries"] = "gone")]);
        Assert.Contains("'gone' is no value", Told());
        File.WriteAllLines(Raw, [Machine(m => ((JObject)m["sweep"]!).Remove("only"))]);
        Assert.Contains("'only' is missing", Told());
        File.WriteAllLines(Raw, [Machine(m => m["sweep"]!["other"] = "1")]);
        Assert.Contains("'other'", Told());
    }

    [Fact]
    public void Disturbed_runs_are_measured_again_where_there_is_a_canary()
    {
        string Reruns(params string[] flags) => Run(["sweep", .. flags]).WithCode(0).Out.Single(
            line => line.StartsWith("reruns="));
        Assert.Equal("reruns=2", Reruns("--canary", "yes"));
        Assert.Equal("reruns=1", Reruns("--canary", "yes", "--reruns", "1"));
        Assert.Equal("reruns=2", Reruns("--reruns", "2"));
        Assert.Equal("reruns=0", Reruns("--preset", "essential", "--reruns", "0"));
        Assert.Equal("reruns=2", Reruns("--preset", "essential"));
    }

    [Fact]
    public void A_sweep_over_hosts_goes_without_canary_and_plan_of_CPUs()
    {
        string[] hosts = ["sweep", "--client-hosts", "a,b", "--canary", "yes"];
        var ended = Run(hosts).WithCode(0);
        Assert.Contains("canary=no", ended.Out);
        Assert.Contains("this machine alone", ended.Sentence());
        Assert.Contains("pin=7,9/1", Run([.. hosts, "--pin", "7,9/1"]).WithCode(0).Out);
        Assert.Contains("as in 0/1", Run("sweep", "--server-host", "a", "--pin", "auto").WrongUsage());
        // It goes on though its preset has one.
        File.WriteAllLines(Raw, [Machine(machine => machine["sweep"]!["reruns"] = "2")]);
        Run([.. hosts, "--resume", scratch.Folder]).WithCode(0);
        Assert.Contains("canary is 'no'", Run("sweep", "--canary", "yes", "--resume", scratch.Folder).WrongUsage());
    }

    [Fact]
    public void A_plan_has_every_cell_once_a_repeat_in_an_order_that_its_seed_decides()
    {
        string[] Order(string seed) => Plan(["--libraries", "udp", "--clients",
            string.Join(',', Enumerable.Range(1, 5)), "--parallel", "3,4", "--only", "1x3,2x3,3x3,4x3,5x3,1x4",
            "--payload-bytes", "32,64", "--delivery", "unreliable,reliable-ordered", "--repeats", "3", "--seed", seed]);
        var first = Order("1");
        Assert.Equal(72, first.Length);
        foreach (var (repeat, runs) in first.Chunk(24).Index())
        {
            Assert.Equal(first[..24].Select(CellOf).Order(), runs.Select(CellOf).Order());
            Assert.Equal(24, runs.Distinct().Count());
            Assert.All(runs, run => Assert.Equal(run.Split(' ')[0], Regex.Replace(CellOf(run),
                @"^(\S+) (\S+) (\S+) (\S+) (\S+) default 0$", $"r{repeat + 1}-$1-$2-$3x$4-$5")));
        }
        Assert.NotEqual(first[..24].Select(CellOf), first[24..48].Select(CellOf));
        Assert.Equal(first, Order("1"));
        Assert.NotEqual(first, Order("2"));
    }

    [Fact]
    public void Percentages_come_when_all_other_launches_are_over()
    {
        var plan = Plan([.. oneLibrary, "--clients", "2,3", "--profile", "default,tuned", "--rate", "50%,30/client,90,7",
            "--repeats", "2"]);
        var first = plan.TakeWhile(run => !run.EndsWith('%')).ToArray();
        Assert.All(plan[first.Length..], run => Assert.EndsWith(" 50%", run));
        Assert.All(plan, run => Assert.Matches(@"^r\d-udp-unreliable-[23]x1-32(-tuned)?(-at-(\d+|50pct))? ", run));
        Assert.Equal(plan.Length, plan.Select(run => run.Split(' ')[0]).Distinct().Count());
        // 30/client of 3 clients is 90: one cell.
        Assert.Equal(["0", "60", "7", "90"], RatesOf(first, 2));
        Assert.Equal(["0", "7", "90"], RatesOf(first, 3));
        Assert.Equal(2 * 2 * (4 + 3), first.Length);
        Assert.Equal(2 * 2 * 2, plan.Length - first.Length);
        foreach (var launches in new[] { first, plan[first.Length..] }) // repeats outermost
            Assert.All(launches[..(launches.Length / 2)], run => Assert.StartsWith("r1-", run));

        static IEnumerable<string> RatesOf(string[] runs, int clients) => runs.Where(run =>
            run.Contains($"-{clients}x1-")).Select(run => run.Split(' ')[^1]).Distinct().Order(StringComparer.Ordinal);
    }

    [Fact]
    public void A_ladder_is_the_closed_loop_and_five_rungs()
    {
        string[] Rates(params string[] flags) =>
            [.. Plan([.. oneLibrary, "--clients", "1", "--repeats", "1", "--ladder",
                "yes", .. flags]).Select(run => run.Split(' ')[^1]).Order()];
        Assert.Equal(["0", "10%", "25%", "50%", "75%", "90%"], Rates());
        Assert.Equal(["0", "10%", "25%", "3", "50%", "75%", "90%"], Rates("--rate", "3,50%"));
    }

    [Fact]
    public void A_plan_refuses_what_is_no_sweep_and_results_that_are_not_there()
    {
        Assert.Contains("'udp 1'", RunWith("udp 1\n", "plan").WrongUsage());
        var settings = string.Join('\n', quick);
        Assert.Contains("'0' is no value for stdin: repeats",
            RunWith(settings.Replace("repeats=2", "repeats=0"), "plan").WrongUsage());
        RunWith(settings, "plan", "--resume", scratch.PathOf("nosuch")).WrongUsage();
        Assert.Empty(RunWith(settings, "plan", "--libraries", "").WithCode(0).Out); // where none could be built
        Assert.All(RunWith(settings, "plan", "--libraries", "tcp").WithCode(0).Out,
            run => Assert.Contains(" tcp ", run));
    }

    [Fact]
    public void The_plan_of_a_sweep_that_goes_on_has_precisely_the_runs_that_it_lacks()
    {
        string[] flags = ["--libraries", "udp", "--delivery", "unreliable", "--clients", "1,2,3,4,5,6,7,8,9",
            "--seed", "7"];
        var all = Plan(flags);
        var (whole, failed, disturbed) = (all[..11].Where((_, index) => index != 4).ToArray(), all[4], all[12]);
        File.WriteAllLines(Raw,
        [
            Machine(), .. whole.SelectMany(run => Whole(IdOf(run))), Error(IdOf(failed), "failed", 1),
            // One that was disturbed and cut off as it was measured again, and one that never came so far.
            .. Whole(IdOf(disturbed)), Line("canary", $"{IdOf(disturbed)}-again1"), .. Whole(IdOf(disturbed) + "-again1")[..2],
            Line("canary", IdOf(all[13])),
        ]);
        for (var time = 0; time < 2; time++) // the same before and after the file is tidied
        {
            Assert.Equal(all.Except([.. whole, disturbed]), Plan(flags, "--resume", scratch.Folder));
            Run("resume", scratch.Folder).WithCode(0);
        }
        Assert.DoesNotContain("again1", File.ReadAllText(Raw));
    }

    [Fact]
    public void A_percentage_is_of_the_median_of_the_cells_own_closed_loop_and_stays_what_it_was()
    {
        var half = $"r1-{Name}-at-50pct udp unreliable 1 1 32 default 50%".Split(' ');
        string Rate(params string[] run) => Assert.Single(Run(["rate", "--out", Raw, .. run]).WithCode(0).Out);
        void Add(params string[] lines) => File.AppendAllLines(Raw, lines);
        string Client(string runId, int completed) => Line("client", runId, client =>
            (client["completed_window"], client["elapsed_s"]) = (completed, 2.0));

        Add(Machine(), Client($"r1-{Name}", 1000), Client($"r2-{Name}", 1000), Client($"r3-{Name}", 2003));
        // Other cells, a disturbed attempt's successor, and a failure that has been measured again.
        Add(Client("r1-udp-unreliable-1x1-320", 70000), Client($"r1-{Name}-tuned", 80000),
            Client($"r2-{Name}-again1", 4000), Error($"r3-{Name}", "retried", 1));
        Assert.Equal("501", Rate(half)); // of 500, 2000 and 1001.5
        Assert.Equal("250", Rate([$"r9-{Name}-at-25pct", .. half[1..^1], "25%"]));
        Assert.Equal("1234", Rate([$"r1-{Name}-at-1234", .. half[1..^1], "1234"]));
        Assert.Equal("20000", Rate([$"r1-{Name}-tuned-at-50pct", .. half[1..^2], "tuned", "50%"]));

        Add(Line("client", half[0], client => client["settings"]!["rate"] = 501));
        Add(Client($"r4-{Name}", 90000), Client($"r5-{Name}", 90000), Client($"r6-{Name}", 90000));
        Assert.Equal("501", Rate([half[0].Replace("r1-", "r2-"), .. half[1..]]));
        Assert.NotEqual("501", Rate([$"r1-{Name}-at-51pct", .. half[1..^1], "51%"]));
        Run("rate", "--out", Raw, "x").WrongUsage();
        Run(["rate", "--out", Raw, .. half[..^1], "50/client"]).WrongUsage();
    }

    [Theory]
    [InlineData("failed", 1, "No closed-loop launch of this cell measured")]
    [InlineData("unsupported", 3, "A reason.")]
    public void A_percentage_of_a_closed_loop_that_did_not_measure_leaves_an_error_record(
        string kind, int exitCode, string reason)
    {
        File.WriteAllLines(Raw, [Machine(), Error($"r1-{Name}", kind, exitCode), .. Whole("r1-udp-unreliable-2x1-32")]);
        Assert.Contains(reason, Run("rate", "--out", Raw, $"r1-{Name}-at-50pct", "udp", "unreliable", "1", "1", "32",
            "default", "50%").WithCode(exitCode).Sentence());
        var error = Record.In(Raw)[^1];
        Assert.Empty(Contract.Faults(error, "error"));
        Assert.Equal((kind, exitCode, "run"),
            ((string?)error["kind"], (int)error["exit_code"]!, (string?)error["side"]));
        Assert.StartsWith(kind, Run("last", "--out", Raw, "--run-id", $"r1-{Name}-at-50pct").WithCode(0).Out.Single());
        Tool.Run("check", Raw).WithCode(0);
    }

    [Fact]
    public void A_canary_is_a_second_of_round_trips_in_a_record_of_its_run()
    {
        File.WriteAllLines(Raw, [Machine()]);
        var ended = Run("canary", "--run-id", RunId, "--out", Raw).WithCode(0);
        Assert.InRange(ended.Seconds, 1, 8);
        var canary = Record.Single(Record.In(Raw), "canary");
        Assert.Empty(Contract.Faults(canary, "canary"));
        Assert.Equal(RunId, (string?)canary["run_id"]);
        Assert.InRange((double)canary["elapsed_s"]!, 1, 2);
        Assert.InRange((long)canary["round_trips"]!, 500, 5_000_000);
        Tool.Run("check", Raw).WithCode(0);
        Run("canary").WrongUsage();
    }

    [Fact]
    public void A_file_of_whole_runs_stays_as_it_is()
    {
        File.WriteAllLines(Raw, [Machine(), Line("info", "info"), .. Whole("r1"), Error("r2", "unsupported", 3),
            Error("r3", "retried", 1), .. Whole("r3"), .. Whole("r4", machines: 3)]);
        var (before, written) = (File.ReadAllBytes(Raw), File.GetLastWriteTimeUtc(Raw));
        Assert.Equal(["4 whole runs, 0 others"], Run("resume", scratch.Folder).WithCode(0).Out);
        Assert.Equal(before, File.ReadAllBytes(Raw));
        Assert.Equal(written, File.GetLastWriteTimeUtc(Raw));
        Assert.False(File.Exists(Superseded));
    }

    public static TheoryData<string, string[], string[]> Broken()
    {
        var run = Whole(RunId).ToArray(); // ready, interval, client, server
        var shares = Whole(RunId, machines: 3);
        var early = Line("client", RunId, client => client["elapsed_s"] = 1.97);
        var failed = Error(RunId, "failed", 1);
        var retried = Error(RunId, "retried", 1);
        return new()
        {
            { "no server", run[..3], [] },
            { "no client", [run[0], run[3]], [] },
            { "stopped early", [run[0], early, run[3]], [] },
            { "two servers", [.. run, run[3]], [] },
            { "two clients", [.. run, run[2]], [] },
            { "a share is missing", [.. shares[..3], .. shares[4..]], [] },
            { "a share twice", [.. shares[..3], shares[2], .. shares[4..]], [] },
            { "a client that is no record", [run[0], run[2].Replace("\"pause_s\"", "\"pause\""), run[3]], [] },
            { "interrupted", [run[0], Error(RunId, "failed", 130)], [] },
            { "interrupted, both sides", [run[0], Error(RunId, "failed", 1), Error(RunId, "failed", 130)], [] },
            { "failed", [.. run, failed], [retried] },
            { "failed on both sides", [failed, Error(RunId, "failed", 1, "Another reason."), run[0]], [retried] },
            { "failed early", [early, failed, run[3]], [retried] },
            { "build", [Error(RunId, "unavailable", 1, side: "build")], [] },
            { "failed build", [Error(RunId, "failed", 1, side: "build")], [] },
            { "garbage", ["garbage", "", "7", "{\"v\":1}", "[1]"], [] },
            { "interval alone", [run[1]], [] },
        };
    }

    [Theory, MemberData(nameof(Broken))]
    public void Records_of_a_run_that_is_not_whole_are_set_aside(string _, string[] lines, string[] stay)
    {
        string[] head = [Machine(), .. Whole("r1-whole")], tail = [Error("r9", "retried", 1), .. Whole("r9-whole")];
        File.WriteAllLines(Raw, [.. head, .. lines, .. tail]);
        for (var time = 0; time < 3; time++) // the second and third time find nothing to do
        {
            var ended = Run("resume", scratch.Folder).WithCode(0);
            Assert.Empty(ended.Error);
            Assert.Contains("2 whole runs", Assert.Single(ended.Out));
            Assert.Equal([.. head, .. stay, .. tail], File.ReadAllLines(Raw));
            Assert.Equal(lines, File.ReadAllLines(Superseded));
        }
        Assert.Equal(2, Directory.GetFiles(scratch.Folder).Length);
        Assert.DoesNotContain('\r', File.ReadAllText(Raw) + File.ReadAllText(Superseded));
    }

    [Fact]
    public void A_run_that_fails_again_leaves_a_line_for_each_failure_and_a_sound_one_ends_it()
    {
        for (var attempt = 1; attempt <= 2; attempt++)
        {
            File.AppendAllLines(Raw, [Error(RunId, "failed", 1, $"Reason {attempt}.")]);
            Run("resume", scratch.Folder).WithCode(0);
        }
        File.AppendAllLines(Raw, Whole(RunId));
        Assert.Equal(["1 whole run, 0 others"], Run("resume", scratch.Folder).WithCode(0).Out);
        Assert.Equal([Error(RunId, "retried", 1, "Reason 1."), Error(RunId, "retried", 1, "Reason 2."),
            .. Whole(RunId)], File.ReadAllLines(Raw));
        Assert.Equal(2, File.ReadAllLines(Superseded).Length);
    }

    [Fact]
    public void A_sweep_that_was_killed_leaves_a_torn_line_that_is_set_aside()
    {
        string[] whole = [Machine(), .. Whole("r1")], cut = [.. Whole(RunId)];
        File.WriteAllLines(Raw, [.. whole, .. cut[..2]]);
        File.AppendAllText(Raw, cut[2][..^9]);
        File.WriteAllText(Superseded, "torn");
        Run("resume", scratch.Folder).WithCode(0);
        Assert.Equal(whole, File.ReadAllLines(Raw));
        Assert.Equal(["torn", .. cut[..2], cut[2][..^9]], File.ReadAllLines(Superseded));
    }

    [Fact]
    public void A_record_that_lacks_but_its_line_end_stays()
    {
        File.WriteAllText(Raw, string.Join('\n', Whole("r1")));
        Run("resume", scratch.Folder).WithCode(0);
        Assert.Equal(string.Join('\n', Whole("r1")) + "\n", File.ReadAllText(Raw));
    }

    [Fact]
    public void Killed_at_work_it_leaves_the_old_file_or_the_new_one()
    {
        var big = Line("client", "r1", client => client["note"] = new string('n', 50_000));
        string[] whole = [.. Enumerable.Range(0, 600).SelectMany(n =>
            Whole("r1").Select((line, index) => (index == 2 ? big : line).Replace("\"r1\"", $"\"r{n}\"")))];
        string[] aside = [.. Whole("x").Take(2)];
        var (before, after) = (string.Join('\n', whole.Concat(aside)) + "\n", string.Join('\n', whole) + "\n");
        long[] lengths = [before.Length, after.Length]; // all ASCII
        var hits = 0;
        foreach (var killAfterMs in new[] { int.MaxValue, 0, 5, 20, 80 }) // the first is watched to its end
        {
            File.WriteAllText(Raw, before);
            File.Delete(Raw + ".tmp");
            using var resume = Command.StartIn(scratch.Folder, [], "dotnet", Tool.LeadPath, "resume", ".");
            while (!File.Exists(Raw + ".tmp") && !resume.HasExited) Thread.Yield();
            var clock = Stopwatch.StartNew();
            while (clock.ElapsedMilliseconds < killAfterMs && !resume.HasExited)
                Assert.Contains(new FileInfo(Raw).Length, lengths);
            if (!resume.HasExited) resume.Kill();
            Command.Until(() => resume.HasExited, 10);
            var left = File.ReadAllText(Raw);
            Assert.True(left == before || left == after, $"{left.Length} characters: neither old nor new");
            if (File.Exists(Raw + ".tmp")) hits++;
        }
        Assert.True(hits > 0, "It was never killed while it wrote.");
        Run("resume", scratch.Folder).WithCode(0);
        Assert.Equal(after, File.ReadAllText(Raw));
        Assert.False(File.Exists(Raw + ".tmp"));
        Assert.Empty(aside.Except(File.ReadAllLines(Superseded)));
    }

    [Fact]
    public void Results_that_are_not_there_cannot_be_tidied()
    {
        Run("resume", scratch.Folder).WrongUsage();
        Run("resume", scratch.PathOf("nosuch")).WrongUsage();
        Run("resume").WrongUsage();
    }

    [Theory]
    [InlineData("all", null)]
    [InlineData("server", null)]
    [InlineData("clients", 0)]
    [InlineData("clients", 2)]
    public void A_machine_record_has_the_sweep_and_names_neither_host_nor_user_nor_folder(string role, int? share)
    {
        string[] flags = ["machine", "--run-id", "sweep", "--suite", Repo.Root, "--role", role,
            .. share > 0 ? new[] { "--client-machine", $"{share}" } : []];
        var settings = Run("sweep", "--seed", "7", "--repeats", "3").Out;
        var ended = RunWith(string.Join("\r\n", settings), flags).WithCode(0);
        var machine = Assert.Single(ended.Records);
        Assert.Empty(Contract.Faults(machine, "machine"));
        Assert.Equal(("quick", 7, 3),
            ((string?)machine["preset"], (int)machine["sweep_seed"]!, (int)machine["repeats"]!));
        Assert.Equal((role, share), ((string?)machine["role"], (int?)machine["client_machine"]));
        Assert.Equal(settings, ((JObject)machine["sweep"]!).Properties().Select(s => $"{s.Name}={s.Value}"));
        Assert.Equal(Environment.ProcessorCount, (int)machine["cpu_count"]!);
        Assert.Matches("^[0-9a-f]{40}$", (string?)machine["suite_commit"] ?? new('0', 40));
        Assert.DoesNotContain(machine.PropertyValues(), value => value.Type == JTokenType.String
            && ((string)value! == Environment.MachineName || (string)value! == Environment.UserName));
        Assert.DoesNotContain(Repo.Root, ended.Out[0]);
    }

    [Fact]
    public void A_machine_record_refuses_settings_that_are_none_of_a_sweep()
    {
        string[] machine = ["machine", "--run-id", "sweep"];
        string Told(params string[] lines) => RunWith(string.Join('\n', lines), machine).WrongUsage();
        Told();
        Assert.Contains("'trace' is missing", Told(quick[..^1]));
        Assert.Contains("'trace'", Told([.. quick, "trace=no"]));
        Assert.Contains("'odd'", Told([.. quick, "odd=1"]));
        Assert.Contains("'odd'", Told([.. quick, "odd"]));
        Assert.Contains("'x'", Told([quick[0], "seed=x", .. quick[2..]]));
        Run([.. machine, "--role", "other"]).WrongUsage();
        Assert.Contains("--role clients",
            RunWith(string.Join('\n', quick), [.. machine, "--client-machine", "1"]).WrongUsage());
        Run([.. machine, "--role", "clients", "--client-machine", "64"]).WrongUsage();
        Run("machine").WrongUsage();
    }

    [Fact]
    public void A_sweep_goes_on_only_on_the_machine_that_it_began_on()
    {
        string[] machine = ["machine", "--run-id", "sweep", "--role"];
        var settings = string.Join('\n', quick);
        foreach (var role in new[] { new[] { "server" }, ["clients"], ["clients", "--client-machine", "1"] })
            RunWith(settings, [.. machine, .. role, "--out", Raw]).WithCode(0);
        Ended Compare(params string[] role) => Run([.. machine, .. role, "--resume", scratch.Folder]);

        var lines = File.ReadAllLines(Raw);
        foreach (var role in new[] { new[] { "server" }, ["clients"], ["clients", "--client-machine", "1"] })
            Assert.Empty(Compare(role).WithCode(0).Out);
        Assert.Contains("all", Compare("all").WithCode(1).Sentence());
        Assert.Contains("clients 2", Compare("clients", "--client-machine", "2").WithCode(1).Sentence());

        var first = Record.Parse(lines[0]);
        string[] notCompared = ["v", "record", "run_id", "date_utc", "preset", "sweep_seed", "repeats", "role",
            "client_machine", "sweep"];
        foreach (var field in Contract.Tables["machine"].Where(field => !notCompared.Contains(field.Name)))
        {
            var other = (JObject)first.DeepClone();
            other[field.Name] = field.Type.TrimEnd('?') switch
            {
                "int" => 77,
                "number" => 7.5,
                "bool" => (bool?)first[field.Name] != true,
                "object" => new JObject { ["DOTNET_gcServer"] = "1" },
                _ => "other",
            };
            File.WriteAllLines(Raw, [other.ToString(Formatting.None), .. lines[1..]]);
            var told = Compare("server").WithCode(1).Sentence();
            Assert.Contains(field.Name, told);
            if (field.Type.StartsWith("int")) Assert.Contains("77", told);
        }
        foreach (var field in notCompared[3..7]) first[field] = field is "date_utc" or "preset" ? "other" : 77;
        File.WriteAllLines(Raw, [first.ToString(Formatting.None)]);
        Compare("server").WithCode(0);
        File.Delete(Raw);
        Compare("server").WrongUsage();
    }

    [Fact]
    public void A_bench_of_another_version_is_refused_and_a_new_one_is_added()
    {
        var (udp, tcp) = (Info("udp"), Info("tcp"));
        File.WriteAllText(Raw, $"{Machine()}\n{udp}\n{Error(RunId, "failed", 1)[..20]}"); // its last line is torn
        var before = File.ReadAllText(Raw);
        Ended Versions(params string[] lines) => RunWith(string.Join('\n', lines), "versions", scratch.Folder);

        Versions(udp).WithCode(0);
        Versions().WithCode(0);
        foreach (var field in new[] { "library_version", "library_sha256", "bench_sha256" })
        {
            var told = Versions(tcp, Info("udp", info => info[field] = "other")).WithCode(1).Sentence();
            Assert.Contains($"{field} of bench-udp is other, but {Record.Parse(udp)[field]}", told);
        }
        Assert.Contains("stdin:2", Versions(udp, Machine()).WrongUsage());
        Assert.Contains("stdin:1", Versions("garbage").WrongUsage());
        Versions(tcp, Info("tcp", info => info["bench_sha256"] = "other")).WithCode(1);
        Assert.Equal(before, File.ReadAllText(Raw)); // a refusal adds nothing

        Versions(udp, tcp).WithCode(0);
        Assert.Equal($"{before}\n{tcp}\n", File.ReadAllText(Raw));
        Versions(tcp).WithCode(0);
        Assert.Equal($"{before}\n{tcp}\n", File.ReadAllText(Raw));
        File.Delete(Raw);
        Versions(udp).WrongUsage();
    }

    [Fact]
    public void The_outcome_of_the_last_run_is_told_in_a_few_words()
    {
        string Last() => Assert.Single(Run("last", "--out", Raw, "--run-id", RunId).WithCode(0).Out);
        var client = Line("client", RunId, client =>
        {
            client["completed_window"] = client["rtt_count"] = 10_000;
            client["elapsed_s"] = 1.0;
            client["rtt_ns"] = JArray.Parse("[[99328,9889],[198656,100],[397312,11]]");
            // Longer than the first block that is read from the end.
            client["note"] = new string('€', 100_000);
        });
        File.WriteAllLines(Raw, [.. Whole("r1"), Error(RunId, "retried", 1), client, Line("server", RunId)]);
        Assert.Equal("10,000 msg/s  p99 200 µs", Last());
        File.AppendAllText(Raw, "torn");
        Assert.Equal("10,000 msg/s  p99 200 µs", Last());
        File.WriteAllLines(Raw, [client]);
        Assert.Equal("10,000 msg/s  p99 200 µs", Last());
        File.WriteAllLines(Raw, [.. Whole("r1"), Error(RunId, "unsupported", 3)]);
        Assert.Equal("unsupported", Last());
        File.WriteAllLines(Raw, [Error(RunId, "failed", 1)]);
        Assert.Equal("failed: A reason.", Last());
    }

    [Fact]
    public void Of_a_disturbed_run_the_exit_code_says_so()
    {
        Ended Last() => Run("last", "--out", Raw, "--run-id", RunId);
        string Client(double steal) => Line("client", RunId, client =>
        {
            var cost = client["cost"]!;
            (cost["machine_steal_s"], cost["machine_cpu_s"]) = (steal * 2 * (double)cost["elapsed_s"]!, 0);
        });
        File.WriteAllLines(Raw, [Machine(), Client(0.0099), Line("server", RunId)]);
        Assert.DoesNotContain("disturbed", Assert.Single(Last().WithCode(0).Out));
        File.WriteAllLines(Raw, [Machine(), Client(0.0102), Line("server", RunId)]);
        Assert.Matches(@" msg/s .*  disturbed: 1\.02 % .* stolen$", Assert.Single(Last().WithCode(5).Out));
        File.AppendAllLines(Raw, [Error(RunId, "failed", 1)]);
        Assert.Equal(["failed: A reason."], Last().WithCode(0).Out);

        // A canary is held against those of all runs so far, from five on.
        string Canary(string runId, int roundTrips) =>
            Line("canary", runId, canary => canary["round_trips"] = roundTrips);
        string[] run = [Canary(RunId, 892), Client(0), Line("server", RunId)];
        string[] others = [.. Enumerable.Range(2, 4).Select(n => Canary($"r{n}", 1000))];
        File.WriteAllLines(Raw, [Machine(), .. others[1..], .. run]);
        Last().WithCode(0);
        File.WriteAllLines(Raw, [Machine(), .. others, .. run]);
        Assert.Contains("the canary before it was 10.8 % slower", Assert.Single(Last().WithCode(5).Out));
    }

    [Fact]
    public void A_run_that_is_not_the_last_or_left_nothing_has_no_outcome()
    {
        Ended Last() => Run("last", "--out", Raw, "--run-id", RunId);
        Last().WrongUsage();
        foreach (var lines in new[]
            { [], Whole("r1"), [.. Whole(RunId), .. Whole("r1")], [Error(RunId, "retried", 1)] })
        {
            File.WriteAllLines(Raw, lines);
            Last().WithCode(1).Sentence();
        }
    }

    static string CellOf(string run) => run[(run.IndexOf(' ') + 1)..];

    static string IdOf(string run) => run.Split(' ')[0];

    // The runs of a sweep with such flags.
    string[] Plan(string[] flags, params string[] more) =>
        RunWith(string.Join("\r\n", Run(["sweep", .. flags]).WithCode(0).Out), ["plan", .. more]).WithCode(0).Out;

    static string Line(string kind, string runId, Action<JObject>? change = null)
    {
        var record = Record.Parse(Contract.Examples[kind]);
        record["run_id"] = runId;
        if (record["settings"] is JObject settings) settings["run_id"] = runId;
        change?.Invoke(record);
        return record.ToString(Formatting.None);
    }

    static string Machine(Action<JObject>? change = null) => Line("machine", "sweep", change);

    static string Info(string library, Action<JObject>? change = null) => Line("info", "info", info =>
    {
        info["library"] = library;
        change?.Invoke(info);
    });

    static string Error(
        string runId, string kind, int exitCode, string reason = "A reason.", string side = "run") =>
        Line("error", runId, error =>
        {
            (error["kind"], error["exit_code"]) = (kind, exitCode);
            (error["reason"], error["side"]) = (reason, side);
            if (side == "build") error["settings"] = null;
        });

    static string[] Whole(string runId, int machines = 1) =>
    [
        Line("ready", runId), Line("interval", runId),
        .. Enumerable.Range(0, machines).Select(share => Line("client", runId, client =>
            (client["settings"]!["client_machines"], client["settings"]!["client_machine"]) = (machines, share))),
        Line("server", runId),
    ];

    Ended Run(params IEnumerable<string> args) => RunWith("", args);

    Ended RunWith(string input, params IEnumerable<string> args)
    {
        using var tool = Command.StartIn(scratch.Folder, [], "dotnet", [Tool.LeadPath, .. args]);
        try
        {
            tool.Write(input);
        }
        catch (IOException)
        {
            // It has refused its flags and ended before it read anything.
        }
        return tool.Wait();
    }
}
