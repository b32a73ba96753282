using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>scripts/run-all.ps1 does what scripts/run-all.sh does, to the letter.</summary>
public sealed class EqualRunnersTests : IClassFixture<MiniTree>
{
    // A value of each flag and what it leaves in a dry run's text; null: what no command shows.
    static readonly Dictionary<string, (string? Value, string? Shown)> samples = new()
    {
        ["--preset"] = ("sampling", null),
        ["--libraries"] = ("udp,zzz", "/unreliable,zzz/unreliable"),
        // It says which libraries: VersionsTests have both scripts do it.
        ["--against"] = (null, null),
        ["--server-library"] = (null, null),
        ["--work"] = ("echo", "--work echo "),
        ["--variant"] = ("default,wide", "zzz/unreliable/default/wide"),
        ["--security"] = ("none,tls", "zzz/unreliable/default/default/tls"),
        ["--delivery"] = ("unreliable", " run udp/unreliable,"),
        ["--clients"] = ("2,3", "--clients 3"),
        ["--rtt-ms"] = ("20,none", " --rtt-ms 20 "),
        ["--jitter-ms"] = ("3", "--jitter-ms 3"),
        ["--loss-percent"] = ("0,2", "--loss-percent 2"),
        ["--loss-burst-packets"] = ("4", "--loss-burst-packets 4"),
        ["--rate-mbit"] = ("0,10", "--rate-mbit 10"),
        ["--queue"] = ("64kB", "--queue 64kB"),
        ["--parallel"] = ("1,4", "--parallel 4"),
        ["--only"] = ("2x1,3x4", "--clients 3 --parallel 4"),
        ["--payload-bytes"] = ("24,1000", "--payload-bytes 1000"),
        ["--payload"] = ("zeros", "--payload zeros"),
        // Works without rooms have no use for these.
        ["--tick-hz"] = ("30", null),
        ["--room"] = ("0", null),
        ["--snapshot-bytes"] = ("1000", null),
        ["--stalled-clients"] = ("0", null),
        ["--churn"] = ("0", null),
        // In place of lists, and without an end that is planned.
        ["--loads"] = (null, null),
        ["--players-until"] = (null, null),
        ["--profile"] = ("tuned,default", ",zzz/unreliable/tuned,"),
        ["--rate"] = ("4,5/client,6%", "--rate 15 "),
        ["--ladder"] = ("yes", "--rate-percent 90 "),
        ["--slo"] = ("p99=5ms,loss=0.1%", null),
        ["--pin"] = ("0,2/1,3", "--server-cpus 0,2 --client-cpus 1,3"),
        ["--warmup-seconds"] = ("0.5", "--warmup-seconds 0.5"),
        ["--seconds"] = ("7.5", "--seconds 7.5"),
        ["--interleaved"] = ("yes", " --rounds "),
        ["--rounds"] = ("9", "--rounds 9 "),
        ["--slice-ms"] = ("60", "--slice-ms 60 "),
        ["--settle-ms"] = ("20", "--settle-ms 20 "),
        ["--until"] = ("3%", null),
        ["--at-most"] = ("1h", null),
        ["--awake"] = ("yes", " --awake "),
        ["--repeats"] = ("3", "--run-id r3 "),
        ["--trace"] = ("no", null),
        ["--seed"] = ("7", "--order-seed 10 "),
        ["--out"] = ("a folder/x/", "--out a folder/x/raw.jsonl"),
        ["--server-host"] = ("user@host", "--server-host user@host"),
        ["--client-hosts"] = ("a,b", "--client-hosts a,b"),
        ["--address"] = ("10.0.0.1", "--address 10.0.0.1"),
        ["--remote-folder"] = ("there", "--remote-folder there"),
        ["--resume"] = (null, null),
        ["--strict"] = (null, null),
        ["--dry-run"] = (null, null),
        ["--help"] = (null, null),
    };

    readonly MiniTree tree;

    public EqualRunnersTests(MiniTree tree)
    {
        Assert.SkipWhen(Runner.Missing("pwsh") != null, "There is no pwsh here.");
        this.tree = tree;
    }

