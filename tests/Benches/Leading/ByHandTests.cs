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

    // Some of three clients. That of two processes all are sent is decided alike in every bench.
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Both_sides_end_on_Ctrl_C(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        string[] flags = ["--port", Bench.FreePort(), "--clients", "3"];
        using var server = Command.StartGroup("dotnet", [Bench.PathOf(bench), "server", .. flags]);
        server.LineWith("\"ready\"");
        int[] firsts = bench == Bench.Model ? [0, 1] : [0];
        string[] words = [Bench.PathOf(bench), "client", "--port", flags[1]];
        var clients = Array.ConvertAll(firsts, first => Command.StartGroup(
            "dotnet",
            [.. words, "--first-client", $"{first}", "--clients", $"{first + 1}", "--rate", $"{RateOf(first)}"]));
        try
        {
            var shares = firsts.Select(first => EndedByCtrlC(clients[first], first)).ToArray();
            server.PressCtrlC();
            var ended = server.Wait().WithCode(0);
            AssertRecords(ended);
            // With the first message of each client, by which it was connected.
            var connecting = firsts.Sum(first => first + 1);
            var received = Record.Sum(Counted.ByHand(ended.Records), "received");
            Assert.Equal(Record.Sum(shares, "sent") + connecting, received);
        }
        finally
        {
            Array.ForEach(clients, client => client.Dispose());
        }
    }

    static int RateOf(int first) => 100 * (first + 1);

    static JObject EndedByCtrlC(Command client, int first)
    {
        AssertSaid(client.SaidWith("messages/s"));
        client.PressCtrlC();
        var records = client.Wait().WithCode(0).Records;
        var echoed = Record.Single(records, "ready")["flags"]!;
        Assert.Equal((first, first + 1), ((int)echoed["first_client"]!, (int)echoed["clients"]!));
        var counted = Counted.ByHand(records);
        Record.AssertAddsUp(counted);
        var due = RateOf(first) * (double)counted["elapsed_ns"]! / 1e9;
        Assert.InRange(Record.Sum(counted, "sent"), RateOf(first) - 2, due + 2);
        return counted;
    }

    /// <summary>Asserts that this is what clients say to a person.</summary>
    internal static void AssertSaid(string line) =>
        Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost [\d,]+$", line);

    /// <summary>Asserts that there is one record behind the first, and that of clients all stands in its window but the
    /// first message of each.</summary>
    internal static void AssertRecords(Ended ended)
    {
        Assert.Equal(["ready", "closed"], ended.Records.Select(Record.KindOf));
        Assert.Empty(ended.Records.SelectMany(Counted.Faults));
        var clients = (int)ended.Records[0]["flags"]!["clients"]!;
        Assert.InRange(Record.Sum(Counted.Other(ended.Records[1]), "sent"), 0, clients);
    }
}
