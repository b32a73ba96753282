using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Numerics;

/// <summary>Streams: one way, as fast as the library takes them, and every message checked where it arrives.</summary>
public sealed class StreamTests
{
    const int Client = 0;
    const int HeaderBytes = 24;
    // In place of a slot.
    const int OfStream = -1;

    static readonly int[] sizes = [1_200, 65_507, 262_144];

    // Of each size a block of all benches, and those that have TLS with it as well.
    static readonly Dictionary<int, Lazy<LedBlock>> blocks =
        sizes.ToDictionary(bytes => bytes, bytes => new Lazy<LedBlock>(() => Measure(bytes)));

    /// <summary>Every reliable mode with sizes of which some are more than a datagram.</summary>
    public static IEnumerable<TheoryDataRow<string, string, int, string>> Sizes =>
        from member in Members
        from bytes in sizes
        select new TheoryDataRow<string, string, int, string>(member.Bench, member.Delivery, bytes, member.Security);

    static IEnumerable<LedBlock.Member> Members
    {
        get
        {
            var plain =
                from row in Bench.WithReliableDeliveries
                where row.Skip == null
                select new LedBlock.Member(row.Data.Item1, row.Data.Item2);
            var overTls = Repo.Benches.Where(Bench.IsBuilt).Where(Bench.HasTls).Select(Measured.MemberOverTls);
            return plain.Concat(overTls);
        }
    }

    [Theory, MemberData(nameof(Sizes))]
    public void What_was_sent_has_arrived_when_the_clients_are_drained(
        string bench, string delivery, int bytes, string security)
    {
        var member = new LedBlock.Member(bench, delivery, Security: security);
        var block = blocks[bytes].Value;
        string[] words = ["--delivery", delivery, "--security", security];
        string[] flags = ["--work", "stream", .. words, "--payload-bytes", $"{bytes}", "--clients", "2"];
        if (block.RefusalOf(member) is { } refusal)
        {
            Assert.Equal(refusal, (string?)Bench.Run(bench, ["info", .. flags]).Records[0]["refusal"]);
            return;
        }
        var records = block.Launched(member);
        var clients = Record.Slices(records, "client");
        var server = Record.Slices(records, "server");
        var sent = Record.Sum(clients, "streamed");
        Assert.True(sent > 0);
        Assert.Equal(sent, Record.Sum(server, "streamed"));
        Assert.Equal(0, Record.Sum(server, "stream_corrupt", "stream_repeated"));
        if (delivery == "reliable-ordered")
        {
            Assert.Equal(0, Record.Sum(server, "stream_disordered"));
        }
        // Nothing of it is answered. What each client sends behind it, at each drain, to know that it has arrived is,
        // at other times.
        var atADrain = 2 * (delivery == "reliable-ordered" ? 1 : 64);
        var behind = Record.Sum(Record.Slice(records, "client", "other"), "sent");
        Assert.True(behind > 0 && behind % atADrain == 0, $"{behind} were sent behind.");
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal((behind, behind), (Record.Sum(clients, "sent"), Record.Sum(clients, "received")));
        Assert.Equal((behind, behind), (Record.Sum(server, "received"), Record.Sum(server, "sent")));
        Assert.Equal(sent * bytes + behind * HeaderBytes, Record.Sum(server, "bytes"));
        Assert.Equal(0, Record.Sum(clients, "lost", "foreign", "duplicates", "unanswered"));
        Assert.Empty(Record.Slice(records, "client", "window")["outcomes"]!["rtt_ns"]!);
        // When they are drained, not later: nothing is left for the end.
        Assert.Equal(0, Record.Sum(Record.Slice(records, "server", "end"), "streamed"));
        Assert.True(Record.Sum(Record.Slice(records, "server", "window"), "streamed") > 0);
    }

    static LedBlock Measure(int bytes)
    {
        string[] load = ["--work", "stream", "--payload-bytes", $"{bytes}", "--clients", "2"];
        return new(Members, [.. load, "--warmup-seconds", "0", "--seconds", "0.1"]);
    }

    [Fact]
    public void A_changed_a_repeated_and_a_disordered_message_are_each_noticed()
    {
        Skip();
        string[] flags = ["--work", "stream", "--payload-bytes", "100", "--until-stdin-closes"];
        var (server, port) = Bench.StartServer(Bench.Model, flags);
        using (server)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(IPAddress.Loopback, int.Parse(port));
            // 3 is missing, 5 comes before 4, 2 and 68 are repeated, as is 5 within the last 64, and one of 71 is
            // changed.
            foreach (var sequence in new[] { 1, 2, 2, 5, 4, 68, 68, 5 })
            {
                socket.Send(Message(sequence, OfStream));
            }
            for (var at = 0; at < 100; at += 33)
            {
                socket.Send(Changed(Message(71, OfStream), at));
            }
            socket.Send([1, 2, 3]);
            // One behind it is answered, and all before it is counted then. It is short, as the stream's are not.
            var behind = Message(1, slot: 0, HeaderBytes);
            socket.Send(behind);
            socket.ReceiveTimeout = 10_000;
            var buffer = new byte[1_000];
            Assert.Equal(behind, buffer[..socket.Receive(buffer)]);
            server.CloseInput();
            var closed = Record.Single(server.Wait().WithCode(0).Records, "closed");
            var counted = Counted.Other(closed);
            Assert.Equal((5, 5), (Record.Sum(counted, "streamed"), Record.Sum(counted, "stream_corrupt")));
            Assert.Equal((3, 1), (Record.Sum(counted, "stream_repeated"), Record.Sum(counted, "stream_disordered")));
            // The one behind it is an echo.
            Assert.Equal(500 + HeaderBytes, Record.Sum(counted, "bytes"));
            Assert.Equal((1, 1), (Record.Sum(counted, "received"), Record.Sum(counted, "sent")));
        }
    }

    [Fact]
    public void A_client_of_another_work_is_refused()
    {
        Skip();
        var (server, port) = Bench.StartServer(Bench.Model, "--work", "stream");
        using (server)
        {
            var error = Bench.Run(Bench.Model, "client", "--port", port).Failure();
            Assert.Contains("other settings", (string?)error["reason"]);
        }
    }

    [Fact]
    public void What_is_no_stream_is_unsupported_in_one_sentence()
    {
        Skip();
        string Refusal(params string[] flags) => (string)Bench.Lead(Bench.Model, flags).Failure(3)["reason"]!;
        Assert.Contains("--parallel is 1", Refusal("--work", "stream", "--parallel", "2"));
        Assert.Contains("65507 bytes", Refusal("--payload-bytes", "65508"));
        Assert.Contains("manual", Tool.Lead("manual", "udp", "--work", "stream").WrongUsage());
    }

    static void Skip() => Assert.SkipUnless(Bench.IsBuilt(Bench.Model), $"{Bench.Model} is not built.");

    // The header as docs/records.md has it: checksum, client, slot, sequence, due time.
    static byte[] Message(int sequence, int slot, int bytes = 100)
    {
        var message = new byte[bytes];
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(4), Client);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(8), slot);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(12), sequence);
        for (var at = HeaderBytes; at < message.Length; at++)
        {
            message[at] = (byte)at;
        }
        var checksum = message.Skip(sizeof(uint)).Aggregate(~0u, BitOperations.Crc32C);
        BinaryPrimitives.WriteUInt32LittleEndian(message, checksum);
        return message;
    }

    static byte[] Changed(byte[] message, int at)
    {
        message[at] ^= 1;
        return message;
    }
}
