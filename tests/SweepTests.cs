using System.Diagnostics;
using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The verbs of report that the scripts call: what a sweep runs, and how it goes on.</summary>
public sealed class SweepTests : IDisposable
{
    const string Cell = "udp unreliable 1 1 32", RunId = "r1-udp-unreliable-1x1-32";

    static readonly string[] quick =
    [
        "preset=quick", "seed=1", "libraries=tcp,udp",
        "delivery=reliable-ordered,reliable-unordered,unreliable", "clients=1,100", "parallel=1", "only=",
        "payload_bytes=32", "warmup_seconds=1", "seconds=1.5", "repeats=2", "trace=no",
    ];

    readonly Scratch scratch = new();

    string Raw => scratch.PathOf("raw.jsonl");
    string Superseded => scratch.PathOf("raw.superseded.jsonl");

    public SweepTests()
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
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
            "clients=100000,2", "parallel=10000,3", "only=2x3", "payload_bytes=65507,24", "warmup_seconds=0",
            "seconds=0.125", "repeats=1000", "trace=yes",
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
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")], "dotnet", Tool.Path, "sweep", "--seconds", "1.25");
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
    public void A_plan_has_every_cell_once_a_repeat_in_an_order_that_its_seed_decides()
    {
        var cells = Enumerable.Range(1, 20).Select(n => $"udp unreliable {n} 3 32").ToArray();
        string[] Order(string seed) =>
            RunWith(string.Join("\r\n", cells), "plan", "--seed", seed, "--repeats", "3").WithCode(0).Out;
        var first = Order("1");
        foreach (var (repeat, runs) in first.Chunk(20).Index())
        {
            Assert.Equal(cells.Order(), runs.Select(CellOf).Order());
            Assert.All(runs, run => Assert.Equal(run.Split(' ')[0],
                Regex.Replace(CellOf(run), @"^(\S+) (\S+) (\S+) (\S+) (\S+)$", $"r{repeat + 1}-$1-$2-$3x$4-$5")));
        }
        Assert.Equal(60, first.Length);
        Assert.NotEqual(first[..20].Select(CellOf), first[20..40].Select(CellOf));
        Assert.Equal(first, Order("1"));
        Assert.NotEqual(first, Order("2"));
        static string CellOf(string run) => run[(run.IndexOf(' ') + 1)..];
    }

    [Fact]
    public void A_plan_refuses_what_is_no_cell_and_results_that_are_not_there()
    {
        Assert.Contains("'udp 1'", RunWith("udp 1\n", "plan", "--seed", "1", "--repeats", "1").WrongUsage());
        RunWith(Cell, "plan", "--seed", "1").WrongUsage();
        RunWith(Cell, "plan", "--seed", "1", "--repeats", "0").WrongUsage();
        RunWith(Cell, "plan", "--seed", "1", "--repeats", "1", "--resume", scratch.PathOf("nosuch")).WrongUsage();
    }

    [Fact]
    public void The_plan_of_a_sweep_that_goes_on_has_precisely_the_runs_that_it_lacks()
    {
        var cells = string.Join('\n', Enumerable.Range(1, 9).Select(n => $"udp unreliable {n} 1 32"));
        string[] plan = ["plan", "--seed", "7", "--repeats", "2"];
        var all = RunWith(cells, plan).WithCode(0).Out;
        var (whole, failed) = (all[..11].Where((_, index) => index != 4).ToArray(), all[4]);
        File.WriteAllLines(Raw,
            [Machine(), .. whole.SelectMany(run => Whole(IdOf(run))), Error(IdOf(failed), "failed", 1)]);
        for (var time = 0; time < 2; time++) // the same before and after the file is tidied
        {
            Assert.Equal(all.Except(whole), RunWith(cells, [.. plan, "--resume", scratch.Folder]).WithCode(0).Out);
            Run("resume", scratch.Folder).WithCode(0);
        }
        static string IdOf(string run) => run.Split(' ')[0];
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
            using var resume = Command.StartIn(scratch.Folder, [], "dotnet", Tool.Path, "resume", ".");
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

    [Fact]
    public void Only_the_end_of_the_file_is_read_for_the_last_outcome()
    {
        using (var file = File.Create(Raw)) file.SetLength(8L << 30); // a hole, which takes no room
        File.AppendAllLines(Raw, ["", .. Whole("r1"), .. Whole(RunId)]);
        var ended = Run("last", "--out", Raw, "--run-id", RunId).WithCode(0);
        Assert.InRange(ended.Seconds, 0, 10);
    }

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
        using var tool = Command.StartIn(scratch.Folder, [], "dotnet", [Tool.Path, .. args]);
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
