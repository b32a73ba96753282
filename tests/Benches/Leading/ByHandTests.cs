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
            Assert.Equal(0, Record.Sum(sent, "duplicates", "foreign"));
            Assert.InRange((double)sent["elapsed_ns"]! / 1e9, 0.99, 30);
            // With the first message of each client, by which it was connected.
            Assert.Equal(Record.Sum(sent, "sent") + 2, Record.Sum(came, "received"));
            Assert.Equal(Record.Sum(came, "sent"), Record.Sum(came, "received"));
        }
    }

    // Of two processes of clients all are sent. What heeds the signal every bench has alike.
    [Fact]
    public void Both_sides_end_on_Ctrl_C()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        string[] flags = ["--port", Bench.FreePort(), "--clients", "3"];
        using var server = Command.StartGroup("dotnet", [Bench.PathOf(Bench.Model), "server", .. flags]);
        server.LineWith("\"ready\"");
        (int First, int Clients, int Rate)[] shares = [(0, 1, 100), (1, 2, 200)];
        var clients = Array.ConvertAll(shares, share => Command.StartGroup(
            "dotnet",
            [Bench.PathOf(Bench.Model), "client", "--port", flags[1], "--first-client", $"{share.First}",
                "--clients", $"{share.Clients}", "--rate", $"{share.Rate}"]));
        try
        {
            var sent = 0L;
            foreach (var (client, share) in clients.Zip(shares))
            {
                var records = AssertEndsOnCtrlC(client, share.Rate);
                var echoed = Record.Single(records, "ready")["flags"]!;
                Assert.Equal((share.First, share.Clients), ((int)echoed["first_client"]!, (int)echoed["clients"]!));
                sent += Record.Sum(Counted.ByHand(records), "sent");
            }
            server.PressCtrlC();
            var ended = server.Wait().WithCode(0);
            AssertRecords(ended);
            // With the first message of each client, by which it was connected.
            var received = Record.Sum(Counted.ByHand(ended.Records), "received");
            Assert.Equal(sent + shares.Sum(share => share.Clients), received);
        }
        finally
        {
            Array.ForEach(clients, client => client.Dispose());
        }
    }

    // That clients by hand who send at a rate end with all that they counted; returns their records.
    static JObject[] AssertEndsOnCtrlC(Command client, int rate)
    {
        AssertSaid(client.SaidWith("messages/s"));
        client.PressCtrlC();
        var ended = client.Wait().WithCode(0);
        AssertRecords(ended);
        var counted = Counted.ByHand(ended.Records);
        Record.AssertAddsUp(counted);
        Assert.Equal(0, Record.Sum(counted, "unanswered"));
        var due = rate * (double)counted["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(counted, "sent"), rate - 2, due + 2);
        return ended.Records;
    }

    // What clients say to a person.
    static void AssertSaid(string line) =>
        Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost [\d,]+$", line);

    // One record behind the first, in whose window all of clients stands but the first message of each.
    static void AssertRecords(Ended ended)
    {
        Assert.Equal(["ready", "closed"], ended.Records.Select(Record.KindOf));
        Assert.Empty(ended.Records.SelectMany(Counted.Faults));
        var clients = (int)ended.Records[0]["flags"]!["clients"]!;
        Assert.InRange(Record.Sum(Counted.Other(ended.Records[1]), "sent"), 0, clients);
    }
}
