/// <summary>A library that logs to stdout breaks nothing: only records are taken for records.</summary>
public sealed class LoudBenchTests : IDisposable
{
    static readonly string[] lines =
        ["connected to nobody", "7", "{\"level\":\"info\"}", "{\"v\":2,\"record\":null}", "{\"v\":2,"];

    readonly Scratch scratch = new();

    public LoudBenchTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Its bench is a script of sh.");
        Assert.SkipUnless(Tool.CanLead && Bench.IsBuilt(Bench.Model), "runner or its bench is not built.");
        Repo.Copy(Path.Combine("runner", "bin", "Release"), scratch.PathOf("runner"));
        Directory.CreateDirectory(scratch.PathOf("bench-loud"));
        File.WriteAllText(scratch.PathOf("bench-loud", "bench-loud.dll"), "");
        var echoes = string.Concat(lines.Select(line => $"echo '{line}'\n"));
        var script = $"{echoes}exec dotnet '{Bench.PathOf(Bench.Model)}' \"$@\"";
        MiniTree.Stub(scratch.PathOf("bench-loud"), script, "bench-loud");
    }

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void A_run_has_its_records_alone_and_people_see_the_other_lines()
    {
        var ended = Run(["run", "loud", .. Bench.Short]).WithCode(0);
        Assert.Single(ended.Records, record => Record.KindOf(record) == "launch");
        Assert.Empty(ended.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        foreach (var side in new[] { "server", "client" })
        {
            var said = ended.Error.Where(line => line.StartsWith($"loud {side}: "));
            Assert.Equal(lines.Select(line => $"loud {side}: {line}"), said);
        }
    }

    [Fact]
    public void What_it_can_do_is_understood()
    {
        var ended = Run("built", "--library", "loud").WithCode(0);
        Assert.Empty(Contract.Faults(Assert.Single(ended.Records), "info"));
        Assert.Equal(lines.Select(line => $"loud info: {line}"), ended.Error);
    }

    Ended Run(params IEnumerable<string> args)
    {
        var path = scratch.PathOf("runner", "runner.dll");
        using var runner = Command.StartIn(scratch.Folder, [], "dotnet", [path, .. args]);
        runner.CloseInput();
        return runner.Wait();
    }
}
