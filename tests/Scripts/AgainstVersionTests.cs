/// <summary>A library is measured against another version of itself and with a server of another version.</summary>
public sealed class AgainstVersionTests
{
    readonly VersionedTree tree = VersionedTree.Shared;

    [Fact]
    public void Against_another_version_ends_with_which_is_faster()
    {
        var script = VersionedTree.OtherScript;
        var results = tree.PathOf("results", $"against-{script}");
        string[] flags = ["--libraries", "made@1.1.0", "--against", "made@1.0.0", "--repeats", "1"];
        string[] until = ["--until", "50%", "--at-most", "20s"];
        var sweep = tree.RunAll(script, [.. flags, .. until, "--out", results, .. VersionedTree.Quick]).WithCode(0);
        Assert.Matches(@"^made, unreliable: 1\.1\.0 is 0\.\d\d \(0\.\d\d to 0\.\d\d\) times as fast as 1\.0\.0 at "
            + @"2 x 1\.$", sweep.Out[^2]);
        Tool.Run("compare", "--versions", results).WithCode(1);
    }

    [Fact]
    public void Clients_are_measured_with_a_server_of_another_version()
    {
        var results = tree.PathOf("results", "pair");
        string[] flags = ["--libraries", "made", "--server-library", "made@1.1.0", "--repeats", "1", "--out", results];
        var sweep = tree.RunAll(VersionedTree.OtherScript, [.. flags, .. VersionedTree.Brief]).WithCode(0);
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
        var report = Pages.In(results).Replace("\u2060", "");
        Assert.Contains("\n| made@@1.1.0 (client) | 1.0.0 | ", report);
        Assert.Contains("\n| made@@1.1.0 (server) | 1.1.0 | ", report);
        Assert.DoesNotContain(sweep.Out, line => line.Contains(" times as fast as "));
        Assert.Contains(
            "--server-library takes another version of a library that is measured",
            tree.RunAll(Runner.Bash, "--libraries", "made", "--server-library", "made").WithCode(2).Sentence());
    }
}
