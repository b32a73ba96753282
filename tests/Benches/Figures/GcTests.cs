/// <summary>The records say for how long collections stopped a side.</summary>
public sealed class GcTests
{
    const string Model = "bench-http";

    // Each generation 0 then holds 256 KiB, which calls fill again and again.
    static readonly (string, string)[] smallGenerations = [("DOTNET_gcServer", "0"), ("DOTNET_GCgen0size", "40000")];

    [Fact]
    public void Pauses_of_the_window_are_a_part_of_it()
    {
        Assert.SkipUnless(Bench.IsBuilt(Model), $"{Model} is not built.");
        using var pair = new Pair(Model, ["--clients", "4", "--parallel", "4"], ofServer: [], smallGenerations);
        pair.Begin();
        pair.Send(2_500, answers: 10_000);
        pair.End();
        var (client, server) = pair.Drain();
        foreach (var window in new[] { Counted.Window(client), Counted.Window(server) })
        {
            Assert.InRange(Record.Sum(window, "gc_pause_ns"), 1, Record.Sum(window, "elapsed_ns") - 1);
        }
    }
}
