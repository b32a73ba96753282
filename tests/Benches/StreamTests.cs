using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Numerics;

/// <summary>Streams: one way, as fast as the library takes them, and every message checked where it arrives.</summary>
public sealed class StreamTests
{
    const int Client = 0, Header = 24;

    /// <summary>Every reliable mode with sizes of which some are more than a datagram.</summary>
    public static IEnumerable<TheoryDataRow<string, string, int>> Sizes => Repo.Benches.Where(Bench.IsBuilt)
        .SelectMany(bench => Bench.DeliveriesOf(bench).Where(delivery => delivery != "unreliable")
            .SelectMany(delivery => new[] { 1_200, 65_507, 262_144 }.Select(bytes => new TheoryDataRow<string, string, int>(bench, delivery, bytes))));

    [Theory, MemberData(nameof(Sizes))]
    public void What_was_sent_has_arrived_when_the_clients_rest(string bench, string delivery, int bytes)
    {
        string[] flags = ["--work", "stream", "--delivery", delivery, "--payload-bytes", $"{bytes}", "--clients", "2"];
        var refusal = (string?)Bench.Run(bench, ["info", .. flags]).Records[0]["refusal"];
        var run = Bench.Lead(bench, [.. flags, "--warmup-seconds", "0", "--seconds", "0.3"]);
        if (refusal != null)
        {
            Assert.Equal(refusal, (string?)run.Failure(3)["reason"]);
            return;
        }
        var records = run.WithCode(0).Records;
        var (clients, server) = (Record.Slices(records, "client"), Record.Slices(records, "server"));
        var sent = Record.Sum(clients, "streamed");
        Assert.True(sent > 0);
        Assert.Equal(sent, Record.Sum(server, "streamed"));
        Assert.Equal(sent * bytes, Record.Sum(server, "bytes"));
        Assert.Equal(0, Record.Sum(server, "stream_corrupt", "stream_repeated", "received", "sent"));
        Assert.Equal(0, Record.Sum(clients, "sent", "received", "completed", "lost", "foreign", "duplicates"));
        if (delivery == "reliable-ordered") Assert.Equal(0, Record.Sum(server, "stream_disordered"));
        Assert.All(clients, slice => Assert.Empty(slice["outcomes"]!["rtt_ns"]!));
        // At rest, not later: nothing is left for the end.
        Assert.All(server.Where(slice => (string?)slice["phase"] == "end"), slice => Assert.Equal(0, Record.Sum(slice, "streamed")));
        Assert.True(Record.Sum(Record.Slice(records, "server", "window"), "streamed") > 0);
    }

    [Fact]
    public void A_changed_a_repeated_and_a_disordered_message_are_each_noticed()
    {
        Skip();
        var (server, port) = Bench.StartServer(Bench.Model, "--work", "stream", "--payload-bytes", "100", "--until-stdin-closes");
        using (server)
        using (var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp))
        {
            socket.Connect(IPAddress.Loopback, int.Parse(port));
            // 3 is missing, 5 comes before 4, 2 and 68 are repeated, as is 5 within the last 64, and one of 71 is changed.
            foreach (var sequence in new[] { 1, 2, 2, 5, 4, 68, 68, 5 }) socket.Send(Message(sequence, lane: -1));
            for (var at = 0; at < 100; at += 33) socket.Send(Changed(Message(71, lane: -1), at));
            socket.Send([1, 2, 3]);
            // One behind it is answered, and all before it is counted then.
            socket.Send(Message(1, lane: 0));
            socket.ReceiveTimeout = 10_000;
            var buffer = new byte[1_000];
            Assert.Equal(Message(1, lane: 0), buffer[..socket.Receive(buffer)]);
            server.CloseInput();
            var slice = Record.Single(server.Wait(15).WithCode(0).Records, "slice");
            Assert.Equal((5, 5, 3, 1), (Record.Sum(slice, "streamed"), Record.Sum(slice, "stream_corrupt"), Record.Sum(slice, "stream_repeated"),
                Record.Sum(slice, "stream_disordered")));
            Assert.Equal((500, 0, 0), (Record.Sum(slice, "bytes"), Record.Sum(slice, "received"), Record.Sum(slice, "sent")));
        }
    }

    [Fact]
    public void A_client_of_another_work_is_refused()
    {
        Skip();
        var (server, port) = Bench.StartServer(Bench.Model, "--work", "stream");
        using (server) Assert.Contains("other settings", (string?)Bench.Run(Bench.Model, "client", "--port", port).Failure()["reason"]);
    }

    [Fact]
    public void What_is_no_stream_is_unsupported_in_one_sentence()
    {
        Skip();
        Assert.Contains("--parallel is 1", (string?)Bench.Lead(Bench.Model, "--work", "stream", "--parallel", "2").Failure(3)["reason"]);
        Assert.Contains("65507 bytes", (string?)Bench.Lead(Bench.Model, "--payload-bytes", "65508").Failure(3)["reason"]);
        Assert.Contains("manual", Tool.Lead("manual", "udp", "--work", "stream").WrongUsage());
    }

    [Fact]
    public void A_stream_keeps_to_a_rate()
    {
        Skip();
        var records = Bench.Lead(Bench.Model, "--work", "stream", "--rate", "2000", "--warmup-seconds", "0", "--seconds", "1").WithCode(0).Records;
        var window = Record.Slice(records, "client", "window");
        Assert.InRange(Record.Sum(window, "streamed"), 1.7e-6 * Record.Sum(window, "elapsed_ns"), 2.3e-6 * Record.Sum(window, "elapsed_ns"));
    }

    static void Skip() => Assert.SkipUnless(Bench.IsBuilt(Bench.Model), $"{Bench.Model} is not built.");

    static byte[] Message(int sequence, int lane)
    {
        var message = new byte[100];
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(4), Client);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(8), lane);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(12), sequence);
        for (var at = Header; at < message.Length; at++) message[at] = (byte)at;
        BinaryPrimitives.WriteUInt32LittleEndian(message, message.Skip(4).Aggregate(~0u, BitOperations.Crc32C));
        return message;
    }

    static byte[] Changed(byte[] message, int at)
    {
        message[at] ^= 1;
        return message;
    }
}
