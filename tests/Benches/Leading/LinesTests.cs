using Newtonsoft.Json.Linq;

/// <summary>What the lines on stdin do that lead a side.</summary>
public sealed class LinesTests
{
    const int MostWaiting = 8;

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Go_with_a_number_lets_each_client_send_so_many_and_a_server_answers_as_often_as_it_is_told(string bench, string delivery)
    {
        using var pair = new Pair(bench, "--delivery", delivery, "--clients", "3", "--parallel", "4");
        pair.Mark();
        pair.Send(100, answers: 300);
        pair.Mark();
        pair.Send(5, answers: 315); // since the last rest
        pair.Rest();
        AssertCounts(pair.Client, 0, 300, 15);
        // The server's marks come when they come.
        Assert.Equal(315, Record.Sum(Pair.RecordsOf(pair.Server, "slice"), "received"));

        pair.Say(pair.Server, "answer 4");
        pair.Count(pair.Server); // which says that it has read that line
        pair.Send(10, answers: 120);
        pair.Rest();
        var (asked, answered) = (Pair.RecordsOf(pair.Client, "slice")[^1], Pair.RecordsOf(pair.Server, "slice")[^1]);
        Assert.Equal((30, 30, 90), (Record.Sum(asked, "sent"), Record.Sum(asked, "received"), Record.Sum(asked, "duplicates")));
        Assert.Equal((30, 120), (Record.Sum(answered, "received"), Record.Sum(answered, "sent")));

        var (server, client) = pair.End();
        Assert.Empty(server.WithCode(0).Error.Concat(client.WithCode(0).Error));
        foreach (var (side, ended) in new[] { ("server", server), ("client", client) })
        {
            Assert.Equal(["ready", "slice", "slice", "slice", "slice", "slice", "closed"],
                ended.Records.Select(Record.KindOf).Where(kind => kind != "count"));
            Assert.All(ended.Records, record => Assert.Equal(side, (string?)record["side"]));
            Assert.Equal([0, 1, 2, 3, 4], Record.Slices(ended.Records, side).Select(slice => (int)slice["slice"]!));
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Between_two_marks_nothing_is_written_and_the_end_writes_the_slices_that_are_left_and_then_closes(string bench)
    {
        using var pair = new Pair(bench, Bench.Short[..4]);
        pair.GoBetweenMarks();
        (int, int) Written() => (pair.Client.Lines.Length, pair.Server.Lines.Length);
        var written = Written();
        Thread.Sleep(600); // the window
        pair.Mark();
        Assert.Equal(written, Written());
        Command.Until(() => Record.Sum(pair.Count(pair.Client), "completed") > 10, 15);
        var (server, client) = pair.End();
        foreach (var (side, ended) in new[] { ("server", server), ("client", client) })
        {
            Assert.Empty(ended.WithCode(0).Error);
            Assert.Equal([0, 1, 2, 3], Record.Slices(ended.Records, side).Select(slice => (int)slice["slice"]!));
            Assert.Equal("closed", Record.KindOf(ended.Records[^1]));
        }
        var slices = Record.Slices(client.Records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.True(Record.Sum(slices, "received", "received_late") > 10);
        Assert.InRange(Record.Sum(slices, "unanswered"), 0, 4); // in flight in the midst of it, a lane each
        Assert.True(Record.Sum(slices[2], "received") > 0);
        Assert.InRange((double)slices[2]["elapsed_ns"]! / 1e9, 0.3, 10);
    }

    [Fact]
    public void Plain_sockets_allocate_nothing_while_they_send()
    {
        using var pair = new Pair("bench-udp", "--clients", "10", "--parallel", "10");
        pair.Mark();
        pair.Send(10_000, 100_000); // so that all is compiled, if not yet as it will be
        pair.Mark();
        pair.Say(pair.Client, "go");
        Thread.Sleep(1000); // the window
        pair.Mark();
        pair.Rest();
        foreach (var side in new[] { pair.Client, pair.Server })
        {
            var window = Pair.RecordsOf(side, "slice")[2];
            Assert.True(Record.Sum(window, "received") > 1000);
            // .NET hands out and counts memory by 8 KiB a thread; a byte a message would be more.
            Assert.InRange((long)window["allocated_bytes"]!, 0, 64 << 10);
            Assert.Equal(0, (long)window["gc0_count"]!);
        }
    }

    [Fact]
    public void Count_says_at_once_what_there_was_since_the_last_rest()
    {
        using var pair = new Pair(Bench.Model, "--clients", "2");
        pair.Send(50, 100);
        var count = pair.Count(pair.Client);
        string[] known = [.. Contract.Tables["slice"].Concat(Contract.Tables["outcomes"]).Select(field => field.Name)];
        Assert.Empty(count.Properties().Select(field => field.Name).Except(known));
        Assert.Equal((100, 100, 0), (Record.Sum(count, "sent"), Record.Sum(count, "completed"), Record.Sum(count, "lost", "corrupt", "duplicates")));
        pair.Mark(); // which is no rest
        Assert.Equal(100, Record.Sum(pair.Count(pair.Client), "completed"));
        pair.Rest();
        Assert.Equal(0, Record.Sum(pair.Count(pair.Client), "sent", "completed"));
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_side_at_rest_sends_nothing_until_the_next_go(string bench)
    {
        using var pair = new Pair(bench, "--clients", "2", "--parallel", "2", "--rate", "1000");
        pair.Say(pair.Client, "go");
        Command.Until(() => Record.Sum(pair.Count(pair.Client), "completed") > 10, 15);
        pair.Rest();
        Thread.Sleep(200); // in which 200 messages would be due
        pair.Rest();
        pair.Say(pair.Client, "go");
        Command.Until(() => Record.Sum(pair.Count(pair.Client), "completed") > 10, 15);
        pair.Rest();
        var (clients, servers) = (Pair.RecordsOf(pair.Client, "slice"), Pair.RecordsOf(pair.Server, "slice"));
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(clients, "unanswered", "not_sent"));
        foreach (var slices in new[] { clients, servers })
        {
            Assert.Equal(0, Record.Sum(slices[1], "sent", "received"));
            Assert.All([slices[0], slices[2]], slice => Assert.True(Record.Sum(slice, "received") > 0));
        }
    }

    [Fact]
    public void What_an_unreliable_message_waits_for_in_vain_keeps_no_rest_waiting()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        using var pair = new Pair("bench-udp", "--parallel", "3");
        pair.Server.Freeze();
        pair.Say(pair.Client, "go 1");
        Command.Until(() => Record.Sum(pair.Count(pair.Client), "sent") == 1, 15);
        pair.Say(pair.Client, "rest");
        Command.Until(() => Pair.RecordsOf(pair.Client, "slice").Length > 0, 15);
        var slice = Pair.RecordsOf(pair.Client, "slice")[0];
        Record.AssertAddsUp(slice);
        Assert.Equal((1, 1, 0), (Record.Sum(slice, "sent"), Record.Sum(slice, "lost"), Record.Sum(slice, "unanswered")));
    }

    [Fact]
    public void In_a_reliable_mode_a_rest_that_takes_over_5_s_fails_the_side()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        using var pair = new Pair("bench-tcp", "--parallel", "3");
        pair.Mark();
        pair.Server.Freeze();
        pair.Say(pair.Client, "go 1");
        Command.Until(() => Record.Sum(pair.Count(pair.Client), "sent") == 1, 15);
        pair.Say(pair.Client, "rest");
        var ended = pair.Client.Wait(20);
        Assert.Equal("The server stopped answering.", (string?)ended.Failure()["reason"]);
        // What was measured is there, and what became of all.
        var slices = Record.Slices(ended.Records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.Equal((1, 1), (Record.Sum(slices, "sent"), Record.Sum(slices, "unanswered")));
    }

    [Theory, InlineData("client", "window"), InlineData("client", "go x"), InlineData("client", "go 1 2"), InlineData("client", ""),
        InlineData("client", "Mark"), InlineData("server", "answer"), InlineData("server", "mark 2")]
    public void A_line_that_is_none_is_told_in_a_sentence(string side, string line)
    {
        using var pair = new Pair(Bench.Model);
        var command = side == "server" ? pair.Server : pair.Client;
        command.Type(line);
        var ended = command.Wait();
        var error = ended.Failure();
        Assert.Equal(($"'{line}' is no line for a {side}.", side), ((string?)error["reason"], (string?)error["side"]));
        Assert.Empty(Contract.Unknown(error));
        Record.Single(ended.Records, "slice"); // what was measured before
    }

    [Fact]
    public void More_slices_than_can_wait_are_refused_and_those_that_wait_are_written()
    {
        using var pair = new Pair(Bench.Model);
        for (var mark = 0; mark < MostWaiting; mark++) pair.Say(pair.Client, "mark");
        pair.Count(pair.Client); // all is well
        pair.Say(pair.Client, "mark");
        var ended = pair.Client.Wait();
        Assert.Equal("More than 8 slices without a rest.", (string?)ended.Failure()["reason"]);
        AssertNumbered(ended, MostWaiting + 1); // and what there was of one more
    }

    [Fact]
    public void As_many_slices_as_can_wait_are_written_at_the_end_and_the_last_one_too()
    {
        using var pair = new Pair(Bench.Model);
        for (var mark = 0; mark < MostWaiting; mark++) pair.Mark();
        var (server, client) = pair.End();
        foreach (var ended in new[] { server, client })
        {
            Assert.Equal("closed", Record.KindOf(ended.WithCode(0).Records[^1]));
            AssertNumbered(ended, MostWaiting + 1);
        }
    }

    [Fact]
    public void Many_rests_write_as_many_slices_each_with_what_was_sent_in_it()
    {
        using var pair = new Pair(Bench.Model, "--clients", "2");
        for (var rest = 1; rest <= 2 * MostWaiting; rest++)
        {
            pair.Send(rest, 2 * rest);
            pair.Rest();
        }
        AssertCounts(pair.Client, [.. Enumerable.Range(1, 2 * MostWaiting).Select(rest => 2 * rest)]);
        Assert.Equal(Pair.RecordsOf(pair.Client, "slice").Select(slice => slice["sent"]),
            Pair.RecordsOf(pair.Server, "slice").Select(slice => slice["received"]));
    }

    [Fact]
    public void Who_leads_decides_about_Ctrl_C()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
        using var pair = new Pair(Bench.Model);
        foreach (var side in new[] { pair.Client, pair.Server }) side.PressCtrlC();
        pair.Send(5, 5);
        pair.Rest();
        var (server, client) = pair.End();
        Assert.Empty(server.WithCode(0).Error.Concat(client.WithCode(0).Error));
    }

    static void AssertCounts(Command client, params int[] sent)
    {
        var slices = Pair.RecordsOf(client, "slice");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.Equal(sent, slices.Select(slice => (int)slice["sent"]!));
        Assert.Equal(sent.Sum(), Record.Sum(slices, "received", "received_late"));
    }

    static void AssertNumbered(Ended ended, int slices) => Assert.Equal(Enumerable.Range(0, slices),
        ended.Records.Where(record => Record.KindOf(record) == "slice").Select(slice => (int)slice["slice"]!));
}
