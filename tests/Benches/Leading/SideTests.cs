using Newtonsoft.Json.Linq;

/// <summary>One side on a machine, which the runner of another leads.</summary>
public sealed class SideTests
{
    const double SilentSeconds = 20;

    static readonly string[] hashes = ["library_sha256", "bench_sha256"];

    // Begun before the first of these tests, because it takes long; slow enough to disturb none.
    static readonly Lazy<(Ended Server, Ended Client, bool UntoldLives)> silence = BeginSilence();

    public SideTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    [Fact]
    public void It_does_what_a_bench_does_and_adds_what_its_machine_knows()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        foreach (var side in new[] { server, client })
        {
            Pair.Ask(side, "drain");
        }
        Pair.Ask(client, "start");
        foreach (var side in new[] { server, client })
        {
            side.Type("open");
            side.LineWith("\"begin\"");
        }
        Thread.Sleep(300); // the window
        foreach (var side in new[] { server, client })
        {
            side.Type("close");
            side.LineWith("\"end\"");
        }
        foreach (var side in new[] { client, server })
        {
            Pair.Ask(side, "drain");
            side.CloseInput();
            AssertWhole(side.Wait().WithCode(0));
        }
    }

    // Only where it opens and closes the kernel's counters are read, as of short windows nobody asks for them.
    [Fact]
    public void A_window_that_only_begins_and_ends_has_nothing_of_the_kernel()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        foreach (var command in new[] { "start", "begin", "count", "end" })
        {
            Pair.Ask(client, command);
        }
        var drain = Pair.Ask(client, "drain");
        Assert.IsType<JObject>(drain["window"]);
        Assert.Equal(JTokenType.Null, drain["kernel"]!.Type);
    }

    [Fact]
    public void It_ends_as_its_bench_does_and_takes_it_along()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        client.Type("no such line");
        Assert.Equal(
            "'no such line' is no command: start, begin, end, drain or count.",
            (string?)client.Wait().Failure()["reason"]);
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

    static void AssertWhole(Ended ended)
    {
        Assert.Empty(ended.Error);
        var records = ended.Records;
        var ready = records[0];
        var isClient = (string?)ready["side"] == "client";
        string[] answers = isClient ? ["drain", "start", "begin", "end", "drain"] : ["drain", "begin", "end", "drain"];
        Assert.Equal(["ready", .. answers, "closed"], records.Select(Record.KindOf));
        Assert.All(hashes, hash => Assert.Matches("^[0-9a-f]{64}$", (string?)ready[hash]));
        var drained = records[^2];
        Assert.True(Record.Sum(Counted.Window(drained), "received") > 0);
        // Of the window alone.
        Assert.Empty(Contract.Faults(Assert.IsType<JObject>(drained["kernel"]), "outside"));
        var others = records.Where(record => record != drained);
        Assert.All(others, record => Assert.Null(record["kernel"] as JObject));
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
