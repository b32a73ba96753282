using Newtonsoft.Json.Linq;

/// <summary>What the reliable modes make of a network that spoils datagrams. Those on TCP meet nothing of it.</summary>
[Collection(Measuring.Name)]
public sealed class ReliabilityTests
{
    const int PayloadBytes = 200;

    [Theory, MemberData(nameof(Relayed.Reliable), MemberType = typeof(Relayed))]
    public void Lost_repeated_and_reordered_datagrams_keep_nothing_from_delivery(string bench, string delivery)
    {
        var run = Relayed.First(bench, delivery);
        Assert.Equal(run.IsOnTcp, run.Spoiled == null);
        var counts = run.Spoiled ?? run.Delayed;
        Assert.All(counts.Clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(counts.Clients, "lost", "corrupt", "unanswered", "not_sent"));
        Assert.Equal(0, Record.Sum(counts.Clients, "late_arrivals", "duplicates", "foreign"));
        var due = counts.Due(Relayed.Rate);
        Assert.InRange(Record.Sum(counts.Window, "received"), due - 2, due + 2);
        Assert.Equal(0, Record.Sum(run.Closed.Clients, "sent", "received", "duplicates", "foreign"));
        if (!run.IsOnTcp)
        {
            Assert.InRange(run.Sum(way => way.Dropped), 3, int.MaxValue);
            Assert.InRange(run.Sum(way => way.Repeated), 3, int.MaxValue);
            Assert.InRange(run.Sum(way => way.Overtaken), 3, int.MaxValue);
        }
    }

    // Of one that has no checksum of its own, and over this relay UDP's was right: what counts it is the same in every
    // bench.
    [Fact]
    public void A_library_that_delivers_changed_bytes_fails_its_run()
    {
        const string bench = "bench-litenetlib";
        const string delivery = "reliable-ordered";
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        // In the last half, where it has no headers: a changed header may as well end the connection.
        var changing = new Line(DelayMs: 2)
        {
            Change = 0.05,
            LeastChangedBytes = PayloadBytes,
            ChangedPart = ^(PayloadBytes / 2)..,
        };
        string[] load = ["--payload-bytes", $"{PayloadBytes}", "--rate", "500"];
        var ended = RunThrough(changing, bench, [.. load, "--warmup-seconds", "0", "--seconds", "0.5"]);
        var clients = Record.Slices(ended.Records, "client");
        Assert.All(clients, Record.AssertAddsUp);
        var wrong = Record.Sum(clients, "corrupt", "foreign");
        Assert.InRange(wrong, 1, long.MaxValue);
        Assert.Equal(
            $"{delivery} delivery lost, repeated or changed {wrong} messages.",
            (string?)ended.Failure()["reason"]);
    }

    // The clients of a run are started through taskset: one that shows them to the relay stands for it.
    static Ended RunThrough(Line line, string bench, string[] flags)
    {
        var port = Bench.FreePort();
        using var relay = new Relay(port, line, line);
        using var scratch = new Scratch();
        var script = $"""
            shift 2
            for word do
                shift
                [ "$word" = {port} ] && word={relay.Port}
                set -- "$@" "$word"
            done
            exec "$@"
            """;
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(bench), "--port", port, "--client-cpus", "0", .. flags];
        using var run = scratch.StartWithProgram("taskset", script, "dotnet", words);
        return run.Wait();
    }
}
