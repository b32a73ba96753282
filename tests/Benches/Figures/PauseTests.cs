using Newtonsoft.Json.Linq;

/// <summary>A record tells whether its process stood still, its machine slept or the wall clock was set.</summary>
[Collection(Measured.Name)]
public sealed class PauseTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void An_undisturbed_run_has_neither_pause_nor_sleep_nor_clock_jump(string bench, string delivery)
    {
        Measured.Check(bench, delivery, run =>
        {
            Assert.InRange(Record.Sum(run.Window, "pause_ns") / 1e9, 0.000_001, 1); // the report marks more
            AssertAwakeByAnEvenClock(run.Window);
        });
    }

    [Fact]
    public void Clients_that_were_stopped_in_the_window_say_for_how_long()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        using var scratch = new Scratch();
        var outFile = scratch.PathOf("raw.jsonl");
        using var run = Bench.StartMeasuring(Bench.Model, outFile, "--until-stdin-closes");
        Command.Pause(Bench.ChildrenOf(run.Id)["client"], 0.6);
        run.CloseInput();
        run.Wait().AssertNoStackTrace();
        var slices = Record.Slices(Record.In(outFile), "client");
        // On a busy machine it may have been stopped just before the window.
        Assert.InRange(slices.Max(slice => Record.Sum(slice, "pause_ns")) / 1e9, 0.55, 5);
        // A process that stands still is no machine that sleeps.
        AssertAwakeByAnEvenClock(Record.Slice(slices, "client", "window"));
    }

    // A thread that ticks comes by once a tick, and waits for it in between.
    [Fact]
    public void To_wait_for_a_tick_is_no_pause()
    {
        using var pair = new Pair(Bench.Model, "--tick-hz", "4");
        var window = Counted.Window(pair.Measure(1_000).Client);
        Assert.InRange(Record.Sum(window, "passes"), 2, 6);
        // It would be most of the window, and a busy machine may stop a thread for a moment.
        Assert.InRange(Record.Sum(window, "pause_ns"), 0, Record.Sum(window, "elapsed_ns") / 2);
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
