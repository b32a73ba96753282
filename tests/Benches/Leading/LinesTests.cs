using System.Reflection;
using Newtonsoft.Json.Linq;

/// <summary>What the commands on stdin do that lead a side, and that nothing that arrives on the measured port can
/// start a program, choose a path or make a server allocate without bound.</summary>
public sealed class LinesTests
{
    // The least that a message can have: its header.
    const int PayloadBytes = 24;

    // Of a server by what strangers send it.
    const long MostGrowthBytes = 100 << 20;

    // One that loses nothing, however busy the machine is.
    const string Tcp = "bench-tcp";

    // Four clients' three messages at a time.
    const int Slots = 12;

    // .NET hands out and counts memory by 8 KiB a thread; what is allocated for each message would be more.
    const long MostAllocatedBytes = 64 << 10;

    const string CannotBegin = "A window that was not drained cannot begin again.";

    static readonly string[] ofTwoServers = ["bench-netcoreserver", "bench-standardnetworklibrary"];

    /// <summary>Every bench with its first delivery mode, whose server is killed, and with its last, which ends in good
    /// order; with all where another mode has another server.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Servers => Bench.WithDeliveries
        .GroupBy(row => row.Data.Item1)
        .SelectMany(rows => rows.Where((_, at) =>
            at == 0 || at == rows.Count() - 1 || ofTwoServers.Contains(rows.Key)));

    // One pair of processes does all of it, one after another: to start them takes longest.
    [Theory, MemberData(nameof(Servers))]
    public void Both_sides_do_as_they_are_told_and_the_server_serves_on_whoever_comes(string bench, string delivery)
    {
        string[] ofAll = ["--delivery", delivery, "--payload-bytes", $"{PayloadBytes}"];
        string[] load = ["--clients", "4", "--parallel", "3"];
        // With room for others, as it may not know at once that some are gone.
        using var pair = new Pair(bench, [.. ofAll, .. load], ofServer: ["--clients", "20"]);
        AssertDrainsHaveAllFieldsAndAWindowWhereThereWasOne(pair);
        AssertEachSendsSoMany(pair, delivery);
        AssertManyWindowsHoldTogether(pair, delivery);
        if (OperatingSystem.IsLinux())
        {
            // Who leads decides about it.
            pair.Server.PressCtrlC();
            pair.Client.PressCtrlC();
        }
        AssertNothingIsSentBetweenADrainAndAStart(pair);
        AssertEachCommandIsAnsweredByOneLine(pair);
        if (OperatingSystem.IsLinux())
        {
            AssertBearsStrangers(pair, bench);
        }
        if (delivery == "reliable-ordered" && Bench.HasTls(bench))
        {
            AssertWhoSpeaksTlsIsTold(pair, bench);
        }
        if (delivery == Bench.DeliveriesOf(bench)[0])
        {
            AssertServesOthersWhereClientsWereKilledAndThenIsKilled(pair, bench, ofAll);
            return;
        }
        AssertTheEndTellsWhatNoDrainHasTold(pair);
    }

    [Theory, InlineData("bench-udp"), InlineData(Tcp)]
    public void Baselines_allocate_nothing_while_they_send(string bench)
    {
        SkipWithout(bench);
        using var pair = new Pair(bench, "--clients", "10", "--parallel", "10");
        pair.Send(2_000, 20_000); // so that all is compiled, if not yet as it will be
        pair.Drain();
        pair.Measure(300);
        foreach (var window in MeasureFull(pair))
        {
            Assert.InRange((long)window["allocated_bytes"]!, 0, MostAllocatedBytes);
        }
    }

    // Of this library, as it allocates nothing itself; by its UDP 112 bytes for each datagram. Now and then a pool
    // does, so the least counts: what is allocated for each message is in every window.
    [Fact]
    public void Callbacks_on_threads_of_the_pool_allocate_nothing_for_a_message()
    {
        const string bench = "bench-netcoreserver";
        SkipWithout(bench);
        using var pair = new Pair(bench, "--delivery", "reliable-ordered", "--clients", "10", "--parallel", "10");
        pair.Send(2_000, 20_000);
        pair.Drain();
        JObject[][] windows = [.. Enumerable.Range(0, 4).Select(_ => MeasureFull(pair))];
        foreach (var side in new[] { 0, 1 })
        {
            Assert.InRange(windows.Min(window => (long)window[side]["allocated_bytes"]!), 0, MostAllocatedBytes);
        }
    }

