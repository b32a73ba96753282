using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>scripts/run-all.sh and scripts/run-all.ps1, run in a small copy of the suite; the latter only where
/// EqualRunnersTests does not hold that it does the same.</summary>
public sealed class RunnerTests(MiniTree tree) : IClassFixture<MiniTree>
{
    static readonly string[] oneCell = OneCell();

    static string[] OneCell(string delivery = "unreliable", string seconds = "0.2", string repeats = "1") =>
    [
        "--delivery", delivery, "--clients", "1", "--parallel", "1", "--payload-bytes", "32",
        "--warmup-seconds", "0", "--seconds", seconds, "--repeats", repeats,
    ];

    [Fact]
    public void Wrong_flags_are_refused_in_one_sentence_before_anything_is_built()
    {
        using var scratch = new Scratch();
        MiniTree.Stub(scratch.Folder, "exit 1");
        string[][] wrong =
        [
            ["--clients"], ["--clients", ""], ["extra"], ["--client", "1"], ["--Clients", "1"],
            ["--dry-run", "--until-stdin-closes"], ["--out", "x", "--resume", "y"],
        ];
        Assert.All(wrong, flags => tree.RunAllWith(scratch.Folder, Runner.Bash, flags).WrongUsage());
    }

    [Fact]
    public void Wrong_values_are_refused_and_nothing_is_left()
    {
        File.WriteAllText(tree.PathOf("odd.preset"), "delivery=unreliable\nclient=1\n");
        Assert.Contains("'0' is no value for --clients", tree.RunAll(Runner.Bash, "--clients", "0").WrongUsage());
        Assert.Contains("odd.preset:2: ", tree.RunAll(Runner.Bash, "--preset", tree.PathOf("odd.preset")).WrongUsage());
        var results = tree.PathOf("results-of-wrong-values");
        Assert.Contains("quick", tree.RunAll(Runner.Bash, "--out", results, "--preset", "nosuch").WrongUsage());
        Assert.False(Directory.Exists(results));
    }

    // Both runners hand presets on as they are.
    [Fact]
    public void A_preset_that_is_wrong_is_refused_with_its_line()
    {
        File.WriteAllText(tree.PathOf("odd.preset"), "delivery=unreliable\nclient=1\n");
        File.WriteAllText(tree.PathOf("bad.preset"), "# a comment\ndelivery=unreliable\n\nclients=0\n");
        File.WriteAllText(tree.PathOf("twice.preset"), "clients=1\nclients=2\n");
        File.WriteAllText(tree.PathOf("short.preset"), "delivery=unreliable\n");
        string Refusal(string preset) => tree.Lead("sweep", "--preset", preset).WrongUsage();
        Assert.Contains("odd.preset:2:", Refusal("odd.preset"));
        Assert.Contains("bad.preset:4:", Refusal("bad.preset"));
        Assert.Contains("twice.preset:2:", Refusal("twice.preset"));
        Assert.Contains("short.preset lacks", Refusal("short.preset"));
    }

    // Of run-all.ps1 another test holds that its help and its flags are the same.
    [Fact]
    public void Every_flag_of_the_help_is_understood()
    {
        var flags = FlagsOf(tree.RunAll("run-all.sh", "--help").WithCode(0)).Where(flag => flag.TakesValue).ToArray();
        Assert.Contains("--preset", flags.Select(flag => flag.Name));
        Assert.All(flags, flag => Assert.Contains($"{flag.Name} takes a value",
            tree.RunAll("run-all.sh", flag.Name).WrongUsage()));
    }

    /// <summary>The flags that a help names.</summary>
    internal static (string Name, bool TakesValue)[] FlagsOf(Ended help) =>
        [.. help.Out.Select(line => Regex.Match(line, "^  (--[a-z-]+) ([a-zA-Z|]*)")).Where(flag => flag.Success)
            .Select(flag => (flag.Groups[1].Value, flag.Groups[2].Value != ""))];

