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

    // FaultTests holds the same of clients that were stopped in their window: that is no machine that sleeps.
    internal static void AssertAwakeByAnEvenClock(JObject window)
    {
        var outside = window["outside"]!;
        Assert.InRange((double)outside["clock_jump_s"]!, -0.5, 0.5);
        var suspended = (double?)outside["suspended_s"];
        Assert.True(suspended != null || !OperatingSystem.IsLinux());
        Assert.InRange(suspended ?? 0, -0.5, 0.5);
    }
}
