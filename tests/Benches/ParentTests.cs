/// <summary>What a parent and its children say to each other through stdin, and the clients that
/// several machines share.</summary>
public sealed class ParentTests : IDisposable
{
    const double SilentSeconds = 20, EndSeconds = 40;

    // Begun before the first of these tests, because it takes long; slow enough to disturb none.
    static readonly Lazy<(Ended Server, Ended Client, bool UntoldLives)> silence = BeginSilence();

    readonly Scratch scratch = new();

    public ParentTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    public void Dispose() => scratch.Dispose();

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_run_whose_stdin_closes_ends_as_on_Ctrl_C(string bench)
    {
        var outFile = scratch.PathOf("raw.jsonl");
        using var run = Bench.StartMeasuring(bench, outFile, "--until-stdin-closes");
        var children = Bench.ChildrenOf(run.Id);
        Assert.Equal(2, children.Count);
        run.Type("what a parent may say");
        Thread.Sleep(300); // so that there is something to write
        Assert.False(run.HasExited);
        run.CloseInput();
        Assert.Empty(run.Wait(EndSeconds).WithCode(130).Error);
        var client = Record.Single(Record.In(outFile), "client");
        Record.AssertAddsUp(client);
        Assert.InRange((double)client["elapsed_s"]!, 0.2, 10);
        Assert.NotNull(Record.Single(Record.In(outFile), "server")["received_window"]);
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Warm_clients_with_a_parent_wait_for_its_word(string bench)
    {
        var (server, port) = Bench.StartServer(bench);
        using (server)
        {
            using var client = Bench.Start(bench, "client", "--until-stdin-closes", "--port", port,
                "--warmup-seconds", "0", "--seconds", "0.3");
            Command.Until(() => client.Lines.Count(line => line.Contains("\"warm\"")) >= 3, 15);
            client.Type("window");
            var records = client.Wait(EndSeconds).WithCode(0).Records;
            var phases = records.Select(record => (string?)record["phase"]).OfType<string>().ToArray();
            Assert.True(Array.LastIndexOf(phases, "warm") < Array.IndexOf(phases, "window"), string.Join(' ', phases));
            var measured = Record.Single(records, "client");
            Assert.InRange((double)measured["elapsed_s"]!, 0.299, 0.301);
            Assert.InRange((double)measured["warmup_s"]!, 0.9, 20);
            Record.AssertAddsUp(measured);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Two_machines_share_the_clients(string bench)
    {
        var (server, port) = Bench.StartServer(bench, "--clients", "3");
        using (server)
        {
            string[] flags = ["--port", port, "--clients", "3", "--rate", "300", "--parallel", "4",
                "--warmup-seconds", "0.2", "--seconds", "1", "--client-machines", "2"];
            Command[] sides = [Bench.Start(bench, ["client", .. flags, "--client-machine", "0"]),
                Bench.Start(bench, ["client", .. flags, "--client-machine", "1"])];
            var clients = sides.Select(side => Record.Single(side.Wait(EndSeconds).WithCode(0).Records, "client"))
                .ToArray();
            server.Stop();
            var received = (long)Record.Single(server.Wait(15).WithCode(0).Records, "server")["received"]!;

            Assert.Equal(clients.Sum(client => Record.Sum(client, "sent_warmup", "sent_window")), received);
            Assert.Equal([0, 1], clients.Select(client => (int)client["settings"]!["client_machine"]!));
            Assert.All(clients, client => Assert.Equal((3, 2),
                ((int)client["settings"]!["clients"]!, (int)client["settings"]!["client_machines"]!)));
            Assert.All(clients, Record.AssertAddsUp);
            // One client, then two: each sends its part of the rate, and on a busy machine arrears too.
            Assert.InRange(Record.Sum(clients[0], "sent_window", "not_sent"), 90, 140);
            Assert.InRange(Record.Sum(clients[1], "sent_window", "not_sent"), 180, 280);
        }
    }

    [Fact]
    public void A_side_that_no_longer_hears_its_parent_ends_and_writes_its_record()
    {
        var (server, client, untoldLives) = silence.Value;
        Assert.Empty(server.WithCode(0).Error.Concat(client.WithCode(0).Error));
        Record.Single(server.Records, "server");
        var measured = Record.Single(client.Records, "client");
        Record.AssertAddsUp(measured);
        Assert.InRange((double)measured["elapsed_s"]!, SilentSeconds - 3, SilentSeconds + 3);
        Assert.True(untoldLives, "A side that was never told that its parent is on another machine ended too.");
    }

    // A server and a client hear "alive" once and then nothing, another server hears nothing.
    static Lazy<(Ended, Ended, bool)> BeginSilence()
    {
        var bench = Repo.Benches.First(Bench.IsBuilt);
        var (server, _) = Bench.StartServer(bench, "--until-stdin-closes");
        var (untold, port) = Bench.StartServer(bench, "--until-stdin-closes");
        var client = Bench.Start(bench, "client", "--until-stdin-closes", "--port", port,
            "--rate", "20", "--warmup-seconds", "0", "--seconds", "-1");
        server.Type("alive");
        client.Type("window\nalive");
        return new(() =>
        {
            using (server)
            using (client)
            using (untold)
                return (server.Wait(EndSeconds), client.Wait(EndSeconds), !untold.HasExited);
        });
    }
}
