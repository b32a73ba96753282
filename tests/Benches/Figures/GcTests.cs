/// <summary>The records say for how long collections stopped a side, and how long the longest of them was.</summary>
[Collection(Measuring.Name)]
public sealed class GcTests
{
    const string Model = "bench-http";

    // Each generation 0 then holds 256 KiB, which a second of calls fills again and again.
    static readonly (string, string)[] smallGenerations = [("DOTNET_gcServer", "0"), ("DOTNET_GCgen0size", "40000")];

    [Fact]
    public void The_longest_pause_of_the_window_is_one_of_its_pauses()
    {
        Assert.SkipUnless(Bench.IsBuilt(Model), $"{Model} is not built.");
        string[] load = ["--clients", "4", "--parallel", "4", "--warmup-seconds", "0", "--seconds", "1"];
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(Model), .. load];
        using var run = Command.StartIn(Repo.Root, smallGenerations, "dotnet", words);
        var records = run.Wait().WithCode(0).Records;
        foreach (var side in new[] { "client", "server" })
        {
            var window = Record.Slice(records, side, "window");
            var collections = Record.Sum(window, "gc0_count");
            Assert.InRange(collections, 1, double.MaxValue);
            var pauseNs = Record.Sum(window, "gc_pause_ns");
            // The longest is at least their mean, and no longer than all together.
            Assert.InRange(Record.Sum(window, "gc_longest_pause_ns"), pauseNs / collections, pauseNs);
        }
    }
}
