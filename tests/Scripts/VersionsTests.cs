using Newtonsoft.Json.Linq;

/// <summary>A library in several versions and of sources in folders is built, measured and compared by scripts, and
/// what NuGet took is held against what was asked for.</summary>
public sealed class VersionsTests
{
    readonly VersionedTree tree = VersionedTree.Shared;

    [Fact]
    public void Versions_and_a_folder_are_built_apart_measured_in_the_same_rounds_and_compared()
    {
        const string script = Runner.Bash;
        var sources = tree.Sources();
        var results = tree.PathOf("results", script);
        const string Libraries = "made,made@1.0.1,made@1.1.0,made@branch/look-at-Made";
        string[] flags = ["--libraries", Libraries, "--out", results, "--repeats", "1"];
        var sweep = tree.RunAll(script, [.. flags, .. VersionedTree.Quick]);
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
        Tool.Run("compare", "--versions", ofDelay).WithCode(0);
        Assert.Equal($"results: {results}/report.md and report.html", sweep.Out[^1]);
        Assert.Single(tree.RunAll(script, "--resume", results).AfterBuilds().WithCode(0).Out);
    }

    [Fact]
    public void A_version_that_NuGet_resolved_otherwise_is_refused()
    {
        string[] words = ["build", "bench-made", "-c", "Release", "--nologo", "-v", "quiet", "-p:LibraryVersion=1.0.1"];
        // By the tree's own `dotnet`, which does not build again what another test had built.
        using (var build = Command.StartIn(tree.PathOf(), [], tree.PathOf("path", "dotnet"), words))
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