    [Fact]
    public void The_help_is_the_same_and_every_flag_of_it_defaults_and_a_preset_leave_the_same_commands()
    {
        var help = tree.RunAll(Runner.Bash, "--help").WithCode(0);
        var flags = RunnerTests.FlagsOf(help).Select(flag => flag.Name).ToArray();
        Assert.Equal(samples.Keys.Order(), flags.Order());
        var valued = flags.Where(flag => samples[flag].Value != null).ToArray();
        string[] inBash = [.. valued.SelectMany(flag => new[] { flag, samples[flag].Value! })];
        var commands = tree.RunAll(Runner.Bash, ["--dry-run", "--strict", .. inBash]).WithCode(0).Out;
        var text = string.Join('\n', commands);
        Assert.All(valued, flag => Assert.Contains(samples[flag].Shown ?? "", text));
        Assert.DoesNotContain("--clients 2 --parallel 4", text); // by --only

        // Of defaults; of a preset that traces, with a seed as well, whose order is another; and a list that PowerShell
        // has split.
        const string Lists = "--clients 1,10 --delivery unreliable,reliable-ordered";
        string[] dryRuns = ["", "--preset sampling --seed 2", Lists];
        var others = Array.ConvertAll(dryRuns, words =>
        {
            string[] flags = [.. words.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--dry-run"];
            var dryRun = tree.RunAll(Runner.Bash, flags);
            Assert.NotEmpty(CommandsOf(dryRun));
            return dryRun.Out;
        });

        // PowerShell's own spelling, and Bash's.
        static string InPowerShells(string flag) => $"-{flag.Replace("-", "")} {Quoted(samples[flag].Value!)}";
        static string Quoted(string value) => value.Contains(' ') ? $"'{value}'" : value;
        var words = string.Join(' ', valued.Select(InPowerShells));
        var wordsOfBash = string.Join(' ', inBash.Select(word => $"'{word}'"));
        string[] calls =
        [
            "--help",
            "-h",
            "-Help",
            $"-DryRun -Strict {words}",
            $"--dry-run --strict {wordsOfBash}",
            .. dryRuns.Select(flags => $"{flags} --dry-run"),
            $"{Lists.Replace("--clients", "-Clients")} -DryRun",
        ];
        string[][] expected = [help.Out, help.Out, help.Out, commands, commands, .. others, others[^1]];
        Assert.Equal(
            expected.SelectMany(said => said),
            InPowerShell(tree.PathOf(), calls).WithCode(0).Out.Select(AsBash));
    }

    [Fact]
    public void A_sweep_that_goes_on_lacks_the_same_runs()
    {
        var half = tree.CopyOfFinished("half");
        var raw = Path.Combine(half, "raw.jsonl");
        var text = File.ReadAllText(raw);
        File.WriteAllText(raw, text[..(text.Length / 2)]);
        string[][] calls =
        [
            ["--dry-run", "--resume", half],
            ["--resume", tree.Finished],
            ["--dry-run", "--resume", tree.Finished],
        ];
        var inBash = BothIn(tree.PathOf(), calls);
        Assert.All(inBash, ended => ended.WithCode(0));
        Assert.InRange(CommandsOf(inBash[0]).Length, 1, MiniTree.Runs - 1);
        Assert.Single(inBash[1].AfterBuilds().Out); // its report is there
        Assert.Contains("nothing is lacking", inBash[2].Out);
    }

    [Fact]
    public void Paths_are_those_of_the_folder_that_it_is_called_from_in_which_PowerShell_is_left()
    {
        using var scratch = new Scratch();
        var half = Directory.CreateDirectory(scratch.PathOf("a half")).FullName;
        File.WriteAllLines(Path.Combine(half, "raw.jsonl"),
            File.ReadLines(Path.Combine(tree.Finished, "raw.jsonl")).Take(3));
        const string Preset = "delivery=unreliable\nclients=4\nparallel=1\n"
            + "payload_bytes=24\ninterleaved=no\nwarmup_seconds=1\nseconds=2\nrepeats=1\n";
        File.WriteAllText(scratch.PathOf("my own.preset"), Preset);
        string[][] calls =
        [
            ["--dry-run", "--preset", "my own.preset", "--libraries", "udp", "--out", "out here"],
            ["--dry-run", "--resume", "a half"],
        ];
        var inBash = BothIn(scratch.Folder, calls);
        Assert.EndsWith($"--out {scratch.PathOf("out here", "raw.jsonl")}", Assert.Single(CommandsOf(inBash[0])));
        var resumed = CommandsOf(inBash[1]);
        Assert.NotEmpty(resumed);
        Assert.All(resumed, line => Assert.EndsWith($"--out {scratch.PathOf("a half", "raw.jsonl")}", line));
    }

    [Fact]
    public void Refusals_are_the_same()
    {
        string[][] wrong =
        [
            ["--clients"],
            ["--clients", ""],
            ["extra"],
            ["--Clients", "1"],
            ["--clients", "0"],
            ["--clients", "1", "--clients", "2"],
            ["--preset", "nosuch"],
            ["--out", "x", "--resume", "y"],
            ["--libraries", "udp@1.0"],
            ["--libraries", "zzz@"],
            ["--against", "zzz@./nosuch"],
        ];
        string[][] impossible = [["--out", "/proc/x"], ["--out", tree.Finished]];
        var inBash = BothIn(tree.PathOf(), [.. wrong, .. impossible]);
        Assert.All(inBash[..wrong.Length], ended => ended.AfterBuilds().WrongUsage());
        Assert.All(inBash[wrong.Length..], ended => ended.WithCode(1).Sentence());
        // What PowerShell itself binds from outside, it refuses itself.
        tree.RunAll(Runner.PowerShell, "--clients").WithCode(1);
    }

    [Theory]
    [InlineData("no")]
    [InlineData("yes")]
    public async Task A_sweep_says_and_records_the_same(string interleaved)
    {
        var started = Task.Run(() => Sweep(Runner.PowerShell, interleaved), TestContext.Current.CancellationToken);
        var bash = Sweep(Runner.Bash, interleaved);
        var powerShell = await started;
        Assert.Equal(1, bash.Ended.ExitCode); // of the bench that is broken
        Assert.Equal(bash.Ended.ExitCode, powerShell.Ended.ExitCode);
        Assert.Equal(bash.Ended.Out.Select(WithoutFigures), powerShell.Ended.Out.Select(WithoutFigures));
        Assert.Equal(bash.Ended.Error, powerShell.Ended.Error);
        Assert.Equal(bash.Records, powerShell.Records);
        if (interleaved == "no")
            return;
        Assert.Contains("[1/1] unreliable 1 x 1: udp, yyy … ETA", bash.Ended.Out.Select(WithoutFigures));
        Assert.Single(bash.Ended.Out, line => line.StartsWith("  udp unreliable: "));
        Assert.Single(bash.Ended.Out, line => line == "  yyy unreliable: failed: It is broken.");
    }

    // The fourth launch would leave no trace: with time left for it a sweep has it, and no other after it.
    [Fact]
    public void A_sweep_goes_on_until_its_ratios_are_close_or_the_time_is_over()
    {
        (string Script, string AtMost, int Launches)[] sweeps =
        [
            (Runner.Bash, "250s", 3), // of 100 s each, as the stub's records say
            (Runner.PowerShell, "20min", 4),
        ];
        Parallel.ForEach(sweeps, sweep => AssertGoesOn(sweep.Script, sweep.AtMost, sweep.Launches));
    }

    void AssertGoesOn(string script, string atMost, int launches)
    {
        const string Block = "unreliable-1x1-32";
        var stub = tree.PathOf($"until-{atMost}");
        Directory.CreateDirectory(stub);
        long[] steady = [.. Enumerable.Repeat(1_000L, 8)];
        long[] scattered = [500, 600, 700, 800, 1_200, 1_400, 1_600, 1_900];
        for (var launch = 1; launch < 4; launch++)
        {
            var lines = SuiteFolder.Interleaved(
                launch, Block, 100, ($"udp-{Block}", steady), ($"yyy-{Block}", scattered));
            File.WriteAllLines(Path.Combine(stub, $"r{launch}"), lines);
        }
        MiniTree.Stub(stub, $"""
            if [ "$1" = build ]; then exit 0; fi
            if [ "$2" != run ]; then exec '{tree.PathOf("warm", "dotnet")}' "$@"; fi
            while [ $# -gt 0 ]; do
                case $1 in --run-id) id=$2 ;; --out) out=$2 ;; esac
                shift
            done
            if [ -f '{stub}'/$id ]; then cat '{stub}'/$id >>"$out"; fi
            echo '  udp unreliable: fast'
            echo '  yyy unreliable: faster'
            """);
        string[] cell = ["--libraries", "udp,yyy", "--delivery", "unreliable", "--clients", "1"];
        string[] flags = [.. cell, "--until", "3%", "--at-most", atMost];
        const string Why = @"^half-width [\d.]+ % of unreliable 1 x 1 is over 3 %: one more launch of 1 block$";
        string[] ofLaunch =
        [
            "[1/1] unreliable 1 x 1: udp, yyy … ETA 0:00",
            "  udp unreliable: fast",
            "  yyy unreliable: faster",
        ];
        var folder = Path.Combine(stub, script);
        var sweep = tree.RunAllWith(stub, script, ["--out", folder, .. flags]).WithCode(0);
        var said = sweep.Out.SkipWhile(line => !line.StartsWith('[')).ToArray();
        Assert.Equal(4 * launches, said.Length); // each with why it was, at last where the results are
        Assert.Equal(ofLaunch, said[..3]);
        foreach (var more in said[3..^1].Chunk(4))
        {
            Assert.Matches(Why, more[0]);
            Assert.Equal(ofLaunch, more[1..]);
        }
        var kinds = Record.In(Path.Combine(folder, "raw.jsonl")).Select(Record.KindOf);
        Assert.Equal(Math.Min(launches, 3) * 2, kinds.Count(kind => kind == "launch"));
    }

    (Ended Ended, string[] Records) Sweep(string script, string interleaved)
    {
        using var scratch = new Scratch(); // the folder's name is in the records
        string[] flags =
        [
            "--out", "equal",
            "--libraries", "udp,yyy",
            "--delivery", "unreliable",
            "--clients", "1",
            "--parallel", "1",
            "--payload-bytes", "32",
            "--interleaved", interleaved,
            "--rounds", "3",
            "--warmup-seconds", "0",
            "--seconds", "0.2",
            "--repeats", "1",
        ];
        var ended = tree.RunAllIn(scratch.Folder, script, flags);
        string[] WithoutFolder(string[] lines) => [.. lines.Select(line => line.Replace(scratch.Folder, ""))];
        var records = Record.In(scratch.PathOf("equal", "raw.jsonl"));
        var masked = ended with { Out = WithoutFolder(ended.Out), Error = WithoutFolder(ended.Error) };
        return (masked, [.. records.Select(Masked)]);
    }

    static string WithoutFigures(string line)
    {
        var withoutRates = Regex.Replace(line, "(…|:) .* msg/s .*?(  ETA|$)", "$1 figures$2");
        return Regex.Replace(withoutRates, "ETA .*", "ETA");
    }

    // Without what was measured, and without what no two runs share.
    static string Masked(JObject record)
    {
        foreach (var value in record.Descendants().OfType<JValue>().ToArray())
        {
            var isSetting = value.Path.StartsWith("settings.") && !value.Path.EndsWith(".port");
            if (!isSetting && value.Type != JTokenType.String)
                value.Value = null;
            else if (value.Path == "date_utc")
                value.Value = "date";
        }
        var lists = record.Descendants().OfType<JArray>().Where(list => list.Parent?.Path != "deliveries");
        foreach (var list in lists.ToArray())
            list.Clear();
        return record.ToString(Newtonsoft.Json.Formatting.None);
    }

    // Called from within one PowerShell, which takes a second to start, each with words as they are typed there. Its
    // exit code is that of the last call.
    Ended InPowerShell(string folder, params string[] calls)
    {
        var all = calls.Select(words => $"& '{tree.PathOf("scripts", Runner.PowerShell)}' {words}; ");
        var command = $"{string.Concat(all)}exit $LASTEXITCODE";
        using var pwsh = Command.StartIn(folder, [tree.PathVariable], "pwsh", "-NoProfile", "-Command", command);
        return pwsh.Wait(180);
    }

    // Those of a dry run, behind what it tells.
    static string[] CommandsOf(Ended dryRun) => [.. dryRun.WithCode(0).Out.SkipWhile(line => line != "").Skip(1)];

    static string AsBash(string line) => line.Replace(Runner.PowerShell, Runner.Bash);

    // Calls both in a folder, PowerShell's within one PowerShell that is left there, and asserts that they say the same
    // and end alike; their own names apart. Returns what became of each call.
    Ended[] BothIn(string folder, string[][] calls)
    {
        const string Ends = "ends with ";
        var typed = calls.Select(words => string.Join(' ', words.Select(word => $"'{word}'")));
        var told = typed.Select(words => $"{words}; \"{Ends}$LASTEXITCODE in $((Get-Location).Path)\"");
        var started = Task.Run(() => InPowerShell(folder, [.. told]));
        var inBash = Array.ConvertAll(calls, words => tree.RunAllIn(folder, Runner.Bash, words));
        var powerShell = started.GetAwaiter().GetResult();
        var expected = inBash.SelectMany(bash => bash.Out.Append($"{Ends}{bash.ExitCode} in {folder}"));
        Assert.Equal(expected, powerShell.Out.Select(AsBash));
        Assert.Equal(inBash.SelectMany(bash => bash.Error), powerShell.Error.Select(AsBash));
        return inBash;
    }
}
