using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>scripts/run-all.sh, run in a small copy of the suite.</summary>
public sealed class RunnerTests : IClassFixture<MiniTree>
{
    static readonly string[] oneCell =
    [
        "--delivery", "unreliable", "--clients", "1", "--parallel", "1", "--payload-bytes", "32",
        "--warmup-seconds", "0.1", "--seconds", "0.2", "--repeats", "1",
    ];

    readonly MiniTree tree;

    public RunnerTests(MiniTree tree)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests press Ctrl-C with setsid.");
        this.tree = tree;
    }

    [Fact]
    public void Wrong_usage_is_refused_in_one_sentence_before_anything_is_built()
    {
        using var unbuilt = new MiniTree();
        File.WriteAllText(unbuilt.PathOf("odd.preset"), "delivery=unreliable\nclient=1\n");
        File.WriteAllText(unbuilt.PathOf("short.preset"), "delivery=unreliable\n");
        string[] flags =
        [
            "--clients", "0", "--clients", "x", "--clients", "1,,2", "--clients", "1,", "--clients", "100001",
            "--parallel", "10001", "--payload-bytes", "23", "--payload-bytes", "65508", "--delivery", "invented",
            "--delivery", "", "--libraries", "nosuch", "--libraries", "../udp", "--preset", "nosuch",
            "--preset", unbuilt.PathOf("odd.preset"), "--preset", unbuilt.PathOf("short.preset"),
            "--repeats", "0", "--repeats", "1,2", "--repeats", "1001", "--seconds", "-1", "--seconds", "86401",
            "--warmup-seconds", "3601", "--seconds", "1e3", "--seed", "x", "--client", "1",
        ];
        Assert.All(flags.Chunk(2), flag => unbuilt.RunAll(["--dry-run", .. flag]).WrongUsage());
        unbuilt.RunAll("--clients").WrongUsage();
        unbuilt.RunAll("extra").WrongUsage();
        Assert.Contains($"{unbuilt.PathOf("odd.preset")}:2:",
            unbuilt.RunAll("--preset", unbuilt.PathOf("odd.preset")).WrongUsage());
        Assert.False(Directory.Exists(unbuilt.PathOf("report", "bin")));
        Assert.False(Directory.Exists(unbuilt.PathOf("results")));
    }

    [Fact]
    public void Every_flag_of_the_help_is_understood()
    {
        var help = tree.RunAll("--help").WithCode(0).Out;
        var flags = help.Select(line => Regex.Match(line, @"^  (--[a-z-]+) [A-Z]")).Where(flag => flag.Success)
            .Select(flag => flag.Groups[1].Value).ToArray();
        Assert.Contains("--preset", flags);
        Assert.All(flags, flag => Assert.Contains($"{flag} takes a value", tree.RunAll(flag).WrongUsage()));
    }

    [Fact]
    public void Every_preset_can_be_run() =>
        Assert.All(Directory.GetFiles(tree.PathOf("scripts", "presets")), preset =>
            Assert.NotEmpty(tree.RunAll("--dry-run", "--preset", Path.GetFileNameWithoutExtension(preset))
                .WithCode(0).Out));

    [Fact]
    public void A_dry_run_prints_a_command_for_every_cell_and_repeat_and_measures_nothing()
    {
        var lines = tree.RunAll("--dry-run", "--libraries", "udp,yyy", "--delivery", "unreliable,reliable-ordered",
            "--clients", "1,10", "--parallel", "1", "--payload-bytes", "24,1000", "--repeats", "2", "--out", tree.PathOf("dry"))
            .WithCode(0).Out.Where(line => line.StartsWith("dotnet ")).ToArray();
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
        var sweep = tree.RunAll(["--out", folder, .. oneCell, "--delivery", "reliable-ordered,unreliable"]);
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
        Assert.Contains(sweep.Out, line => Regex.IsMatch(line, @"^\[\d/4\] udp unreliable 1 x 1 … [\d,]+ msg/s .* ETA "));

        // A second sweep into the same folder is refused, and the first one stays.
        tree.RunAll(["--out", folder, .. oneCell]).WithCode(1).Sentence();
        Assert.Equal(records.Length, Record.In(Path.Combine(folder, "raw.jsonl")).Length);
    }

    [Fact]
    public void An_unavailable_bench_is_an_error_only_where_strict()
    {
        string[] zzz = ["--libraries", "zzz", .. oneCell];
        tree.RunAll(["--out", tree.PathOf("lenient"), .. zzz]).WithCode(0);
        tree.RunAll(["--strict", "--out", tree.PathOf("strict"), .. zzz]).WithCode(1);
        Assert.Contains("zzz unavailable", File.ReadAllText(tree.PathOf("strict", "report.md")));
    }

    [Fact]
    public void Ctrl_C_keeps_what_was_measured_and_renders_it()
    {
        using var sweep = tree.StartAll(["--libraries", "udp", "--delivery", "unreliable", "--clients", "1",
            "--parallel", "1", "--payload-bytes", "32", "--warmup-seconds", "0.1", "--seconds", "1.5", "--repeats", "9"]);
        sweep.LineWith("[1/9]", 120);
        var results = Assert.Single(Directory.GetDirectories(tree.PathOf("results")));
        var raw = Path.Combine(results, "raw.jsonl");
        JObject[] Windows() => [.. Record.In(raw).Where(record => (string?)record["phase"] == "window")];
        Command.Until(() => Windows().Any(record => (string?)record["run_id"] != (string?)Windows()[0]["run_id"]), 60);
        sweep.PressCtrlC();
        var ended = sweep.Wait(60).WithCode(130);
        Assert.Matches($@"^{DateTime.UtcNow:yyyy}-\d\d-\d\d-", Path.GetFileName(results));
        var clients = Record.In(raw).Where(record => Record.KindOf(record) == "client").ToArray();
        Assert.Equal(2, clients.Length);
        Assert.InRange((double)clients[1]["elapsed_s"]!, 0, 1.45);
        Assert.Contains("stopped early", File.ReadAllText(Path.Combine(results, "report.md")));
        Assert.Contains(ended.Out, line => line.Contains("report.md"));
    }

    [Theory, InlineData("folder/"), InlineData("a folder")]
    public void The_results_folder_may_end_in_a_slash_and_have_spaces(string folder) =>
        tree.RunAll(["--libraries", "zzz", "--out", tree.PathOf(folder), .. oneCell]).WithCode(0);

    [Fact]
    public void A_folder_that_cannot_be_written_is_told_in_one_sentence() =>
        Assert.Contains("/proc/x", tree.RunAll(["--libraries", "udp", "--out", "/proc/x", .. oneCell])
            .WithCode(1).Sentence());

    [Theory]
    [InlineData("exit 1", "SDK")]
    [InlineData("echo 8.0.100", "8.0.100")]
    public void A_missing_or_old_SDK_is_told_in_one_sentence(string dotnet, string named)
    {
        using var scratch = new Scratch();
        File.WriteAllText(scratch.PathOf("dotnet"), $"#!/bin/sh\n{dotnet}\n");
        if (OperatingSystem.IsLinux())
            File.SetUnixFileMode(scratch.PathOf("dotnet"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        using var sweep = Command.StartIn(scratch.Folder,
            [("PATH", $"{scratch.Folder}:{Environment.GetEnvironmentVariable("PATH")}")],
            "bash", tree.PathOf("scripts", "run-all.sh"));
        Assert.Contains(named, sweep.Wait().WithCode(1).Sentence());
    }

    static JObject ErrorOf(JObject[] records, string library) => Assert.Single(records, record =>
        Record.KindOf(record) == "error" && (string?)record["library"] == library);
}
