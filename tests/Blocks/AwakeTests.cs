/// <summary>Spinners keep the CPUs awake while a run measures.</summary>
public sealed class AwakeTests : IDisposable
{
    const string IdleClass = "5"; // SCHED_IDLE

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Theory, InlineData(false), InlineData(true)]
    public void They_are_of_the_idle_class_and_end_with_the_run(bool isKilled)
    {
        using var run = twins.StartMeasuring("--awake", "true");
        // Beside the sides and the guard.
        var spinner = Assert.Single(
            Bench.StartedBy(run.Id).Except(twins.All),
            process => File.ReadAllText($"/proc/{process}/cmdline").Contains("awake"));
        int Spinning() => Directory.GetDirectories($"/proc/{spinner}/task").Count(IsOfIdleClass);
        Command.Until(() => Spinning() == Environment.ProcessorCount);
        if (isKilled)
        {
            run.Kill();
        }
        else
        {
            run.PressCtrlC();
        }
        twins.AssertNoneLeft(spinner);
        if (!isKilled)
        {
            run.Wait().WithCode(130);
            Assert.Contains(twins.Records, record => (bool?)record["settings"]?["awake"] == true);
        }
    }

    // By the 41st field; the second, a name in brackets, may hold spaces.
    static bool IsOfIdleClass(string thread)
    {
        var stat = File.ReadAllText(Path.Combine(thread, "stat"));
        var afterName = stat[(stat.LastIndexOf(')') + 2)..];
        return afterName.Split(' ')[38] == IdleClass;
    }
}
