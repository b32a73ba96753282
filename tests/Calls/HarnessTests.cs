/// <summary>What the copied files of a bench of calls cost: a bench without any network, whose calls are answered where
/// they are made.</summary>
public sealed class HarnessTests
{
    const string Model = "bench-websocket";

    const string Client = """
        sealed class Client(Settings settings, Load load)
        {
            public void Run()
            {
                for (int client = 0; client < load.Clients; client++)
                {
                    load.AddConnected();
                }
                Greeting.TakeReply(Greeting.Reply, System.Diagnostics.Stopwatch.GetTimestamp(), settings);
                while (load.BeginPass())
                {
                    while (load.TryBegin(out int slot))
                    {
                        bool continues = true;
                        while (continues)
                        {
                            (int a, int b) = Calls.Terms(load, slot);
                            continues = load.End(slot, Calls.IsRight(load, slot, a + b));
                        }
                    }
                }
            }
        }
        """;

    [Fact]
    public void A_call_allocates_nothing()
    {
        using var scratch = new Scratch();
        Repo.Copy(Model, scratch.PathOf(Model));
        File.WriteAllText(scratch.PathOf(Model, "Client.cs"), Client);
        string[] words = ["build", "-c", "Release", "--nologo"];
        using var build = Command.StartIn(scratch.PathOf(Model), [], "dotnet", words);
        build.Wait().WithCode(0);
        var built = scratch.PathOf(Model, "bin", "Release", $"{Model}.dll");
        using var client = Command.Start("dotnet", built, "client", "--until-stdin-closes", "--parallel", "4");
        client.LineWith("\"ready\"");
        Pair.Ask(client, "start");
        // By when all is compiled, if not yet as it will be.
        Command.Until(() => Record.Sum(Pair.Ask(client, "count"), "completed") > 1_000_000);
        Pair.Ask(client, "begin");
        Command.Until(() => Record.Sum(Pair.Ask(client, "count"), "completed") > 2_000_000);
        Pair.Ask(client, "end");
        var window = Counted.Window(Pair.Ask(client, "drain"));
        var received = Record.Sum(window, "received");
        Assert.True(received > 100_000, $"{window}");
        Assert.InRange((double)window["allocated_bytes"]! / received, 0, 0.01);
    }
}