    // One pair does all of it, one after another.
    [Fact]
    public void Counts_and_the_time_of_windows_are_whole_and_a_drain_in_an_open_window_ends_it_or_is_refused()
    {
        using var pair = new Pair(Bench.Model, Bench.Short[..4]);
        AssertTimeOfWindowsAndBetweenThemIsAllTheTime(pair);
        AssertCountSaysAtOnceWhatThereWasSinceTheLastDrain(pair);
        if (OperatingSystem.IsLinux())
        {
            AssertWhatAnUnreliableMessageWaitsForInVainKeepsNoDrainWaiting(pair);
        }
        AssertDrainInAnOpenWindowEndsItOrIsRefused(pair.Client);
    }

    static void AssertCountSaysAtOnceWhatThereWasSinceTheLastDrain(Pair pair)
    {
        pair.Send(50, 100);
        Assert.Empty(Counted.Faults(pair.Count()));
        long Sum(params string[] fields) => Record.Sum(Counted.PartsOf(pair.Count()), fields);
        Assert.Equal((100, 100), (Sum("sent"), Sum("completed")));
        Assert.Equal(0, Sum("lost", "corrupt", "duplicates"));
        // Neither edge of a window is a drain, and what is of the window counts as well.
        pair.Begin();
        Assert.Equal(100, Sum("completed"));
        pair.Send(5, 110);
        pair.End();
        Assert.Equal((110, 110), (Sum("sent"), Sum("completed")));
        pair.Drain();
        Assert.Equal(0, Sum("sent", "completed"));
    }

    // Of each of two clients one. The server stays frozen: what follows asks the clients alone.
    static void AssertWhatAnUnreliableMessageWaitsForInVainKeepsNoDrainWaiting(Pair pair)
    {
        pair.Server.Freeze();
        pair.Start(1);
        pair.Until("sent", 2);
        var counted = Counted.Other(Pair.Ask(pair.Client, "drain"));
        Record.AssertAddsUp(counted);
        Assert.Equal((2, 2), (Record.Sum(counted, "sent"), Record.Sum(counted, "lost")));
    }

    // One pair of a reliable mode does all of it, one after another.
    [Fact]
    public void A_message_is_of_the_window_in_which_it_was_due_and_a_drain_that_takes_over_12_s_fails_the_side()
    {
        SkipWithoutSignals();
        SkipWithout(Tcp);
        using var pair = new Pair(Tcp, "--parallel", "3");
        AssertWhatWasSentBeforeAWindowIsNotOfItThoughItIsAnsweredInside(pair);
        pair.Drain();
        AssertWhatWasDueInAWindowIsOfItThoughItIsAnsweredLater(pair);
        pair.Drain();
        AssertADrainThatTakesOver12sFailsTheSide(pair);
    }

    static void AssertADrainThatTakesOver12sFailsTheSide(Pair pair)
    {
        pair.Begin();
        pair.Server.Freeze();
        pair.Start(1);
        pair.Until("sent", 1);
        Pair.Ask(pair.Client, "end");
        pair.Client.Type("drain");
        var ended = pair.Client.Wait();
        var error = ended.Failure();
        Assert.Equal("The server stopped answering.", (string?)error["reason"]);
        Assert.Empty(Counted.Faults(error));
        // What was measured is there, and what became of all.
        Assert.All(Counted.PartsOf(error), Record.AssertAddsUp);
        var window = Counted.Window(error);
        Assert.Equal((1, 1), (Record.Sum(window, "sent"), Record.Sum(window, "unanswered")));
        Assert.True((long)window["elapsed_ns"]! > 0);
        Assert.Equal(0, Record.Sum(Counted.Other(error), "sent", "unanswered"));
    }

    // Each ends its side: the clients have one server.
    [Fact]
    public void A_line_that_is_no_command_is_told_in_a_sentence()
    {
        string[] ofClients = ["start x", "start 0", "start 1 2", ""];
        string[] ofServers = ["answer 4", "drain "];
        var (server, port) = Bench.StartServer(Bench.Model, "--until-stdin-closes");
        using (server)
        {
            Assert.All(ofClients, line =>
            {
                using var client = Bench.Start(Bench.Model, "client", "--until-stdin-closes", "--port", port);
                client.LineWith("\"ready\"");
                // One has connected it.
                Pair.Ask(client, "start 3");
                Command.Until(() => Record.Sum(Counted.PartsOf(Pair.Ask(client, "count")), "completed") == 4);
                AssertIsNoCommand(client, "client", line, received: 4);
            });
            AssertIsNoCommand(server, "server", ofServers[0], 4 * ofClients.Length);
        }
        Assert.All(ofServers[1..], line =>
        {
            var (other, _) = Bench.StartServer(Bench.Model, "--until-stdin-closes");
            using (other)
            {
                AssertIsNoCommand(other, "server", line, received: 0);
            }
        });
    }

