/// <summary>What the copied files of a bench of calls cost: a bench without any network, whose calls are answered where they are made.</summary>
[Collection(Measuring.Name)]
public sealed class HarnessTests
{
    const string Client = """
        sealed class Client(Settings settings, Load load)
        {
            public void Run()
            {
                load.Connected = settings.OwnClients;
                Load.OnFirst(Load.AnswerTo(Load.First.Name)!, System.Diagnostics.Stopwatch.GetTimestamp());
                while (load.Continues())
                    while (load.TryNext(out var lane))
                        while (load.Terms(lane) is var (a, b) && load.OnSum(lane, a + b)) ;
            }
        }
        """;

    [Fact]
    public void A_rate_is_kept()
    {
        var window = Record.Slice(Bench.Lead("bench-websocket", "--rate", "500", "--clients", "3", "--warmup-seconds", "0.5", "--seconds", "1").WithCode(0).Records,
            "client", "window");
        var due = 500 * (double)window["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(window, "sent"), due - 5, due + 5);
        Assert.Equal(0, Record.Sum(window, "not_sent"));
    }

    [Fact]
    public void A_call_allocates_nothing()
    {
        using var scratch = new Scratch();
        const string model = "bench-websocket";
        Repo.Copy(model, scratch.PathOf(model));
        File.WriteAllText(scratch.PathOf(model, "Client.cs"), Client);
        using var build = Command.StartIn(scratch.PathOf(model), [], "dotnet", "build", "-c", "Release", "--nologo");
        build.Wait(120).WithCode(0);
        using var client = Command.Start("dotnet", scratch.PathOf(model, "bin", "Release", $"{model}.dll"), "client", "--until-stdin-closes", "--parallel", "4");
        client.LineWith("\"ready\"");
        foreach (var line in new[] { "mark", "go" }) client.Type(line);
        Thread.Sleep(1_500); // until all is compiled
        client.Type("mark");
        Thread.Sleep(500);
        client.Type("mark");
        client.Type("rest");
        client.CloseInput();
        var slice = Record.Slices(client.Wait().WithCode(0).Records, "client")[2];
        Assert.True(Record.Sum(slice, "received") > 100_000, slice.ToString());
        Assert.InRange((double)slice["allocated_bytes"]! / Record.Sum(slice, "received"), 0, 0.01);
    }
}
