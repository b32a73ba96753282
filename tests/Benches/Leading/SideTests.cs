using Newtonsoft.Json.Linq;

/// <summary>One side on a machine, which the runner of another leads.</summary>
public sealed class SideTests
{
    const double SilentSeconds = 20;

    static readonly string[] hashes = ["library_sha256", "bench_sha256"];

    // Begun before the first of these tests, because it takes long; slow enough to disturb none.
    static readonly Lazy<(Ended Server, Ended Client, bool UntoldLives)> silence = BeginSilence();

    public SideTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    // One of each does all of it, one after another: a side is started by a runner of its own.
    [Fact]
    public void It_does_what_a_bench_does_adds_what_its_machine_knows_and_ends_as_its_bench_does()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        AssertReady(server);
        AssertReady(client);
        AssertWindowHasCounters(server, client);
        AssertWindowThatOnlyBeginsAndEndsHasNone(client);

        client.Type("no such line");
        Assert.Equal(
            "'no such line' is no command: start, begin, end, drain, count, leave or join.",
            (string?)client.Wait().Failure()["reason"]);
        server.CloseInput();
        var ended = server.Wait().WithCode(0);
        Assert.Empty(ended.Error);
        Assert.Equal(["ready", "drain", "begin", "end", "drain", "closed"], ended.Records.Select(Record.KindOf));
        Assert.All(ended.Records.SkipLast(2), record => Assert.Null(record["kernel"] as JObject));
    }

    // Only where it opens and closes the kernel's counters are read, as of short windows nobody asks for them.
    static void AssertWindowThatOnlyBeginsAndEndsHasNone(Command client)
    {
        foreach (var command in new[] { "start", "begin", "count", "end" })
        {
            Pair.Ask(client, command);
        }
        var drain = Pair.Ask(client, "drain");
        Assert.IsType<JObject>(drain["window"]);
        Assert.Equal(JTokenType.Null, drain["kernel"]!.Type);
    }

    [Fact]
    public void A_killed_one_takes_its_bench_along()
    {
        using var server = Start("server", "0");
        var bench = Bench.ChildrenOf(server.Id)["server"];
        server.Kill();
        Command.Until(() => !Bench.IsRunning(bench));
    }

    [Fact]
    public void A_side_that_no_longer_hears_its_runner_ends_and_writes_its_records()
    {
        var (server, client, untoldLives) = silence.Value;
        Assert.Empty(server.WithCode(0).Error.Concat(client.WithCode(0).Error));
        Record.Single(server.Records, "closed");
        var window = Counted.Window(Record.Single(client.Records, "closed"));
        Record.AssertAddsUp(window);
        Assert.InRange((double)window["elapsed_ns"]! / 1e9, SilentSeconds - 3, SilentSeconds + 5);
        Assert.True(untoldLives, "A side that was never told that its runner is on another machine ended too.");
    }

    static void AssertReady(Command side)
    {
        var ready = Record.Parse(side.LineWith("\"ready\""));
        Assert.All(hashes, hash => Assert.Matches("^[0-9a-f]{64}$", (string?)ready[hash]));
    }

    static void AssertWindowHasCounters(Command server, Command client)
    {
        Command[] sides = [server, client];
        Assert.All(sides, side => Assert.Null(Pair.Ask(side, "drain")["kernel"] as JObject));
        Pair.Ask(client, "start");
        foreach (var side in sides)
        {
            side.Type("open");
            side.LineWith("\"begin\"");
        }
        // Some have come before, too.
        long Completed() => Record.Sum(Counted.PartsOf(Pair.Ask(client, "count")), "completed");
        var before = Completed();
        Command.Until(() => Completed() > before + 100);
        foreach (var side in sides)
        {
            side.Type("close");
            side.LineWith("\"end\"");
        }
        foreach (var side in sides.Reverse())
        {
            var drained = Pair.Ask(side, "drain");
            Assert.True(Record.Sum(Counted.Window(drained), "received") > 0);
            // Of the window alone.
            Assert.Empty(Contract.Faults(Assert.IsType<JObject>(drained["kernel"]), "outside"));
        }
    }

    // Port 0: a free one, which the runner elsewhere cannot know.
    static Command Start(string verb, string port, params string[] flags)
    {
        string[] words = [Tool.LeadPath, "side", Bench.LibraryOf(Bench.Model), verb, "--cpus", "all", "--port", port];
        var side = Command.Start("dotnet", [.. words, .. flags]);
        side.LineWith("\"ready\"");
        return side;
    }

    static string PortOf(Command side) => (string)Record.Parse(side.LineWith("\"ready\""))["flags"]!["port"]!;

    // A server and a client hear "alive" once and then nothing, another server hears nothing.
    static Lazy<(Ended, Ended, bool)> BeginSilence()
    {
        var server = Start("server", "0");
        var untold = Start("server", "0");
        var client = Start("client", PortOf(untold), "--rate", "20");
        server.Type("alive");
        client.Type("begin\nstart\nalive");
        return new(() =>
        {
            using (server)
            using (client)
            using (untold)
            {
                return (server.Wait(), client.Wait(), !untold.HasExited);
            }
        });
    }
}
