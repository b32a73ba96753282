using Newtonsoft.Json.Linq;

/// <summary>A library in several versions and of sources in folders is built, measured and compared by both scripts,
/// and what cannot be is told in a sentence.</summary>
public sealed class VersionsTests(VersionedTree tree) : IClassFixture<VersionedTree>
{
    // A launch of a few seconds, in which the delay of 1.1.0 is far over what one launch must differ by.
    static readonly string[] quick =
    [
        "--delivery", "unreliable",
        "--clients", "2",
        "--parallel", "1",
        "--payload-bytes", "32",
        "--warmup-seconds", "0.5",
        "--seconds", "0.2",
        "--rounds", "12",
    ];

    // One in which nothing is compared.
    static readonly string[] brief = [.. quick[..^2], "--rounds", "2"];

    // The other script where it is here; EqualRunnersTests holds that both lead the same commands.
    static string OtherScript => Runner.Missing("pwsh") == null ? Runner.PowerShell : Runner.Bash;

    [Fact]
    public void Versions_and_a_folder_are_built_apart_measured_in_the_same_rounds_and_compared()
    {
        const string script = Runner.Bash;
        var sources = tree.Sources();
        var results = tree.PathOf("results", script);
        const string Libraries = "made,made@1.0.1,made@1.1.0,made@branch/look-at-Made";
        var sweep = tree.RunAll(script, ["--libraries", Libraries, "--out", results, "--repeats", "1", .. quick]);
        sweep.WithCode(0);
        Assert.Equal(sources, tree.Sources());
        Assert.Contains("building bench-made@1.1.0 (3 of 4)", sweep.Out);
        Assert.Contains("building bench-made@look-at-Made (4 of 4)", sweep.Out);
        foreach (var build in new[] { "Release", "Release@1.0.1", "Release@1.1.0", "Release@look-at-Made" })
        {
            Assert.True(File.Exists(tree.PathOf("bench-made", "bin", build, "bench-made.dll")), build);
        }
        var records = Record.In(Path.Combine(results, "raw.jsonl"));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        string[] names = ["made", "made@1.0.1", "made@1.1.0", "made@look-at-Made"];
        var ready = records.Where(record => Record.KindOf(record) == "ready").ToArray();
        Assert.Equal(names, ready.Select(record => (string)record["library"]!).Distinct().Order());
        Assert.Equal(names.Length, ready.Select(record => record["library_sha256"]).Distinct().Count());
        string VersionOf(string name) =>
            (string)ready.First(record => (string?)record["library"] == name)["library_version"]!;
        Assert.Equal(["1.0.0", "1.0.1", "1.1.0"], names[..3].Select(VersionOf));
        // No record has a path.
        Assert.DoesNotContain(records, record => record.ToString().Contains("branch/"));
        Assert.Single(records.Where(record => Record.KindOf(record) == "launch").Select(launch => launch["block"])
            .Distinct());

        var sentences = sweep.Out.Where(line => line.StartsWith("made, ")).ToArray();
        Assert.Equal(3, sentences.Length);
        // Of those that are alike one launch tells no difference; of a delay it does.
        Assert.Matches(
            @"^made, unreliable: made@look-at-Made is [2-9]\.\d\d \(.*\) times as fast as 1\.1\.0 at 2 x 1\.$",
            Assert.Single(sentences, sentence => sentence.Contains("1.1.0")));
        // That copies are alike one launch beside other tests may deny, so they are left out.
        var ofDelay = Directory.CreateDirectory(tree.PathOf("results", "of-delay")).FullName;
        File.WriteAllLines(
            Path.Combine(ofDelay, "raw.jsonl"),
            File.ReadLines(Path.Combine(results, "raw.jsonl"))
                .Where(line => (string?)JObject.Parse(line)["library"] is not ("made" or "made@1.0.1")));
        tree.Report("compare", "--versions", ofDelay).WithCode(0);
        Assert.Equal($"results: {results}/report.md and report.html", sweep.Out[^1]);
        Assert.Single(tree.RunAll(script, "--resume", results).AfterBuilds().WithCode(0).Out);
    }

    [Fact]
    public void Against_another_version_ends_with_which_is_faster()
    {
        var script = OtherScript;
        var results = tree.PathOf("results", $"against-{script}");
        string[] flags = ["--libraries", "made@1.1.0", "--against", "made@1.0.0", "--repeats", "1"];
        string[] until = ["--until", "50%", "--at-most", "20s"];
        var sweep = tree.RunAll(script, [.. flags, .. until, "--out", results, .. quick]).WithCode(0);
        Assert.Matches(@"^made, unreliable: 1\.1\.0 is 0\.\d\d \(0\.\d\d to 0\.\d\d\) times as fast as 1\.0\.0 at "
            + @"2 x 1\.$", sweep.Out[^2]);
        tree.Report("compare", "--versions", results).WithCode(1);
    }

