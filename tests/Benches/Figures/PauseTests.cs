using Newtonsoft.Json.Linq;

/// <summary>A record tells whether its process stood still, its machine slept or the wall clock was set.</summary>
[Collection(Measuring.Name)]
public sealed class PauseTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void An_undisturbed_run_has_neither_pause_nor_sleep_nor_clock_jump(string bench, string delivery)
    {
        var client = Measured.Of(bench, delivery).Client;
        Assert.InRange((double)client["pause_s"]!, 0.001, 1); // the report marks more
        AssertAwakeByAnEvenClock(client);
    }

    [Fact]
    public void Clients_that_were_stopped_in_the_window_say_for_how_long()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        using var scratch = new Scratch();
        var outFile = scratch.PathOf("raw.jsonl");
        using var run = Bench.Start(Repo.Benches.First(Bench.IsBuilt),
            "run", "--warmup-seconds", "0", "--seconds", "2.5", "--out", outFile);
        Command.Until(() => Record.In(outFile).Any(record =>
            (string?)record["side"] == "client" && (string?)record["phase"] == "window"), 15);
        Command.Pause(Bench.ChildrenOf(run.Id)["client"], 1.5);
        run.Wait().AssertNoStackTrace();
        var client = Record.Single(Record.In(outFile), "client");
        Assert.InRange((double)client["pause_s"]!, 1.2, 2.5);
        AssertAwakeByAnEvenClock(client); // a process that stands still is no machine that sleeps
    }

    static void AssertAwakeByAnEvenClock(JObject client)
    {
        Assert.InRange((double)client["clock_jump_s"]!, -0.5, 0.5);
        if (OperatingSystem.IsLinux()) Assert.NotNull((double?)client["suspended_s"]);
        Assert.InRange((double?)client["suspended_s"] ?? 0, -0.5, 0.5);
    }
}