    // Received: what was counted before.
    static void AssertIsNoCommand(Command command, string side, string line, int received)
    {
        command.Type(line);
        var error = command.Wait().Failure();
        const string Commands = "start, begin, end, drain, count, leave or join";
        Assert.Equal($"'{line}' is no command: {Commands}.", (string?)error["reason"]);
        Assert.Equal(side, (string?)error["side"]);
        Assert.Empty(Counted.Faults(error));
        Assert.Equal(JTokenType.Null, error["window"]!.Type);
        Assert.Equal(received, Record.Sum(Counted.Other(error), "received"));
    }

    [Theory]
    [InlineData(CannotBegin, "begin", "begin")]
    [InlineData(CannotBegin, "begin", "end", "begin")]
    [InlineData("No window is open that could end.", "end")]
    [InlineData("No window is open that could end.", "begin", "end", "end")]
    [InlineData("No window is open that could end.", "begin", "end", "drain", "end")]
    public void A_window_that_cannot_begin_or_end_is_told_in_a_sentence(string sentence, params string[] commands)
    {
        // There is one for all of these, and one of them may have left it open.
        Obey("drain");
        Array.ForEach(commands[..^1], Obey);
        var fault = Assert.Throws<TargetInvocationException>(() => Obey(commands[^1]));
        Assert.Equal(sentence, fault.InnerException!.Message);
    }

    [Fact]
    public void A_side_whose_window_cannot_begin_tells_what_it_counted()
    {
        // Windows of clients are those of a server, which needs nobody else.
        var (server, _) = Bench.StartServer(Bench.Model, "--until-stdin-closes");
        using (server)
        {
            Pair.Ask(server, "begin");
            Pair.Ask(server, "end");
            server.Type("begin");
            var error = server.Wait().Failure();
            Assert.Equal(CannotBegin, (string?)error["reason"]);
            Assert.Empty(Counted.Faults(error));
            Assert.Equal(2, Counted.PartsOf(error).Length);
            Assert.All(Counted.PartsOf(error), part => Assert.True((long)part["elapsed_ns"]! > 0));
        }
    }

    // What the bench does with its window on a command: its own code, which every bench has alike, called in this
    // process.
    static void Obey(string command)
    {
        var window = Assembly.LoadFrom(Bench.PathOf(Bench.Model)).GetType("Window")!;
        void Call(string method, params object[] arguments) => window.GetMethod(method)!.Invoke(null, arguments);
        switch (command)
        {
            case "begin":
                Call("Begin", new Action(() => { }));
                break;
            case "end":
                Call("End");
                break;
            case "drain":
                Call("EndIfOpen");
                Call("Clear");
                break;
        }
    }

    static void AssertDrainInAnOpenWindowEndsItOrIsRefused(Command client)
    {
        Pair.Ask(client, "begin");
        client.Type("drain");
        client.CloseInput();
        var ended = client.Wait();
        var told = ended.Records.Last(record => Record.KindOf(record) is "drain" or "error");
        var window = Counted.Window(told);
        Assert.True((long)window["elapsed_ns"]! > 0, $"{window}");
        Assert.InRange(Record.Sum(window, "compiled_methods", "cpu_user_ns"), 0, long.MaxValue);
    }

    static void AssertTimeOfWindowsAndBetweenThemIsAllTheTime(Pair pair)
    {
        var clock = System.Diagnostics.Stopwatch.StartNew();
        pair.Drain();
        var elapsedNs = 0L;
        for (var window = 0; window < 5; window++)
        {
            elapsedNs += Record.Sum(Counted.PartsOf(pair.Measure(40).Client), "elapsed_ns");
        }
        Assert.InRange(elapsedNs / 1e9, 0.2, clock.Elapsed.TotalSeconds);
    }

