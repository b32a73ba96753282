using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>scripts/run-all.sh and scripts/run-all.ps1, run in a small copy of the suite; the latter only where
/// EqualRunnersTests does not hold that it does the same.</summary>
public sealed class RunnerTests(MiniTree tree) : IClassFixture<MiniTree>
{
    static readonly string[] oneCell = OneCell();

    static string[] OneCell(string delivery = "unreliable", string seconds = "0.2", string repeats = "1") =>
    [
        "--delivery", delivery,
        "--clients", "1",
        "--parallel", "1",
        "--payload-bytes", "32",
        "--interleaved", "no",
        "--warmup-seconds", "0",
        "--seconds", seconds,
        "--repeats", repeats,
    ];

    [Fact]
    public void Wrong_flags_are_refused_in_one_sentence_before_anything_is_built()
    {
        using var scratch = new Scratch();
        MiniTree.Stub(scratch.Folder, "exit 1");
        string[][] wrong =
        [
            ["--clients"],
            ["--clients", ""],
            ["extra"],
            ["--client", "1"],
            ["--Clients", "1"],
            ["--c.ients", "1"],
            ["--canary", "yes"],
            ["--dry-run", "--until-stdin-closes"],
            ["--out", "x", "--resume", "y"],
        ];
        Assert.All(wrong, flags => tree.RunAllWith(scratch.Folder, Runner.Bash, flags).WrongUsage());
    }

    [Fact]
    public void Wrong_values_are_refused_and_nothing_is_left()
    {
        File.WriteAllText(tree.PathOf("odd.preset"), "delivery=unreliable\nclient=1\n");
        Assert.Contains("'0' is no value for --clients", Refused("--clients", "0"));
        Assert.Contains("odd.preset:2: ", Refused("--preset", tree.PathOf("odd.preset")));
        var results = tree.PathOf("results-of-wrong-values");
        Assert.Contains("quick", Refused("--out", results, "--preset", "nosuch"));
        Assert.False(Directory.Exists(results));

        string Refused(params string[] flags) => tree.RunAll(Runner.Bash, flags).AfterBuilds().WrongUsage();
    }

    // Of run-all.ps1 another test holds that its help and its flags are the same.
    [Fact]
    public void Every_flag_of_the_help_is_understood()
    {
        var help = tree.RunAll(Runner.Bash, "--help").WithCode(0);
        string[] names = [.. FlagsOf(help).Where(flag => flag.TakesValue).Select(flag => flag.Name)];
        Assert.Contains("--preset", names);
        // The flags are read one after another, and what is wrong with the last is told when all before it are read.
        var before = names.SkipLast(1).Where(name => name != "--resume");
        string[] words = [.. before.SelectMany(name => new[] { name, "x" })];
        Assert.Contains($"{names[^1]} takes a value", tree.RunAll(Runner.Bash, [.. words, names[^1]]).WrongUsage());
    }

    /// <summary>The flags that a help names.</summary>
    internal static (string Name, bool TakesValue)[] FlagsOf(Ended help)
    {
        var flags = help.Out.Select(line => Regex.Match(line, "^  (--[a-z-]+) ([a-zA-Z|]*)"));
        var found = flags.Where(flag => flag.Success);
        return [.. found.Select(flag => (flag.Groups[1].Value, flag.Groups[2].Value != ""))];
    }

