/// <summary>What a report says of a sweep's preset and packages where these were not what they are called.</summary>
public sealed class ChangedTests : OfReport
{
    const string Changed = "quick, changed: security none,tls; clients 1";

    public ChangedTests()
    {
        MadeUp.Write(scratch.PathOf("results", "sweep"),
        [
            MadeUp.Machine(("changed", new[] { "security none,tls", "clients 1" })),
            MadeUp.Example(
                "info", ("library", "enet"), ("packages_replaced", new[] { "A.B 1.0.1 → 1.0.2", "C 1 → 2" })),
            MadeUp.Example("info"),
            .. MadeUp.Cell("udp", "unreliable", 1, [40_000, 41_000]),
            .. MadeUp.Cell("enet", "unreliable", 1, [4_000, 4_040]),
        ]);
    }

    [Fact]
    public void What_flags_changed_of_a_preset_stands_wherever_the_preset_does()
    {
        var sweep = scratch.PathOf("results", "sweep");
        Tool.Run("render", sweep, "--charts", "none").WithCode(0);
        var page = Pages.In(sweep);
        Assert.Contains(" Changed of the preset: security none,tls; clients 1.  \n", page);
        Assert.Contains($"\n| preset | {Changed} |\n", page);
        Assert.DoesNotContain("\n| changed |", page);
        Assert.EndsWith($", preset {Changed}", Tool.Run("show", sweep, "--width", "200").WithCode(0).Out[0]);
        var export = Tool.Run("export", sweep, "--format", "markdown").WithCode(0).Out;
        Assert.Contains(export, line => line.Contains($"preset {Changed}, suite "));
        Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        Assert.Contains("| quick (changed) |", File.ReadAllText(scratch.PathOf("results", "README.md")));
    }

    [Fact]
    public void Packages_that_NuGet_replaced_stand_below_the_versions()
    {
        var sweep = scratch.PathOf("results", "sweep");
        Tool.Run("render", sweep, "--charts", "none").WithCode(0);
        var page = Pages.In(sweep);
        const string Sentence = "The registry lacked packages below enet, and NuGet took others: "
            + "A.B 1.0.1 → 1.0.2, C 1 → 2.";
        Assert.Contains($"\n{Sentence}\n", page.Split("## Versions")[1].Split("\n## ")[0]);
        Assert.Single(page.Split("The registry lacked packages")[1..]);
    }
}