    static void AssertWhatWasSentBeforeAWindowIsNotOfItThoughItIsAnsweredInside(Pair pair)
    {
        pair.Server.Freeze();
        pair.Start(1);
        pair.Until("sent", 1);
        Pair.Ask(pair.Client, "begin");
        Thread.Sleep(100);
        pair.Server.Thaw();
        pair.Until("completed", 1);
        Pair.Ask(pair.Client, "end");
        var drain = Pair.Ask(pair.Client, "drain");
        var window = Counted.Window(drain);
        var other = Counted.Other(drain);
        Assert.All(Counted.PartsOf(drain), Record.AssertAddsUp);
        Assert.Equal((0, 1), (Record.Sum(window, "sent"), Record.Sum(window, "completed")));
        Assert.Equal(0, Record.Sum(window, "received"));
        Assert.Equal((1, 1), (Record.Sum(other, "sent"), Record.Sum(other, "received")));
        Assert.Equal(0, Record.Sum(other, "completed"));
        // Its round trip is whole.
        Assert.InRange(Record.Sum(other, "rtt_sum_ns"), 100_000_000, long.MaxValue);
    }

    static void AssertWhatWasDueInAWindowIsOfItThoughItIsAnsweredLater(Pair pair)
    {
        pair.Server.Freeze();
        Pair.Ask(pair.Client, "begin");
        pair.Start(1);
        pair.Until("sent", 1);
        Thread.Sleep(100);
        Pair.Ask(pair.Client, "end");
        Thread.Sleep(100);
        pair.Server.Thaw();
        pair.Until("completed", 1);
        var drain = Pair.Ask(pair.Client, "drain");
        var window = Counted.Window(drain);
        var other = Counted.Other(drain);
        Assert.All(Counted.PartsOf(drain), Record.AssertAddsUp);
        Assert.Equal((1, 1), (Record.Sum(window, "sent"), Record.Sum(window, "received")));
        Assert.Equal(0, Record.Sum(window, "completed"));
        Assert.Equal((0, 1), (Record.Sum(other, "sent"), Record.Sum(other, "completed")));
        Assert.Equal(0, Record.Sum(other, "received"));
        // Until its answer came, and not until the window's end.
        Assert.InRange(Record.Sum(window, "rtt_sum_ns"), 200_000_000, long.MaxValue);
    }

    // The clients' window and the server's, in which so many came that to allocate for each would show. On a busy
    // machine a window may pass with hardly one.
    static JObject[] MeasureFull(Pair pair)
    {
        const int mostTries = 20;
        const int least = 1_000;
        for (var attempt = 0; attempt < mostTries; attempt++)
        {
            var (client, server) = pair.Measure(200);
            JObject[] windows = [Counted.Window(client), Counted.Window(server)];
            if (Array.TrueForAll(windows, window => Record.Sum(window, "received") > least))
            {
                return windows;
            }
        }
        throw new InvalidOperationException($"In none of {mostTries} windows {least} messages came.");
    }

