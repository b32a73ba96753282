using Newtonsoft.Json.Linq;

/// <summary>Ctrl-C typed in a terminal, which the runner, its benches and its builds all hear.</summary>
public sealed class TerminalTests : IClassFixture<MiniTree>
{
    const string CtrlC = "\x03";
    const double GoneSeconds = 20;
    const double AtOnceSeconds = 15;

    readonly MiniTree tree;

    public TerminalTests(MiniTree tree)
    {
        Assert.SkipWhen(Runner.Missing("script") != null, "There is no script (util-linux) here.");
        this.tree = tree;
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void Ctrl_C_ends_the_cell_and_renders_what_was_measured(string script)
    {
        var (sweep, folder) = StartMeasuring(script, "once");
        using var _ = sweep;
        sweep.Press(CtrlC);
        sweep.Wait().WithCode(130);
        var window = Assert.Single(Records(folder), MiniTree.IsClientWindow);
        Assert.InRange((long)window["elapsed_ns"]!, 0.1e9, 19e9);
        Assert.Contains("stopped early", Pages.In(folder));
        Assert.Empty(tree.RunningBenches());
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void Ctrl_C_twice_ends_at_once_and_leaves_whole_files(string script)
    {
        var (sweep, folder) = StartMeasuring(script, "twice");
        using var _ = sweep;
        var clock = System.Diagnostics.Stopwatch.StartNew();
        sweep.Press(CtrlC);
        Thread.Sleep(30);
        sweep.Press(CtrlC);
        sweep.Wait().WithCode(130);
        Assert.InRange(clock.Elapsed.TotalSeconds, 0, AtOnceSeconds);
        Command.Until(() => tree.RunningBenches().Length == 0, GoneSeconds);
        Assert.NotEmpty(Records(folder)); // all but a torn last line are whole, or this would throw
        var names = Directory.GetFiles(folder).Select(Path.GetFileName);
        Assert.DoesNotContain(names, name => name!.EndsWith(".new") || name.EndsWith(".tmp"));
        if (File.Exists(Path.Combine(folder, "report.md")))
            Assert.Contains("\n## ", Pages.In(folder));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void Ctrl_C_ends_a_build_and_a_sweep_that_never_began_leaves_nothing(string script)
    {
        var folder = tree.PathOf($"built-{script}");
        using var sweep = tree.StartInTerminal(script, "--libraries", "zzz", "--out", folder);
        sweep.LineWith("building bench-zzz");
        Thread.Sleep(200);
        sweep.Press(CtrlC);
        sweep.Wait().WithCode(130);
        Assert.False(Directory.Exists(folder));
    }

    (Command, string) StartMeasuring(string script, string name)
    {
        var folder = tree.PathOf($"{name}-{script}");
        var sweep = tree.StartInTerminal(
            script,
            [
                "--libraries", "udp",
                "--delivery", "unreliable",
                "--clients", "1",
                "--parallel", "1",
                "--payload-bytes", "32",
                "--rate", "200",
                "--interleaved", "no",
                "--warmup-seconds", "0",
                "--seconds", "20",
                "--repeats", "2",
                "--out", folder,
            ]);
        Bench.UntilItSends(sweep, Path.Combine(folder, "raw.jsonl"));
        return (sweep, folder);
    }

    static JObject[] Records(string folder) => Record.In(Path.Combine(folder, "raw.jsonl"));
}