    [Fact]
    public void A_dry_run_prints_a_command_for_every_cell_and_repeat_and_measures_nothing()
    {
        var lines = tree.RunAll(Runner.Bash, "--dry-run", "--libraries", "udp,yyy", "--delivery",
            "unreliable,reliable-ordered", "--clients", "1,10", "--parallel", "1", "--payload-bytes", "24,1000",
            "--repeats", "2", "--out", tree.PathOf("dry")).WithCode(0).Out;
        Assert.Equal(2 * 2 * 2 * 1 * 2 * 2, lines.Length);
        Assert.Equal(lines.Length, lines.Distinct().Count());
        Assert.Contains(lines, line => line.StartsWith("dotnet bench-udp/bin/Release/bench-udp.dll run --run-id ")
            && line.Contains(" --delivery unreliable --clients 10 --parallel 1 --payload-bytes 1000 "));
        // Repeats outermost, and each in another order.
        Assert.All(lines[..16], line => Assert.Contains(" --run-id r1-", line));
        Assert.NotEqual(lines[..16].Select(line => line.Replace("r1-", "r2-")), lines[16..]);
        Assert.False(Directory.Exists(tree.PathOf("dry")));
    }

    [Fact]
    public void A_sweep_measures_what_it_can_and_names_what_it_cannot()
    {
        var folder = tree.PathOf("sweep");
        string[] flags = ["--out", folder, .. OneCell("reliable-ordered,unreliable")];
        var sweep = tree.RunAll(Runner.Bash, flags);
        sweep.WithCode(1); // a cell of yyy failed
        Assert.Contains(sweep.Out, line => line.Contains("bench-zzz is unavailable: NU1"));
        var records = Record.In(Path.Combine(folder, "raw.jsonl"));
        Assert.Equal("machine", Record.KindOf(records[0]));
        Assert.Equal("udp", (string?)Record.Single(records, "client")["library"]);
        Assert.Equal(
            ["udp unsupported", "yyy failed", "yyy unsupported", "zzz unavailable"],
            records.Where(record => Record.KindOf(record) == "error")
                .Select(error => $"{error["library"]} {error["kind"]}").Order());
        Assert.Contains("NU1101", (string)ErrorOf(records, "zzz")["reason"]!);
        var page = File.ReadAllText(Path.Combine(folder, "report.md"));
        Assert.Contains("zzz unavailable", page);
        Assert.Contains("It is broken.", page);
        Assert.NotEmpty(Directory.GetFiles(folder, "throughput-unreliable.*"));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.Contains(sweep.Out,
            line => Regex.IsMatch(line, @"^\[\d/4\] udp unreliable 1 x 1 … [\d,]+ msg/s .* ETA "));

        // A second sweep into the same folder is refused, and the first one stays.
        tree.RunAll(Runner.Bash, ["--out", folder, .. oneCell]).WithCode(1).Sentence();
        Assert.Equal(records.Length, Record.In(Path.Combine(folder, "raw.jsonl")).Length);
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void An_unavailable_bench_is_an_error_only_where_strict(string script)
    {
        string[] zzz = ["--libraries", "zzz", .. oneCell];
        // Names with a slash at the end and with spaces are good names too.
        tree.RunAll(script, ["--out", tree.PathOf($"lenient-{script}/"), .. zzz]).WithCode(0);
        tree.RunAll(script, ["--strict", "--out", tree.PathOf($"strict {script}"), .. zzz]).WithCode(1);
        Assert.Contains("zzz unavailable", File.ReadAllText(tree.PathOf($"strict {script}", "report.md")));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void A_disturbed_run_is_measured_again_and_a_percentage_is_of_the_attempt_that_counts(string script)
    {
        // The first attempt at the closed loop and all at the percentage find that their CPU time was stolen.
        MiniTree.Stub(tree.PathOf("disturbed"), $$"""
            if [ "$1" = build ] && [ -f "$2/bin/Release/$2.dll" ]; then exit 0; fi
            '{{Runner.Find("dotnet")}}' "$@" || exit $?
            [ "$2" = run ] || exit 0
            case $4 in r1-udp-unreliable-1x1-32 | *pct*) steal=1 ;; *) steal=0 ;; esac
            for word; do if [ "$before" = --out ]; then raw=$word; fi; before=$word; done
            sed -i "/\"run_id\":\"$4\"/{s/\"machine_steal_s\":[^,}]*/\"machine_steal_s\":$steal/
                s/\"machine_cpu_s\":[^,}]*/\"machine_cpu_s\":0/}" "$raw"
            """);
        var folder = tree.PathOf($"disturbed-{script}");
        var sweep = tree.RunAllWith(tree.PathOf("disturbed"), script,
            ["--libraries", "udp", "--out", folder, "--rate", "50%", "--reruns", "2", .. oneCell]).WithCode(0);
        string[] ids = ["r1-udp-unreliable-1x1-32", "r1-udp-unreliable-1x1-32-again1", "r1-udp-unreliable-1x1-32-at-50pct",
            "r1-udp-unreliable-1x1-32-at-50pct-again1", "r1-udp-unreliable-1x1-32-at-50pct-again2"];
        var clients = Record.In(Path.Combine(folder, "raw.jsonl")).Where(record => Record.KindOf(record) == "client").ToArray();
        Assert.Equal(ids, clients.Select(client => (string?)client["run_id"]));
        var capacity = (double)clients[1]["completed_window"]! / (double)clients[1]["elapsed_s"]!;
        Assert.All(clients[2..], client => Assert.Equal(Math.Round(capacity / 2), (int)client["settings"]!["rate"]!, 1.0));
        const string stolen = @"[\d,]+ msg/s  .*  disturbed: \d+ % of the CPU time of the machine was stolen";
        var lines = sweep.Out.Where(line => line.StartsWith('[')).ToArray();
        Assert.Equal(2, lines.Length);
        Assert.Matches($@"^\[1/2\] udp unreliable 1 x 1 … {stolen}, again … [\d,]+ msg/s  p99 [^:]*  ETA ", lines[0]);
        Assert.Matches($@"^\[2/2\] udp unreliable 1 x 1 at 50% … ({stolen}, again … ){{2}}{stolen}  ETA 0 s$", lines[1]);
        var page = File.ReadAllText(Path.Combine(folder, "report.md"));
        Assert.Contains("1 disturbed launch measured again", page);
        Assert.Contains("2 disturbed launches measured again; disturbed: ", page);
        Assert.Single(tree.RunAll(script, "--resume", folder).WithCode(0).Out); // nothing is lacking
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void Ctrl_C_keeps_what_was_measured_and_renders_it(string script)
    {
        var results = tree.PathOf("results"); // named by the runner
        if (Directory.Exists(results)) Directory.Delete(results, recursive: true);
        using var sweep = tree.StartAll(script,
            ["--libraries", "udp", .. OneCell(seconds: "1.5", repeats: "9")]);
        sweep.LineWith("[1/9]", 40);
        var folder = Assert.Single(Directory.GetDirectories(results));
        var raw = Path.Combine(folder, "raw.jsonl");
        JObject[] Windows() => [.. Record.In(raw).Where(record => (string?)record["phase"] == "window")];
        Command.Until(
            () => Windows().Any(record => (string?)record["run_id"] != (string?)Windows()[0]["run_id"]), 60);
        sweep.PressCtrlC();
        var ended = sweep.Wait(60).WithCode(130);
        Assert.Matches($@"^{DateTime.UtcNow:yyyy}-\d\d-\d\d-", Path.GetFileName(folder));
        var clients = Record.In(raw).Where(record => Record.KindOf(record) == "client").ToArray();
        Assert.Equal(2, clients.Length);
        Assert.InRange((double)clients[1]["elapsed_s"]!, 0, 1.45);
        Assert.Contains("stopped early", File.ReadAllText(Path.Combine(folder, "report.md")));
        Assert.Contains(ended.Out, line => line.Contains("report.md"));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void A_folder_that_cannot_be_written_is_told_in_one_sentence(string script) =>
        Assert.Contains("/proc/x", tree.RunAll(script, ["--libraries", "udp", "--out", "/proc/x", .. oneCell])
            .WithCode(1).Sentence());

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
    public void Every_preset_is_offered_where_a_sweep_is_started_by_hand()
    {
        var presets = Directory.GetFiles(Repo.PathOf("scripts", "presets")).Select(Path.GetFileNameWithoutExtension);
        var options = Regex.Matches(File.ReadAllText(Repo.PathOf(".github", "workflows", "sweep.yml")),
            @"^ +options: \[(.*)\]$", RegexOptions.Multiline).SelectMany(list => list.Groups[1].Value.Split(", "));
        Assert.Subset(options.ToHashSet(), presets.ToHashSet()!);
    }

    static JObject ErrorOf(JObject[] records, string library) => Assert.Single(records, record =>
        Record.KindOf(record) == "error" && (string?)record["library"] == library);
}
