using Newtonsoft.Json.Linq;

/// <summary>A bench in two terminals, without anything that leads it.</summary>
public sealed class ByHandTests
{
    // As fast as they can, which is decided alike in every bench; others leave CPU time to other tests.
    [Theory, InlineData("bench-udp", "unreliable"), InlineData("bench-tcp", "reliable-ordered")]
    public void Clients_say_a_line_a_second_and_both_sides_end_in_one_record(string bench, string delivery)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var (server, port) = Bench.StartServer(bench, "--delivery", delivery, "--clients", "2");
        using (server)
        {
            string[] words = ["client", "--port", port, "--delivery", delivery, .. Bench.ByHand];
            var client = Bench.Run(bench, words).WithCode(0);
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

    // Clients that are to send some messages, then those of two machines until Ctrl-C; all of one server, which counts
    // what came from all.
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Clients_send_their_share_and_end_as_they_are_told_and_so_does_the_server(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        string[] flags = ["--port", Bench.FreePort(), "--clients", "3"];
        using var server = Command.StartGroup("dotnet", [Bench.PathOf(bench), "server", .. flags]);
        server.LineWith("\"ready\"");

        var client = Bench.Run(bench, ["client", .. flags, "--parallel", "4", "--messages", "50"]).WithCode(0);
        AssertSaid(client.Sentence());
        AssertRecords(client);
        var first = Counted.ByHand(client.Records);
        Record.AssertAddsUp(first);
        Assert.Equal(150, Record.Sum(first, "sent"));
        if (Bench.DeliveriesOf(bench)[0] != "unreliable")
        {
            Assert.Equal(150, Record.Sum(first, "received"));
        }

        string[] words = [Bench.PathOf(bench), "client", .. flags, "--rate", "300", "--client-machines", "2"];
        using var one = Command.StartGroup("dotnet", [.. words, "--client-machine", "0"]);
        using var two = Command.StartGroup("dotnet", [.. words, "--client-machine", "1"]);
        JObject[] shares = [EndedByCtrlC(one, machine: 0), EndedByCtrlC(two, machine: 1)];
        server.PressCtrlC();
        var ended = server.Wait().WithCode(0);
        AssertRecords(ended);
        var sent = Record.Sum(shares, "sent") + Record.Sum(first, "sent");
        Assert.Equal(sent, Record.Sum(Counted.ByHand(ended.Records), "received"));
    }

    // One client, then two: each sends its part of the rate.
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

    static void AssertSaid(string line) =>
        Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost 0$", line);

    // All stands in the window, but the bytes of what was in flight as it ended.
    static void AssertRecords(Ended ended)
    {
        Assert.Equal(["ready", "closed"], ended.Records.Select(Record.KindOf));
        Assert.Empty(ended.Records.SelectMany(Counted.Faults));
        Assert.Equal(0, Record.Sum(Counted.Other(ended.Records[1]), "sent", "received"));
    }
}