    [Fact]
    public void Clients_are_measured_with_a_server_of_another_version()
    {
        var results = tree.PathOf("results", "pair");
        string[] flags = ["--libraries", "made", "--server-library", "made@1.1.0", "--repeats", "1", "--out", results];
        var sweep = tree.RunAll(OtherScript, [.. flags, .. brief]).WithCode(0);
        Assert.Contains("building bench-made@1.1.0 (2 of 2)", sweep.Out);
        var records = Record.In(Path.Combine(results, "raw.jsonl"));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        string[] Of(string library) => [.. records
            .Where(record => Record.KindOf(record) == "ready" && (string?)record["library"] == library)
            .OrderBy(record => (string?)record["side"])
            .Select(record => $"{record["side"]} {record["library_version"]}")];
        Assert.Equal(["client 1.0.0", "server 1.0.0"], Of("made"));
        Assert.Equal(["client 1.0.0", "server 1.1.0"], Of("made@@1.1.0"));
        Assert.Equal(
            ["made", "made@@1.1.0"],
            records.Where(record => Record.KindOf(record) == "launch").Select(launch => (string?)launch["library"])
                .Order());
        // The one server spins before each answer; a pair is no version that another is held against.
        var report = File.ReadAllText(Path.Combine(results, "report.md")).Replace("\u2060", "");
        Assert.Contains("\n| made@@1.1.0 (client) | 1.0.0 | ", report);
        Assert.Contains("\n| made@@1.1.0 (server) | 1.1.0 | ", report);
        Assert.DoesNotContain(sweep.Out, line => line.Contains(" times as fast as "));
        Assert.Contains(
            "--server-library takes another version of a library that is measured",
            tree.RunAll(Runner.Bash, "--libraries", "made", "--server-library", "made").WithCode(2).Sentence());
    }

    [Fact]
    public void A_percentage_is_of_the_closed_loop_whatever_the_folder_is_called()
    {
        var results = tree.PathOf("results", "rate");
        string[] flags = ["--libraries", "made@branch/look-at-Made", "--rate", "5%", "--repeats", "1"];
        tree.RunAll(Runner.Bash, [.. flags, "--out", results, .. brief]).WithCode(0);
        var launches = Record.In(Path.Combine(results, "raw.jsonl"))
            .Where(record => Record.KindOf(record) == "launch")
            .ToArray();
        Assert.Equal([true, false], launches.Select(launch => (int)launch["settings"]!["rate"]! == 0));
    }

    [Fact]
    public void The_same_file_under_two_names_is_refused_before_anything_is_measured()
    {
        var script = OtherScript;
        var results = tree.PathOf("results", $"same-{script}");
        var sweep = tree.RunAll(script, ["--libraries", "made,made@1.0.0", "--out", results, .. brief]);
        sweep.WithCode(2);
        Assert.Matches(@"^runner: made and made@1\.0\.0 loaded the same file of version 1\.0\.0 \(SHA-256 "
            + @"[0-9a-f]{12}…\): there is nothing to compare\.$", sweep.Sentence());
        Assert.DoesNotContain(sweep.Out, line => line.StartsWith('['));
        Assert.False(File.Exists(Path.Combine(results, "raw.jsonl")));

        var run = tree.Lead("run", "made/unreliable,made@1.0.0/unreliable", "--clients", "1");
        Assert.Contains("loaded the same file", run.WrongUsage());
    }

    [Fact]
    public void What_cannot_be_built_is_told_with_its_reason_and_the_rest_is_measured()
    {
        var results = tree.PathOf("results", "bad");
        const string Libraries = "made,made@9.9.9,made@2.0.0,made@./other";
        var sweep = tree.RunAll(Runner.Bash, ["--libraries", Libraries, "--out", results, "--repeats", "1", .. brief]);
        sweep.WithCode(1).AssertNoStackTrace();
        string Told(string name) => Assert.Single(sweep.Out, line => line.StartsWith($"bench-{name} is "));
        Assert.StartsWith(
            "bench-made@9.9.9 is unavailable: NU1102: Unable to find package Made.Lib with version (= 9.9.9)",
            Told("made@9.9.9"));
        Assert.StartsWith("bench-made@2.0.0 is failed: CS0117: 'Answers' does not contain", Told("made@2.0.0"));
        Assert.StartsWith("bench-made@other is failed: Other.csproj makes the assembly Other, and bench-made is one of "
            + "Made.Lib: CS", Told("made@other"));
        var launch = Assert.Single(
            Record.In(Path.Combine(results, "raw.jsonl")), record => Record.KindOf(record) == "launch");
        Assert.Equal("made", (string?)launch["library"]);
    }

    [Fact]
    public void A_version_that_NuGet_resolved_otherwise_is_refused()
    {
        string[] words = ["build", "bench-made", "-c", "Release", "--nologo", "-v", "quiet", "-p:LibraryVersion=1.0.1"];
        using (var build = Command.StartIn(tree.PathOf(), [], "dotnet", words))
        {
            build.Wait(300).WithCode(0);
        }
        var built = tree.PathOf("bench-made", "bin", "Release@1.0.1");
        var list = Path.Combine(built, "bench-made.deps.json");
        var said = File.ReadAllText(list);
        Assert.Contains("Made.Lib/1.0.1", said);
        string[] ask = ["built", "--library", "made@1.0.1"];
        Assert.Equal("made@1.0.1", (string?)Assert.Single(tree.Lead(ask).WithCode(0).Records)["library"]);
        try
        {
            File.WriteAllText(list, said.Replace("Made.Lib/1.0.1", "Made.Lib/1.1.0"));
            var error = Assert.Single(tree.Lead(ask).WithCode(1).Records);
            Assert.Equal(
                "made@1.0.1: NuGet took Made.Lib 1.1.0 for the 1.0.1 that was asked for.", (string?)error["reason"]);
            var run = tree.Lead("run", "made@1.0.1/unreliable", "--clients", "1").WithCode(1);
            Assert.Contains("NuGet took Made.Lib 1.1.0", run.Sentence());
        }
        finally
        {
            File.WriteAllText(list, said);
        }
    }
}