    [Fact]
    public void A_dry_run_prints_a_command_for_every_cell_and_repeat_and_measures_nothing()
    {
        // Of udp, which is built, without the delivery that it lacks; zzz cannot be built and is taken at its word.
        string[] flags =
        [
            "--libraries", "udp,zzz",
            "--delivery", "unreliable,reliable-ordered",
            "--clients", "1,10",
            "--parallel", "1",
            "--payload-bytes", "24,1000",
            "--interleaved", "no",
            "--repeats", "2",
            "--out", tree.PathOf("dry"),
        ];
        var told = tree.RunAll(Runner.Bash, ["--dry-run", .. flags]).WithCode(0).Out;
        Assert.Equal("building runner", told[0]);
        Assert.Contains("not built yet: zzz (what they cannot do will be left out)", told);
        var lines = told.SkipWhile(line => line != "").Skip(1).ToArray();
        Assert.StartsWith($"launches: {lines.Length}, in about ", told[^(lines.Length + 2)]);
        Assert.Equal(2 * (1 + 2) * 2 * 2, lines.Length);
        Assert.Equal(lines.Length, lines.Distinct().Count());
        const string Words = " --delivery unreliable --profile default --variant default --work echo "
            + "--clients 10 --parallel 1 --payload-bytes 1000 ";
        var ofUdp = lines.Where(line => line.StartsWith("dotnet runner/bin/Release/runner.dll run udp --run-id "));
        Assert.Contains(ofUdp, line => line.Contains(Words));
        // Repeats outermost, and each in another order.
        Assert.All(lines[..12], line => Assert.Contains(" --run-id r1-", line));
        Assert.NotEqual(lines[..12].Select(line => line.Replace("r1-", "r2-")), lines[12..]);
        Assert.False(Directory.Exists(tree.PathOf("dry")));
    }

