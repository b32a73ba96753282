/// <summary>One side on a machine, which the runner of another leads.</summary>
public sealed class SideTests
{
    const double SilentSeconds = 20, EndSeconds = 40;

    // Begun before the first of these tests, because it takes long; slow enough to disturb none.
    static readonly Lazy<(Ended Server, Ended Client, bool UntoldLives)> silence = BeginSilence();

    public SideTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    [Fact]
    public void It_does_what_a_bench_does_and_adds_what_its_machine_knows()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        foreach (var side in new[] { server, client }) side.Type("mark");
        client.Type("go");
        foreach (var side in new[] { server, client }) side.Type("open");
        Thread.Sleep(300); // the window
        foreach (var side in new[] { server, client }) side.Type("close");
        foreach (var side in new[] { client, server })
        {
            side.Type("rest");
            side.LineWith("\"slice\":3");
            side.CloseInput();
            AssertWhole(side.Wait().WithCode(0));
        }
    }

    [Fact]
    public void It_ends_as_its_bench_does_and_takes_it_along()
    {
        using var server = Start("server", "0");
        using var client = Start("client", PortOf(server));
        client.Type("no such line");
        Assert.Equal("'no such line' is no line for a client.", (string?)client.Wait().Failure()["reason"]);
        var bench = Bench.ChildrenOf(server.Id)["server"];
        server.Kill();
        Command.Until(() => !Bench.IsRunning(bench), 10);
    }

    [Fact]
    public void A_side_that_no_longer_hears_its_runner_ends_and_writes_its_records()
    {
        var (server, client, untoldLives) = silence.Value;
        Assert.Empty(server.WithCode(0).Error.Concat(client.WithCode(0).Error));
        Record.Single(server.Records, "closed");
        Record.Single(client.Records, "closed");
        var slices = Record.Slices(client.Records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.InRange((double)slices[^1]["elapsed_ns"]! / 1e9, SilentSeconds - 3, SilentSeconds + 5);
        Assert.True(untoldLives, "A side that was never told that its runner is on another machine ended too.");
    }

    static void AssertWhole(Ended ended)
    {
        Assert.Empty(ended.Error);
        Assert.Equal(["ready", "slice", "slice", "slice", "slice", "slice", "closed"], ended.Records.Select(Record.KindOf));
        var ready = ended.Records[0];
        Assert.All(["library_sha256", "bench_sha256"], hash => Assert.Matches("^[0-9a-f]{64}$", (string?)ready[hash]));
        var slices = ended.Records[1..^1];
        var outside = Assert.IsType<Newtonsoft.Json.Linq.JObject>(slices[2]["outside"]); // of the window alone
        Assert.All(slices.Where(slice => slice != slices[2]), slice => Assert.Null((object?)slice["outside"]!.ToObject<object>()));
        Assert.Empty(Contract.Faults(outside, "outside"));
        Assert.True(Record.Sum(slices[2], "received") > 0);
    }

    // Port 0: a free one, which the runner elsewhere cannot know.
    static Command Start(string verb, string port, params string[] flags)
    {
        var side = Command.Start("dotnet",
            [Tool.LeadPath, "side", Bench.LibraryOf(Bench.Model), verb, "--cpus", "all", "--port", port, .. flags]);
        side.LineWith("\"ready\"");
        return side;
    }

    static string PortOf(Command side) => (string)Record.Parse(side.LineWith("\"ready\""))["flags"]!["port"]!;

    // A server and a client hear "alive" once and then nothing, another server hears nothing.
    static Lazy<(Ended, Ended, bool)> BeginSilence()
    {
        var (server, untold) = (Start("server", "0"), Start("server", "0"));
        var client = Start("client", PortOf(untold), "--rate", "20");
        server.Type("alive");
        client.Type("mark\ngo\nalive");
        return new(() =>
        {
            using (server)
            using (client)
            using (untold)
                return (server.Wait(EndSeconds), client.Wait(EndSeconds), !untold.HasExited);
        });
    }
}
