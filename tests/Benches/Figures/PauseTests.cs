using Newtonsoft.Json.Linq;

/// <summary>A record tells whether its machine slept or the wall clock was set.</summary>
[Collection(Measured.Name)]
public sealed class PauseTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void An_undisturbed_run_has_neither_sleep_nor_clock_jump(string bench, string delivery)
    {
        Measured.Check(bench, delivery, run => AssertAwakeByAnEvenClock(run.Window));
    }

    [Fact]
    public void Clients_that_were_stopped_in_the_window_are_no_machine_that_sleeps()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        using var scratch = new Scratch();
        var outFile = scratch.PathOf("raw.jsonl");
        using var run = Bench.StartMeasuring(Bench.Model, outFile, "--until-stdin-closes");
        Command.Pause(Bench.ChildrenOf(run.Id)["client"], 0.6);
        run.CloseInput();
        run.Wait().AssertNoStackTrace();
        AssertAwakeByAnEvenClock(Record.Slice(Record.In(outFile), "client", "window"));
    }

    static void AssertAwakeByAnEvenClock(JObject window)
    {
        var outside = window["outside"]!;
        Assert.InRange((double)outside["clock_jump_s"]!, -0.5, 0.5);
        var suspended = (double?)outside["suspended_s"];
        Assert.True(suspended != null || !OperatingSystem.IsLinux());
        Assert.InRange(suspended ?? 0, -0.5, 0.5);
    }
}
