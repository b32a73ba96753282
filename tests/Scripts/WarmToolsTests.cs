/// <summary>What scripts have workers do, where that fails.</summary>
public sealed class WarmToolsTests
{
    // A test that expects a refusal must not take it for one.
    [Fact]
    public void What_no_worker_can_do_is_no_refusal_of_a_tool()
    {
        Assert.SkipWhen(Runner.Missing("bash") != null, "There is no bash here.");
        using var scratch = new Scratch();
        MiniTree.Stub(scratch.Folder, WarmTools.ShellLines);
        const string tool = "runner/bin/Release/runner.dll";
        Directory.CreateDirectory(Path.GetDirectoryName(scratch.PathOf(tool))!);
        File.WriteAllText(scratch.PathOf(tool), "No program.");
        using var asked = Command.StartIn(scratch.Folder, [], scratch.PathOf("dotnet"), tool, "sweep");
        var ended = asked.Wait().WithCode(125);
        Assert.Empty(ended.Out);
        Assert.StartsWith("Unhandled exception: ", ended.Error[0]);
    }
}
