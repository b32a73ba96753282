/// <summary>A bench in two terminals, without anything that leads it.</summary>
public sealed class ByHandTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Clients_say_a_line_a_second_and_both_sides_end_in_one_record(string bench, string delivery)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        // One as fast as it can; others leave CPU time to other tests.
        string[] flags = bench == Bench.Model ? Bench.ByHand : [.. Bench.ByHand, "--rate", "2000"];
        var (server, port) = Bench.StartServer(bench, "--delivery", delivery, "--clients", "2");
        using (server)
        {
            var client = Bench.Run(bench, ["client", "--port", port, "--delivery", delivery, .. flags]).WithCode(0);
            Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost 0$", client.Sentence());
            server.Stop();
            var ended = server.Wait(15).WithCode(0);
            Assert.Empty(ended.Error);
            foreach (var records in new[] { client.Records, ended.Records })
            {
                Assert.Equal(["ready", "slice"], records.Select(Record.KindOf));
                Assert.Empty(records.SelectMany(Contract.Unknown));
            }
            Record.AssertAddsUp(client.Records[1]);
            Assert.Equal(0, Record.Sum(client.Records[1], "received_late", "lost", "corrupt", "unanswered", "duplicates", "foreign"));
            Assert.InRange((double)client.Records[1]["elapsed_ns"]! / 1e9, 0.99, 10);
            Assert.Equal(Record.Sum(client.Records[1], "sent"), Record.Sum(ended.Records[1], "received"));
            Assert.Equal(Record.Sum(ended.Records[1], "sent"), Record.Sum(ended.Records[1], "received"));
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Ctrl_C_ends_clients_and_server_with_their_records(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        var port = Bench.FreePort();
        string[] flags = ["--port", port, "--clients", "2", "--rate", "100"];
        using var server = Command.StartGroup("dotnet", [Bench.PathOf(bench), "server", .. flags]);
        server.LineWith("\"ready\"");
        using var client = Command.StartGroup("dotnet", [Bench.PathOf(bench), "client", .. flags]);
        client.SaidWith("messages/s", 20);
        foreach (var side in new[] { client, server })
        {
            side.PressCtrlC();
            var slice = Record.Single(side.Wait().WithCode(0).Records, "slice");
            Assert.True(Record.Sum(slice, "received") > 10);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Two_machines_share_the_clients(string bench)
    {
        var (server, port) = Bench.StartServer(bench, "--clients", "3");
        using (server)
        {
            string[] flags = ["--port", port, "--clients", "3", "--rate", "300", "--seconds", "1", "--client-machines", "2"];
            Command[] sides = [Bench.Start(bench, ["client", .. flags, "--client-machine", "0"]),
                Bench.Start(bench, ["client", .. flags, "--client-machine", "1"])];
            var clients = sides.Select(side => side.Wait().WithCode(0).Records).ToArray();
            server.Stop();
            var slices = clients.Select(records => Record.Single(records, "slice")).ToArray();
            Assert.Equal(Record.Sum(slices, "sent"), Record.Sum(Record.Single(server.Wait(15).WithCode(0).Records, "slice"), "received"));
            Assert.All(slices, Record.AssertAddsUp);
            var echoed = clients.Select(records => Record.Single(records, "ready")["flags"]!);
            Assert.Equal([(3, 2, 0), (3, 2, 1)], echoed.Select(echo =>
                ((int)echo["clients"]!, (int)echo["client_machines"]!, (int)echo["client_machine"]!)));
            // One client, then two: each sends its part of the rate.
            foreach (var (slice, share) in slices.Zip([100, 200]))
            {
                var due = share * (double)slice["elapsed_ns"]! / 1e9;
                Assert.InRange(Record.Sum(slice, "sent"), share - 2, due + 2);
            }
        }
    }
}