    static void SkipWithoutSignals()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test sends a signal.");
    }

    static void SkipWithout(string bench) => Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");

    static void AssertDrainsHaveAllFieldsAndAWindowWhereThereWasOne(Pair pair)
    {
        var (firstOfClient, firstOfServer) = pair.Drain();
        pair.Start(1);
        pair.Begin();
        pair.End();
        var (secondOfClient, secondOfServer) = pair.Drain();
        foreach (var drain in new[] { firstOfClient, firstOfServer })
        {
            Assert.Equal(JTokenType.Null, drain["window"]!.Type);
            Assert.Single(Counted.PartsOf(drain));
        }
        foreach (var drain in new[] { secondOfClient, secondOfServer })
        {
            Assert.Equal(2, Counted.PartsOf(drain).Length);
        }
        foreach (var drain in new[] { firstOfClient, firstOfServer, secondOfClient, secondOfServer })
        {
            Assert.Empty(Counted.Faults(drain));
        }
        var ofClients = Counted.PartsOf([firstOfClient, secondOfClient]);
        Assert.All(ofClients, part => Assert.IsType<JObject>(part["outcomes"]));
        var ofServers = Counted.PartsOf([firstOfServer, secondOfServer]);
        Assert.All(ofServers, part => Assert.Equal(JTokenType.Null, part["outcomes"]!.Type));
    }

    static void AssertEachSendsSoMany(Pair pair, string delivery)
    {
        pair.Begin();
        pair.Send(100, answers: 400);
        pair.End();
        pair.Send(5, answers: 420);
        AssertCounts(pair.Drain(), delivery, inWindow: 400, atOtherTimes: 20);

        // Fewer than a client has slots, and none in a window.
        pair.Send(2, answers: 8);
        AssertCounts(pair.Drain(), delivery, inWindow: 0, atOtherTimes: 8);
    }

    // Together with all between them they have each message once.
    static void AssertManyWindowsHoldTogether(Pair pair, string delivery)
    {
        const int Windows = 4;
        List<JObject> clients = [];
        List<JObject> servers = [];
        for (var window = 0; window < Windows; window++)
        {
            var (client, server) = pair.Measure(30);
            clients.Add(client);
            servers.Add(server);
        }
        var parts = Counted.PartsOf(clients);
        Assert.Equal(2 * Windows, parts.Length);
        Assert.All(parts, Record.AssertAddsUp);
        // On a busy machine a window of 30 ms may pass without an answer, but not all of them.
        Assert.True(clients.Sum(drain => Record.Sum(Counted.Window(drain), "completed")) > 0);
        var sent = Record.Sum(parts, "sent");
        var lost = Record.Sum(parts, "lost");
        // Of each drain too, as nothing is left in flight for the next.
        foreach (var (client, server) in clients.Zip(servers))
        {
            var (own, others) = (Counted.PartsOf(client), Counted.PartsOf(server));
            Assert.Equal(Record.Sum(own, "received"), Record.Sum(own, "completed"));
            Assert.Equal(0, Record.Sum(own, "unanswered", "corrupt", "foreign"));
            var ofOwn = Record.Sum(own, "sent");
            Assert.InRange(Record.Sum(others, "received"), ofOwn - Record.Sum(own, "lost"), ofOwn);
        }
        if (delivery != "unreliable")
        {
            Assert.Equal((0, sent), (lost, Record.Sum(Counted.PartsOf(servers), "received")));
        }
        Assert.Equal(0, Record.Sum(Counted.PartsOf(pair.Count()), "sent", "completed"));
    }

    // At a rate, too, of which OpenLoopTests has a pair.
    internal static void AssertNothingIsSentBetweenADrainAndAStart(Pair pair)
    {
        pair.Start();
        pair.Until("completed", 11);
        var before = pair.Drain();
        Thread.Sleep(80); // in which tens of messages would be due
        var meanwhile = pair.Drain();
        pair.Start();
        pair.Until("completed", 11);
        var after = pair.Drain();
        var clients = Counted.PartsOf([before.Client, meanwhile.Client, after.Client]);
        var servers = Counted.PartsOf([before.Server, meanwhile.Server, after.Server]);
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(clients, "unanswered", "not_sent"));
        foreach (var parts in new[] { clients, servers })
        {
            Assert.Equal(0, Record.Sum(parts[1], "sent", "received"));
            Assert.True(Record.Sum(parts[0], "received") > 0);
            Assert.True(Record.Sum(parts[2], "received") > 0);
        }
    }

    static void AssertEachCommandIsAnsweredByOneLine(Pair pair)
    {
        string[] commands =
        [
            "start", "begin", "count", "end", "drain", "start 5", "count", "drain", "begin", "end", "count", "drain",
        ];
        var before = (pair.Client.Lines.Length, pair.Server.Lines.Length);
        foreach (var command in commands)
        {
            Pair.Ask(pair.Server, command);
            Pair.Ask(pair.Client, command);
        }
        AssertAnswered(commands, "client", pair.Client.Lines[before.Item1..]);
        AssertAnswered(commands, "server", pair.Server.Lines[before.Item2..]);
    }

    static void AssertAnswered(string[] commands, string side, string[] lines)
    {
        JObject[] answers = [.. lines.Select(Record.Parse)];
        Assert.Equal(commands.Select(command => command.Split(' ')[0]), answers.Select(Record.KindOf));
        Assert.All(answers, answer => Assert.Equal(11, (int)answer["v"]!));
        var telling = answers.Where(answer => Record.KindOf(answer) is "count" or "drain");
        Assert.All(telling, answer => Assert.Equal(side, (string?)answer["side"]));
    }

    static void AssertBearsStrangers(Pair pair, string bench)
    {
        var before = Bench.MostMemoryOf(pair.Server.Id);
        // Where the library cannot help that an empty datagram stops it, the note says so.
        var bearsEmpty = ((string?)Bench.InfoOf(bench)["note"])?.Contains("empty datagram") != true;
        Strangers.Meet(pair.Port, bearsEmpty);
        pair.Drain();
        pair.Start();
        pair.Until("completed", 11);
        pair.Drain();
        Assert.True(Bench.MostMemoryOf(pair.Server.Id) <= before + MostGrowthBytes);
        Assert.Empty(Bench.StartedBy(pair.Server.Id));
    }

    // Its server speaks none.
    static void AssertWhoSpeaksTlsIsTold(Pair pair, string bench)
    {
        string[] flags = ["--port", pair.Port, "--clients", "2", .. MadeCertificate.Trusted];
        var error = Bench.Run(bench, ["client", .. flags]).Failure();
        Assert.Matches("TLS|closed|^Within", (string?)error["reason"]);
    }

    // How the server and other clients bear clients who are gone without a word, and clients a server who is. An end in
    // good order is told: those see it that have another delivery mode.
    static void AssertServesOthersWhereClientsWereKilledAndThenIsKilled(Pair pair, string bench, string[] flags)
    {
        string[] load = ["--port", pair.Port, "--clients", "3", "--parallel", "4"];
        using var others = Bench.Start(bench, ["client", .. flags, .. load, "--until-stdin-closes"]);
        others.LineWith("\"ready\"");
        pair.Start();
        pair.Until("completed", 11);
        Pair.Ask(others, "start");
        long Completed() => Record.Sum(Counted.PartsOf(Pair.Ask(others, "count")), "completed");
        Command.Until(() => Completed() > 10);
        pair.Client.Kill();
        var before = Completed();
        Command.Until(() => Completed() > before + 10);
        pair.Server.Kill();
        Counted.AssertToldWithoutServer(others);
    }

    // Nor is anything written while a window is open.
    static void AssertTheEndTellsWhatNoDrainHasTold(Pair pair)
    {
        pair.Start();
        pair.Begin();
        (int, int) Written() => (pair.Client.Lines.Length, pair.Server.Lines.Length);
        var written = Written();
        Thread.Sleep(80); // the window
        Assert.Equal(written, Written());
        // On a busy machine none may have come back by now. So many more cannot all have been sent before the window.
        pair.Until("completed", Record.Sum(Counted.PartsOf(pair.Count()), "completed") + Slots + 1);
        pair.End();
        var (client, server) = pair.Close();
        foreach (var ended in new[] { client, server })
        {
            Assert.Empty(ended.WithCode(0).Error);
            var closed = Record.Single(ended.Records, "closed");
            Assert.Equal("closed", Record.KindOf(ended.Records[^1]));
            Assert.Equal(11, (int)closed["v"]!);
            Assert.Empty(Counted.Faults(closed));
            Assert.True(Record.Sum(Counted.PartsOf(closed), "received") > 10);
        }
        var parts = Counted.PartsOf(client.Records[^1]);
        Assert.All(parts, Record.AssertAddsUp);
        Assert.InRange(Record.Sum(parts, "unanswered"), 0, Slots); // in flight in the midst of it
        Assert.True(Record.Sum(parts[0], "received") > 0);
        Assert.InRange((double)parts[0]["elapsed_ns"]! / 1e9, 0.06, 30);
    }

    static void AssertCounts(
        (JObject Client, JObject Server) drain, string delivery, int inWindow, int atOtherTimes)
    {
        var parts = Counted.PartsOf(drain.Client);
        Assert.All(parts, Record.AssertAddsUp);
        var window = drain.Client["window"] as JObject;
        Assert.Equal(inWindow, window == null ? 0 : Record.Sum(window, "sent"));
        Assert.Equal(atOtherTimes, Record.Sum(Counted.Other(drain.Client), "sent"));
        var all = inWindow + atOtherTimes;
        var lost = LostOf(parts, delivery);
        Assert.Equal(all - lost, Record.Sum(parts, "received"));
        var ofServer = Counted.PartsOf(drain.Server);
        Assert.InRange(Record.Sum(ofServer, "received"), all - lost, all);
        Assert.Equal(Record.Sum(ofServer, "received"), Record.Sum(ofServer, "sent"));
    }

    // What is unreliable may get lost on a busy machine; ENet drops some itself.
    static long LostOf(JObject[] parts, string delivery)
    {
        var lost = Record.Sum(parts, "lost");
        Assert.True(lost == 0 || delivery == "unreliable");
        return lost;
    }
}