    [Fact]
    public void A_sweep_measures_what_it_can_and_names_what_it_cannot()
    {
        var folder = tree.PathOf("sweep");
        string[] flags = ["--out", folder, .. OneCell("reliable-ordered,unreliable")];
        var sweep = tree.RunAll(Runner.Bash, flags);
        sweep.WithCode(1); // a cell of yyy failed
        string[] builds =
        [
            "building runner",
            "building report",
            "building bench-udp (1 of 3)",
            "building bench-yyy (2 of 3)",
            "building bench-zzz (3 of 3)",
        ];
        Assert.Equal(builds, sweep.Out.Where(line => line.StartsWith("building ")));
        Assert.Contains(sweep.Out, line => line.Contains("bench-zzz is unavailable: NU1"));
        Assert.Contains("It is broken.", string.Join('\n', sweep.Error));
        var records = Record.In(Path.Combine(folder, "raw.jsonl"));
        Assert.Equal("machine", Record.KindOf(records[0]));
        Assert.Equal("udp", (string?)Record.Single(records, "launch")["library"]);
        var errors = records.Where(record => Record.KindOf(record) == "error");
        Assert.Equal(
            ["udp unsupported", "yyy failed", "yyy unsupported", "zzz unavailable"],
            errors.Select(error => $"{error["library"]} {error["kind"]}").Order());
        Assert.Contains("NU1101", (string)ErrorOf(records, "zzz")["reason"]!);
        var page = Pages.In(folder);
        Assert.Contains("zzz unavailable", page);
        Assert.Contains("It is broken.", page);
        Assert.NotEmpty(Directory.GetFiles(folder, "throughput-unreliable.*"));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));

        // What a library cannot do is named once, and neither started nor counted.
        string[] lacking =
        [
            "bench-udp does without: udp has no reliable-ordered delivery.",
            "bench-yyy does without: yyy has no reliable-ordered delivery.",
        ];
        Assert.Equal(lacking, sweep.Out.Where(line => line.Contains("does without")));
        Assert.DoesNotContain(records, record => ((string)record["run_id"]!).Contains("reliable-ordered"));
        Assert.Equal(2, sweep.Out.Count(line => Regex.IsMatch(line, @"^\[[12]/2\] ")));
        const string Measured = @"^\[[12]/2\] udp unreliable 1 x 1 … [\d,]+ msg/s  p99 .*  ETA \d+:\d\d$";
        Assert.Contains(sweep.Out, line => Regex.IsMatch(line, Measured));
        const string Failed = @"^\[[12]/2\] yyy unreliable 1 x 1 … failed: It is broken\.  ETA ";
        Assert.Contains(sweep.Out, line => Regex.IsMatch(line, Failed));

        // A second sweep into the same folder is refused, and the first one stays.
        tree.RunAll(Runner.Bash, ["--out", folder, .. oneCell]).WithCode(1).Sentence();
        Assert.Equal(records.Length, Record.In(Path.Combine(folder, "raw.jsonl")).Length);
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void An_unavailable_bench_is_an_error_only_where_strict(string script)
    {
        string[] zzz = ["--libraries", "zzz", .. oneCell];
        // A build that fails as the one of a whole sweep does, without asking a registry.
        var stub = tree.PathOf($"again {script}");
        MiniTree.Stub(stub, $"""
            if [ "$1 $2" = "build bench-zzz" ]; then
                echo 'x.csproj : error NU1101: Unable to find package x. [x.csproj]'
                exit 1
            fi
            exec '{tree.PathOf("warm", "dotnet")}' "$@"
            """);
        // Names with a slash at the end and with spaces are good names too.
        tree.RunAllWith(stub, script, ["--out", tree.PathOf($"lenient-{script}/"), .. zzz]).WithCode(0);
        var strict = tree.PathOf($"strict {script}");
        tree.RunAllWith(stub, script, ["--strict", "--out", strict, .. zzz]).WithCode(1);
        Assert.Contains("zzz unavailable", Pages.In(strict));
    }

    [Fact]
    public void A_percentage_is_of_what_the_closed_loop_of_this_sweep_made()
    {
        // So little that it is kept beside other tests, whatever an idle moment made.
        var folder = tree.PathOf("rate");
        string[] flags = ["--libraries", "udp", "--out", folder, "--rate", "5%", .. OneCell(repeats: "2")];
        var sweep = tree.RunAll(Runner.Bash, flags).WithCode(0);
        var records = Record.In(Path.Combine(folder, "raw.jsonl"));
        var launches = records.Where(record => Record.KindOf(record) == "launch").ToArray();
        string[] runIds =
        [
            "r1-udp-unreliable-1x1-32",
            "r2-udp-unreliable-1x1-32",
            "r1-udp-unreliable-1x1-32-at-5pct",
            "r2-udp-unreliable-1x1-32-at-5pct",
        ];
        Assert.Equal(runIds, launches.Select(launch => (string?)launch["run_id"]));
        static double RateOf(JObject window) =>
            1e9 * (double)window["outcomes"]!["completed"]! / (double)window["elapsed_ns"]!;
        var capacity = records.Where(MiniTree.IsClientWindow).Take(2).Average(RateOf);
        Assert.All(launches[2..], launch => Assert.Equal(capacity / 20, (int)launch["settings"]!["rate"]!, 1.0));
        Assert.Matches(@"^\[4/4\] udp unreliable 1 x 1 at 5% … [\d,.]+ msg/s  .*  ETA 0:00$", sweep.Out[^2]);
        Assert.Single(tree.RunAll(Runner.Bash, "--resume", folder).WithCode(0).AfterBuilds().Out); // nothing is lacking
    }

    // Typed in a terminal, which is the same for both, it is TerminalTests'.
    [Fact]
    public void Ctrl_C_keeps_what_was_measured_and_renders_it()
    {
        var results = tree.PathOf("results"); // named by the runner
        if (Directory.Exists(results))
            Directory.Delete(results, recursive: true);
        string[] flags = ["--libraries", "udp", "--rate", "200", .. OneCell(seconds: "3", repeats: "9")];
        using var sweep = tree.StartAll(Runner.Bash, flags);
        sweep.LineWith("building bench-udp");
        bool HasBegun() => Directory.Exists(results)
            && Directory.GetFiles(results, "raw.jsonl", SearchOption.AllDirectories).Length == 1;
        Command.Until(HasBegun);
        var folder = Assert.Single(Directory.GetDirectories(results));
        var raw = Path.Combine(folder, "raw.jsonl");
        Bench.UntilItSends(sweep, raw, launch: 2);
        sweep.PressCtrlC();
        var ended = sweep.Wait().WithCode(130);
        Assert.Matches($@"^{DateTime.UtcNow:yyyy}-\d\d-\d\dT\d{{4}}-quick-.*cpu$", Path.GetFileName(folder));
        var windows = Record.In(raw).Where(MiniTree.IsClientWindow).ToArray();
        Assert.Equal(2, windows.Length);
        Assert.Contains("stopped early", Pages.In(folder));
        Assert.Contains(ended.Out, line => line.Contains("report.md"));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void A_missing_or_old_SDK_is_told_in_one_sentence(string script)
    {
        using var scratch = new Scratch();
        MiniTree.Stub(scratch.PathOf("none"), "exit 1");
        MiniTree.Stub(scratch.PathOf("old"), "echo 8.0.100");
        Assert.Contains("SDK", tree.RunAllWith(scratch.PathOf("none"), script).WithCode(1).Sentence());
        Assert.Contains("8.0.100", tree.RunAllWith(scratch.PathOf("old"), script).WithCode(1).Sentence());
    }

    [Fact]
    public void A_runner_that_does_not_build_is_told_with_the_first_error_and_nothing_is_left()
    {
        MiniTree.Stub(tree.PathOf("broken"), """
            if [ "$1" = --version ]; then echo 10.0.100; exit 0; fi
            echo '/root/x.cs(1,2): error CS1002: ; expected [/root/runner.csproj]'
            echo '/root/x.cs(1,2): error CS1003: more [/root/runner.csproj]'
            exit 1
            """);
        foreach (var script in Runner.Both.Where(row => row.Skip == null).Select(row => row.Data))
        {
            string[] flags = ["--out", tree.PathOf("never"), .. oneCell];
            var told = tree.RunAllWith(tree.PathOf("broken"), script, flags).WithCode(1).Sentence();
            Assert.Equal("run-all: runner does not build: CS1002: ; expected", told);
        }
        Assert.False(Directory.Exists(tree.PathOf("never")));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void More_clients_than_open_files_allow_are_told_once_before_anything_is_built(string script)
    {
        MiniTree.Stub(tree.PathOf("few"), $"ulimit -n 500\nexec '{tree.PathOf("path", "dotnet")}' \"$@\"");
        string[] flags = ["--out", tree.PathOf("fewer"), "--libraries", "udp,zzz", "--clients", "1,450"];
        var told = tree.RunAllWith(tree.PathOf("few"), script, flags).WithCode(1).Sentence();
        Assert.EndsWith("450 clients need 550 open files, but the limit is 500: `ulimit -n 550` lifts it.", told);
        Assert.False(Directory.Exists(tree.PathOf("fewer")));
    }

    // The two commands of README.md in one clone: what was measured is nobody's yet, and no committed file has changed.
    [Fact]
    public void A_sweep_leaves_all_that_is_committed_as_it_was()
    {
        Assert.SkipWhen(Runner.Missing("git") != null, "There is no git here.");
        using var clone = new MiniTree();
        string[] Git(params string[] words)
        {
            string[] asNobody = ["-C", clone.PathOf(), "-c", "user.name=x", "-c", "user.email=x"];
            using var git = Command.Start("git", [.. asNobody, .. words]);
            return git.Wait().WithCode(0).Out;
        }
        File.Copy(Repo.PathOf(".gitignore"), clone.PathOf(".gitignore"));
        Directory.CreateDirectory(clone.PathOf("results"));
        File.WriteAllText(clone.PathOf("results", "README.md"), "An index.\n");
        Git("init", "-q");
        Git("add", ".");
        Git("commit", "-q", "-m", "all");
        clone.RunAll(Runner.Bash, ["--libraries", "udp", .. oneCell]).WithCode(0);
        var sweep = Assert.Single(Directory.GetDirectories(clone.PathOf("results")));
        Assert.Equal([$"?? results/{Path.GetFileName(sweep)}/"], Git("status", "--porcelain"));
        var machine = Record.In(Path.Combine(sweep, "raw.jsonl"))[0];
        Assert.Equal(Git("rev-parse", "HEAD")[0], (string?)machine["suite_commit"]);
        Assert.Equal(false, (bool?)machine["suite_dirty"]);
    }

    [Fact]
    public void Every_preset_is_offered_where_a_sweep_is_started_by_hand()
    {
        var presets = Directory.GetFiles(Repo.PathOf("scripts", "presets")).Select(Path.GetFileNameWithoutExtension);
        var workflow = File.ReadAllText(Repo.PathOf(".github", "workflows", "sweep.yml"));
        var lists = Regex.Matches(workflow, @"^ +options: \[(.*)\]$", RegexOptions.Multiline);
        var options = lists.SelectMany(list => list.Groups[1].Value.Split(", "));
        Assert.Subset(options.ToHashSet(), presets.ToHashSet()!);
    }

    static JObject ErrorOf(JObject[] records, string library) => Assert.Single(records, record =>
        Record.KindOf(record) == "error" && (string?)record["library"] == library);
}
