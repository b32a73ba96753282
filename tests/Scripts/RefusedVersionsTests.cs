/// <summary>What cannot be built of a library in several versions, and what is one file under two names, is told in a
/// sentence.</summary>
public sealed class RefusedVersionsTests
{
    readonly VersionedTree tree = VersionedTree.Shared;

    [Fact]
    public void What_cannot_be_built_is_told_with_its_reason_and_the_rest_is_measured()
    {
        var results = tree.PathOf("results", "bad");
        const string Libraries = "made,made@9.9.9,made@2.0.0,made@./other";
        string[] flags = ["--libraries", Libraries, "--out", results, "--repeats", "1"];
        var sweep = tree.RunAll(Runner.Bash, [.. flags, .. VersionedTree.Brief]);
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
    public void The_same_file_under_two_names_is_refused_before_anything_is_measured()
    {
        var script = VersionedTree.OtherScript;
        var results = tree.PathOf("results", $"same-{script}");
        var sweep = tree.RunAll(script, ["--libraries", "made,made@1.0.0", "--out", results, .. VersionedTree.Brief]);
        sweep.WithCode(2);
        Assert.Matches(@"^runner: made and made@1\.0\.0 loaded the same file of version 1\.0\.0 \(SHA-256 "
            + @"[0-9a-f]{12}…\): there is nothing to compare\.$", sweep.Sentence());
        Assert.DoesNotContain(sweep.Out, line => line.StartsWith('['));
        Assert.False(File.Exists(Path.Combine(results, "raw.jsonl")));

        var run = tree.Lead("run", "made/unreliable,made@1.0.0/unreliable", "--clients", "1");
        Assert.Contains("loaded the same file", run.WrongUsage());
    }
}
