using System.Net;
using System.Net.Sockets;
using System.Text;

/// <summary>Plain UDP's profile tuned: several datagrams go and come in one call, on loopback as one train, and all of
/// them are accounted for.</summary>
public sealed class TrainsTests
{
    const string Udp = "bench-udp";
    const int Slots = 60;
    const int MessageBytes = 32;
    const int OfUdp = 17;
    const int TrainSent = 103;
    const int TrainReceived = 104;

    public TrainsTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux alone has such calls.");
        Assert.SkipUnless(Bench.IsBuilt(Udp), $"{Udp} is not built.");
    }

    [Theory, InlineData("default"), InlineData("tuned")]
    public void A_tuned_server_sends_together_what_came_together(string profile)
    {
        var (server, port) = Bench.StartServer(Udp, "--profile", profile, "--parallel", $"{Slots}");
        using (server)
        {
            using var socket = NewSocket();
            socket.Connect(IPAddress.Loopback, int.Parse(port));
            var sent = new byte[Slots * MessageBytes];
            new Random(1).NextBytes(sent);
            SendAsTrain(socket, sent);
            Assert.Equal(sent, ReceiveAll(socket, sent.Length, profile));
            // One of another length goes alone.
            socket.Send(sent, 5, SocketFlags.None);
            var came = new byte[MessageBytes];
            Assert.Equal(5, socket.Receive(came));
            server.Stop();
            var counted = Counted.ByHand(server.Wait().WithCode(0).Records);
            Assert.Equal((Slots + 1, Slots + 1), (Record.Sum(counted, "received"), Record.Sum(counted, "sent")));
            Assert.Equal(sent.Length + 5, Record.Sum(counted, "bytes"));
        }
    }

    [Theory, InlineData("default"), InlineData("tuned")]
    public void A_tuned_client_sends_together_what_is_free_together(string profile)
    {
        using var socket = NewSocket();
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        string[] flags = ["--port", $"{port}", "--profile", profile, "--parallel", $"{Slots}"];
        using var client = Bench.Start(Udp, ["client", .. flags, "--until-stdin-closes"]);
        // Its greeting says what the server's is to say.
        var greeting = new byte[1_000];
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        var length = socket.ReceiveFrom(greeting, ref from);
        socket.Connect(from);
        socket.Send(Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(greeting, 0, length).Replace("client", "server")));
        client.LineWith("\"ready\"");
        // It may have greeted again before it had the answer.
        while (socket.Available > 0)
        {
            socket.Receive(greeting);
        }
        const int rounds = 3;
        Pair.Ask(client, $"start {rounds * Slots}");
        byte[] messages = [];
        for (var round = 0; round < rounds; round++)
        {
            messages = ReceiveAll(socket, Slots * MessageBytes, profile);
            if (round + 1 < rounds)
            {
                SendAsTrain(socket, messages);
            }
        }
        // The last of a train is shorter, and none of the client's.
        SendAsTrain(socket, [.. messages, 1, 2, 3]);
        Command.Until(() => Record.Sum(Pair.Ask(client, "count"), "completed") == rounds * Slots);
        var counted = Counted.Other(Pair.Ask(client, "drain"));
        Record.AssertAddsUp(counted);
        Assert.Equal(rounds * Slots, Record.Sum(counted, "sent"));
        Assert.Equal(1, Record.Sum(counted, "foreign"));
        Assert.Equal(0, Record.Sum(counted, "corrupt", "lost", "duplicates"));
    }

    // One with more in flight than a train takes, one with few messages a train, and one with more in a room than a
    // call takes.
    [Theory]
    [InlineData("--work echo --clients 3 --parallel 200")]
    [InlineData("--work echo --clients 10 --parallel 2 --payload-bytes 20000")]
    [InlineData("--work broadcast --clients 70")]
    public void Nothing_is_lost_or_allocated(string load)
    {
        using var pair = new Pair(Udp, ["--profile", "tuned", .. load.Split(' ')]);
        pair.Start();
        pair.Until("completed", 5_000);
        pair.Drain();
        var (client, server) = pair.Measure(300);
        var clients = Counted.PartsOf(client);
        var servers = Counted.PartsOf(server);
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal(Record.Sum(clients, "sent"), Record.Sum(servers, "received"));
        Assert.Equal(Record.Sum(clients, "deliveries_due"), Record.Sum(clients, "deliveries"));
        Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "lost", "duplicates", "deliveries_repeated"));
        // The least that .NET allocates for anything is 24 bytes.
        foreach (var window in new[] { Counted.Window(client), Counted.Window(server) })
        {
            var messages = Record.Sum(window, "received") + Record.Sum(window, "sent");
            Assert.True(messages > 500);
            Assert.InRange((double)window["allocated_bytes"]! / messages, 0, 8);
        }
    }

    [Fact]
    public void A_tuned_game_sends_each_player_its_snapshots()
    {
        string[] load = ["--work", "game", "--clients", "70", "--rate", "2000", "--tick-hz", "50"];
        using var pair = new Pair(Udp, ["--profile", "tuned", .. load, "--payload-bytes", "48"]);
        var clients = Counted.PartsOf(pair.Measure(400).Client);
        Assert.All(clients, Record.AssertAddsUp);
        Assert.True(Record.Sum(clients, "deliveries") > 500);
        Assert.Equal(0, Record.Sum(clients, "lost", "deliveries_missing", "deliveries_corrupt", "foreign"));
    }

    // What the kernel drops of a stream that comes faster than the server takes it, no side can know.
    [Fact]
    public void A_tuned_stream_at_a_rate_comes_whole()
    {
        string[] load = ["--work", "stream", "--clients", "3", "--rate", "5000", "--payload-bytes", "100"];
        using var pair = new Pair(Udp, ["--profile", "tuned", .. load]);
        var (client, server) = pair.Measure(300);
        var servers = Counted.PartsOf(server);
        Assert.True(Record.Sum(servers, "streamed") > 500);
        Assert.Equal(Record.Sum(Counted.PartsOf(client), "streamed"), Record.Sum(servers, "streamed"));
        Assert.Equal(0, Record.Sum(servers, "stream_corrupt", "stream_repeated", "stream_disordered"));
    }

    [Fact]
    public void A_tuned_client_that_nobody_answers_says_that_the_server_does_not_listen()
    {
        var port = Bench.FreePort();
        var said = new[] { "default", "tuned" }.Select(profile =>
            (string?)Bench.Run(Udp, "client", "--port", port, "--profile", profile).Failure()["reason"]).ToArray();
        Assert.Contains("does not listen", said[0]);
        Assert.Equal(said[0], said[1]);
    }

    [Fact]
    public void A_tuned_server_serves_on_whoever_comes()
    {
        using var pair = new Pair(Udp, "--profile", "tuned", "--parallel", "10");
        Strangers.Meet(pair.Port, withEmptyDatagram: true);
        pair.Start();
        pair.Until("completed", 1_000);
        var (client, _) = pair.Drain();
        Record.AssertAddsUp(Counted.Other(client));
        pair.Close();
    }

    static Socket NewSocket()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = 10_000,
        };
        try
        {
            SendTrainsOf(0, socket);
            socket.SetRawSocketOption(OfUdp, TrainReceived, BitConverter.GetBytes(1));
        }
        catch (SocketException)
        {
            socket.Dispose();
            Assert.Skip("This kernel has no trains of datagrams.");
        }
        return socket;
    }

    // The kernel makes datagrams of it.
    static void SendAsTrain(Socket socket, byte[] messages)
    {
        SendTrainsOf(MessageBytes, socket);
        Assert.Equal(messages.Length, socket.Send(messages));
        SendTrainsOf(0, socket);
    }

    // 0: none.
    static void SendTrainsOf(int bytes, Socket socket) =>
        socket.SetRawSocketOption(OfUdp, TrainSent, BitConverter.GetBytes(bytes));

    // By default each comes for itself.
    static byte[] ReceiveAll(Socket socket, int bytes, string profile)
    {
        List<byte> all = [];
        var came = new byte[1 << 16];
        var receives = 0;
        while (all.Count < bytes)
        {
            all.AddRange(came[..socket.Receive(came)]);
            receives++;
        }
        Assert.Equal(profile == "tuned" ? 1 : Slots, receives);
        return [.. all];
    }
}
