/// <summary>The records say for how long collections stopped a side, and how long the longest of them was.</summary>
public sealed class GcTests
{
    const string Model = "bench-http";

    // Each generation 0 then holds 256 KiB, which calls fill again and again.
    static readonly (string, string)[] smallGenerations = [("DOTNET_gcServer", "0"), ("DOTNET_GCgen0size", "40000")];

    [Fact]
    public void The_longest_pause_of_the_window_is_one_of_its_pauses()
    {
        Assert.SkipUnless(Bench.IsBuilt(Model), $"{Model} is not built.");
        using var pair = new Pair(Model, ["--clients", "4", "--parallel", "4"], ofServer: [], smallGenerations);
        pair.Begin();
        pair.Send(2_500, answers: 10_000);
        pair.End();
        var (client, server) = pair.Drain();
        foreach (var window in new[] { Counted.Window(client), Counted.Window(server) })
        {
            var collections = Record.Sum(window, "gc0_count");
            Assert.InRange(collections, 1, double.MaxValue);
            var pauseNs = Record.Sum(window, "gc_pause_ns");
            // The longest is at least their mean, and no longer than all together.
            Assert.InRange(Record.Sum(window, "gc_longest_pause_ns"), pauseNs / collections, pauseNs);
        }
    }
}
