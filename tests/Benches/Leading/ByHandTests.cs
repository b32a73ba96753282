using Newtonsoft.Json.Linq;

/// <summary>A bench in two terminals, without anything that leads it.</summary>
public sealed class ByHandTests
{
    // As fast as they can, which is decided alike in every bench.
    [Fact]
    public void Clients_say_a_line_a_second_and_both_sides_end_in_one_record()
    {
        const string bench = "bench-tcp";
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var (server, port) = Bench.StartServer(bench, "--clients", "2");
        using (server)
        {
            var client = Bench.Run(bench, ["client", "--port", port, .. Bench.ByHand]).WithCode(0);
            AssertSaid(client.Sentence());
            server.Stop();
            var ended = server.Wait().WithCode(0);
            Assert.Empty(ended.Error);
            AssertRecords(client);
            AssertRecords(ended);
            var sent = Counted.ByHand(client.Records);
            var came = Counted.ByHand(ended.Records);
            Record.AssertAddsUp(sent);
            Assert.Equal(0, Record.Sum(sent, "lost", "corrupt", "unanswered"));
            // In flight as the window ended, a slot each.
            Assert.InRange(Record.Sum(sent, "received_late"), 0, 4);
            Assert.Equal(0, Record.Sum(sent, "duplicates", "foreign"));
            Assert.InRange((double)sent["elapsed_ns"]! / 1e9, 0.99, 30);
            Assert.Equal(Record.Sum(sent, "sent"), Record.Sum(came, "received"));
            Assert.Equal(Record.Sum(came, "sent"), Record.Sum(came, "received"));
        }
    }

    // A machine's share of the clients, one of three. That of two machines all are sent is decided alike in every
    // bench. Those that are told how many messages to send LinesTests sees end.
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Both_sides_end_on_Ctrl_C(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        string[] flags = ["--port", Bench.FreePort(), "--clients", "3"];
        using var server = Command.StartGroup("dotnet", [Bench.PathOf(bench), "server", .. flags]);
        server.LineWith("\"ready\"");
        int[] machines = bench == Bench.Model ? [0, 1] : [0];
        string[] words = [Bench.PathOf(bench), "client", .. flags, "--rate", "300", "--client-machines", "2"];
        var clients = Array.ConvertAll(
            machines,
            machine => Command.StartGroup("dotnet", [.. words, "--client-machine", $"{machine}"]));
        try
        {
            var shares = machines.Select(machine => EndedByCtrlC(clients[machine], machine)).ToArray();
            server.PressCtrlC();
            var ended = server.Wait().WithCode(0);
            AssertRecords(ended);
            Assert.Equal(Record.Sum(shares, "sent"), Record.Sum(Counted.ByHand(ended.Records), "received"));
        }
        finally
        {
            Array.ForEach(clients, client => client.Dispose());
        }
    }

    // One client, or two: each machine sends its part of the rate.
    static JObject EndedByCtrlC(Command client, int machine)
    {
        AssertSaid(client.SaidWith("messages/s"));
        client.PressCtrlC();
        var records = client.Wait().WithCode(0).Records;
        var echoed = Record.Single(records, "ready")["flags"]!;
        Assert.Equal((3, 2), ((int)echoed["clients"]!, (int)echoed["client_machines"]!));
        Assert.Equal(machine, (int)echoed["client_machine"]!);
        var counted = Counted.ByHand(records);
        Record.AssertAddsUp(counted);
        var share = 100 * (machine + 1);
        var due = share * (double)counted["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(counted, "sent"), share - 2, due + 2);
        return counted;
    }

    /// <summary>Asserts that this is what clients say to a person.</summary>
    internal static void AssertSaid(string line) =>
        Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost [\d,]+$", line);

    /// <summary>Asserts that there is one record behind the first. All stands in its window, but the bytes of what was
    /// in flight as it ended.</summary>
    internal static void AssertRecords(Ended ended)
    {
        Assert.Equal(["ready", "closed"], ended.Records.Select(Record.KindOf));
        Assert.Empty(ended.Records.SelectMany(Counted.Faults));
        Assert.Equal(0, Record.Sum(Counted.Other(ended.Records[1]), "sent", "received"));
    }
}
