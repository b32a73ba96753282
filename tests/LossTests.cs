using Newtonsoft.Json.Linq;

/// <summary>What a network does to unreliable messages is counted, exactly, and the run goes on.</summary>
[Collection(Measuring.Name)]
public sealed class LossTests : IClassFixture<LossTests.LossyRun>
{
    /// <summary>One run of plain datagrams through a relay that spoils some of the answers.</summary>
    public sealed class LossyRun
    {
        const string Udp = "bench-udp"; // one datagram a message, so that each can be told

        public LossyRun()
        {
            var (server, port) = Bench.StartServer(Udp);
            using (server)
            using (Relay = new LossyRelay(int.Parse(port)))
            {
                Ended = Bench.Run(Udp, "client", "--port", $"{Relay.Port}", "--clients", "4", "--parallel", "10",
                    "--warmup-seconds", "0.4", "--seconds", "2.5");
                server.Stop();
                Server = Record.Single(server.Wait().Records, "server");
            }
        }

        internal Ended Ended { get; }
        internal LossyRelay Relay { get; }
        public JObject Server { get; }
        public JObject Client => Record.Single(Ended.WithCode(0).Records, "client");
    }

    readonly LossyRun run;
    readonly JObject client;

    public LossTests(LossyRun run) => (this.run, client) = (run, run.Client);

    [Fact]
    public void Every_message_still_ends_in_exactly_one_way() => Record.AssertAddsUp(client);

    [Fact]
    public void Dropped_answers_are_lost_and_so_are_those_that_come_too_late()
    {
        Assert.True(run.Relay.Dropped > 20);
        Assert.Equal(run.Relay.Dropped + run.Relay.Held, Both("lost") + Both("unanswered"));
        Assert.True(Both("lost") > Both("unanswered"));
    }

    [Fact]
    public void Changed_answers_are_corrupt()
    {
        Assert.True(run.Relay.Changed > 5);
        Assert.Equal(run.Relay.Changed, Both("corrupt"));
    }

    [Fact]
    public void Repeated_answers_are_duplicates_and_held_ones_late_arrivals()
    {
        // A message of the last moments may see its second answer after the end.
        Assert.InRange((long)client["duplicates"]!, run.Relay.Repeated - 10, run.Relay.Repeated);
        Assert.InRange((long)client["late_arrivals"]!, 1, run.Relay.Held);
        Assert.Equal(0, (long)client["foreign"]!);
    }

    [Fact]
    public void The_lanes_of_lost_messages_send_again() =>
        // Each of the 40 lanes would be stuck after about eight messages.
        Assert.True(Record.Sum(client, "sent_warmup", "sent_window") > 2 * 40 * 8);

    [Fact]
    public void A_lost_message_has_no_round_trip() =>
        Assert.InRange((long)client["rtt_max_ns"]!, 1, 1_000_000_000);

    [Fact]
    public void The_server_saw_every_message() =>
        Assert.Equal(Record.Sum(client, "sent_warmup", "sent_window"), (long)run.Server["received"]!);

    [Fact]
    public void A_server_without_a_parent_has_no_window() =>
        Assert.All(["received_window", "sent_window", "cost"], field =>
            Assert.Equal(JTokenType.Null, run.Server[field]!.Type));

    long Both(string outcome) => Record.Sum(client, $"{outcome}_warmup", $"{outcome}_window");
}
