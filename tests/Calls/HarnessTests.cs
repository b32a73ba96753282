/// <summary>What the copied files of a bench of calls cost: a bench without any network, whose calls are answered where
/// they are made.</summary>
public sealed class HarnessTests
{
    const string Model = "bench-websocket";

    const string Client = """
        sealed class Client(Settings settings, Load load)
        {
            readonly Queue<Due> begun = [];

            public void Connect()
            {
                for (int index = 0; index < settings.Clients; index++)
                {
                    load.OnOpen(index);
                }
            }

            public void Begin(Due call) => begun.Enqueue(call);

            public void Poll(int microseconds)
            {
                for (int left = begun.Count; left > 0; left--)
                {
                    Due call = begun.Dequeue();
                    (int a, int b) = Calls.Terms(call);
                    load.Begin(load.EndCall(call, Calls.IsRight(call, a + b)));
                }
            }

            public void Close()
            {
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
        // Until nothing was compiled for a while.
        var compiled = -1L;
        Command.Until(() =>
        {
            Thread.Sleep(400);
            var before = compiled;
            compiled = Record.Sum(Counted.PartsOf(Pair.Ask(client, "count")), "compiled_methods");
            return compiled == before;
        });
        Pair.Ask(client, "begin");
        Thread.Sleep(400);
        Pair.Ask(client, "end");
        var window = Counted.Window(Pair.Ask(client, "drain"));
        var received = Record.Sum(window, "received");
        Assert.True(received > 100_000, $"{window}");
        // Threads are given 8 KiB at a time, as the one that reads the commands is.
        Assert.InRange((long)window["allocated_bytes"]!, 0, 20_000);
    }
}
