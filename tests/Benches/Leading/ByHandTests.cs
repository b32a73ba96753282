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
            var said = client.Sentence();
            Assert.Matches(@"^[\d,]+ messages/s; so far p50 [\d,]+ µs, p99 [\d,]+ µs, lost 0$", said);
            server.Stop();
            var ended = server.Wait(15).WithCode(0);
            Assert.Empty(ended.Error);
            foreach (var records in new[] { client.Records, ended.Records })
            {
                Assert.Equal(["ready", "closed"], records.Select(Record.KindOf));
                Assert.Empty(records.SelectMany(Counted.Faults));
                // All stands in the window.
                Assert.Equal(0, Record.Sum(Counted.Other(records[1]), "sent", "received", "bytes"));
            }
            var sent = Counted.ByHand(client.Records);
            var came = Counted.ByHand(ended.Records);
            Record.AssertAddsUp(sent);
            Assert.Equal(0, Record.Sum(sent, "received_late", "lost", "corrupt", "unanswered"));
            Assert.Equal(0, Record.Sum(sent, "duplicates", "foreign"));
            Assert.InRange((double)sent["elapsed_ns"]! / 1e9, 0.99, 10);
            Assert.Equal(Record.Sum(sent, "sent"), Record.Sum(came, "received"));
            Assert.Equal(Record.Sum(came, "sent"), Record.Sum(came, "received"));
        }
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Each_client_sends_as_many_messages_as_it_is_told_and_then_they_end(string bench, string delivery)
    {
        var (server, port) = Bench.StartServer(bench, "--delivery", delivery, "--clients", "3");
        using (server)
        {
            string[] flags = ["--port", port, "--delivery", delivery, "--clients", "3", "--parallel", "4"];
            var client = Bench.Run(bench, ["client", .. flags, "--messages", "50"]).WithCode(0);
            client.Sentence();
            var sent = Counted.ByHand(client.Records);
            Record.AssertAddsUp(sent);
            Assert.Equal(150, Record.Sum(sent, "sent"));
            if (delivery != "unreliable")
            {
                Assert.Equal(150, Record.Sum(sent, "received"));
            }
            Assert.Equal(0, Record.Sum(Counted.Other(Record.Single(client.Records, "closed")), "sent"));
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
            Assert.True(Record.Sum(Counted.ByHand(side.Wait().WithCode(0).Records), "received") > 10);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Two_machines_share_the_clients(string bench)
    {
        var (server, port) = Bench.StartServer(bench, "--clients", "3");
        using (server)
        {
            string[] load = ["--clients", "3", "--rate", "300", "--seconds", "1"];
            string[] flags = ["client", "--port", port, .. load, "--client-machines", "2"];
            Command[] sides =
            [
                Bench.Start(bench, [.. flags, "--client-machine", "0"]),
                Bench.Start(bench, [.. flags, "--client-machine", "1"]),
            ];
            var clients = sides.Select(side => side.Wait().WithCode(0).Records).ToArray();
            server.Stop();
            var counted = clients.Select(Counted.ByHand).ToArray();
            var came = Counted.ByHand(server.Wait(15).WithCode(0).Records);
            Assert.Equal(Record.Sum(counted, "sent"), Record.Sum(came, "received"));
            Assert.All(counted, Record.AssertAddsUp);
            for (var machine = 0; machine < 2; machine++)
            {
                var echoed = Record.Single(clients[machine], "ready")["flags"]!;
                Assert.Equal((3, 2), ((int)echoed["clients"]!, (int)echoed["client_machines"]!));
                Assert.Equal(machine, (int)echoed["client_machine"]!);
                // One client, then two: each sends its part of the rate.
                var share = 100 * (machine + 1);
                var due = share * (double)counted[machine]["elapsed_ns"]! / 1e9;
                Assert.InRange(Record.Sum(counted[machine], "sent"), share - 2, due + 2);
            }
        }
    }
}
