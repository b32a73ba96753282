using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Numerics;

/// <summary>Streams: one way, as fast as the library takes them, and every message checked where it arrives.</summary>
public sealed class StreamTests
{
    const int Clients = 2;
    const int Client = 0;
    const int HeaderBytes = 24;
    // The kinds of the message by which a client is connected, and of those of a stream.
    const int Answered = 0;
    const int OfStream = -2;

    const int Small = 1_200;
    // The most that one of UDP takes, and more than that.
    const int Datagram = 65_507;
    const int Large = 262_144;

    // Of each size a block of all benches: of datagrams of those alone that refuse what is larger. Plain TCP is tuned
    // as well: several small messages share a send, and a large one goes by itself.
    static readonly Dictionary<int, Lazy<LedBlock>> blocks = new()
    {
        [Small] = new(() => Measure(Small, Smalls)),
        [Datagram] = new(() =>
            Measure(Datagram, Larges.Where(member => blocks![Large].Value.RefusalOf(member) != null))),
        [Large] = new(() => Measure(Large, Larges)),
    };

    public static TheoryData<string> Names => [.. Smalls.Select(member => $"{member}")];

    public static TheoryData<string> NamesOfLarges => [.. Larges.Select(member => $"{member}")];

    static IEnumerable<LedBlock.Member> Plain =>
        (from row in Bench.WithReliableDeliveries
         where row.Skip == null
         select new LedBlock.Member(row.Data.Item1, row.Data.Item2)).Concat(OfOtherModes);

    // Variants that have a mode which the first one has not.
    static IEnumerable<LedBlock.Member> OfOtherModes =>
        from row in Measured.OtherVariants
        let member = Measured.OfVariant(row.Data.Item1, row.Data.Item2)
        where !Bench.DeliveriesOf(member.Bench).Contains(member.Delivery)
        select member;

    static IEnumerable<LedBlock.Member> Smalls => Plain.Concat(Tuned("none")).Where(Streams);

    static IEnumerable<LedBlock.Member> Larges => Plain
        .Concat(Measured.Encrypted.Select(row => Measured.OverTls(row.Data)))
        .Concat(Tuned("tls"))
        .Where(Streams);

    // Some have no flow control.
    static bool Streams(LedBlock.Member member) => File.Exists(Repo.PathOf(member.Bench, "Stream.cs"));

    [Theory, MemberData(nameof(Names))]
    public void What_was_sent_has_arrived_when_the_clients_are_drained(string member) =>
        AssertHasArrived(Smalls.Single(other => $"{other}" == member), Small);

    [Theory, MemberData(nameof(NamesOfLarges))]
    public void So_have_large_messages_or_the_largest_that_the_library_takes(string member)
    {
        var own = Larges.Single(other => $"{other}" == member);
        if (IsRefused(own, Large))
        {
            Assert.False(IsRefused(own, Datagram));
            AssertHasArrived(own, Datagram);
        }
        else
        {
            AssertHasArrived(own, Large);
        }
    }

    [Fact]
    public void Without_a_file_stdout_has_the_records_and_nothing_else()
    {
        var small = blocks[Small].Value;
        small.AssertAllLaunched();
        Assert.Empty(small.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))).Distinct());
    }

    static void AssertHasArrived(LedBlock.Member member, int bytes)
    {
        var records = blocks[bytes].Value.Launched(member);
        var isOrdered = member.Delivery == "reliable-ordered";
        var clients = Record.Slices(records, "client");
        var server = Record.Slices(records, "server");
        var sent = Record.Sum(clients, "streamed");
        Assert.True(sent > 0);
        Assert.Equal(sent, Record.Sum(server, "streamed"));
        Assert.Equal(0, Record.Sum(server, "stream_corrupt", "stream_repeated"));
        if (isOrdered)
        {
            Assert.Equal(0, Record.Sum(server, "stream_disordered"));
        }
        // Nothing of it is answered but the first message of each client, by which it is connected.
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal((Clients, Clients), (Record.Sum(clients, "sent"), Record.Sum(clients, "received")));
        Assert.Equal((0, 0), (Record.Sum(server, "received"), Record.Sum(server, "sent")));
        Assert.Equal(0, Record.Sum(clients, "lost", "foreign", "duplicates", "unanswered"));
        Assert.Empty(Record.Slice(records, "client", "window")["outcomes"]!["rtt_ns"]!);
        // When they are drained, not later: nothing is left for the end.
        Assert.Equal(0, Record.Sum(Record.Slice(records, "server", "end"), "streamed"));
        Assert.True(Record.Sum(Record.Slice(records, "server", "window"), "streamed") > 0);
    }

    // As its info says, too.
    static bool IsRefused(LedBlock.Member member, int bytes)
    {
        var refusal = blocks[bytes].Value.RefusalOf(member);
        if (refusal != null)
        {
            var mode = $"--delivery {member.Delivery} --variant {member.Variant} --security {member.Security}";
            var load = $"--work stream --payload-bytes {bytes} --clients {Clients}";
            Assert.Equal(refusal, Bench.RefusalOf(member.Bench, $"{mode} {load}"));
        }
        return refusal != null;
    }

    static IEnumerable<LedBlock.Member> Tuned(string security)
    {
        const string tcp = "bench-tcp";
        return Bench.IsBuilt(tcp) ? [new(tcp, "reliable-ordered", Profile: "tuned", Security: security)] : [];
    }

    static LedBlock Measure(int bytes, IEnumerable<LedBlock.Member> members)
    {
        string[] load = ["--work", "stream", "--payload-bytes", $"{bytes}", "--clients", $"{Clients}"];
        return new(members, [.. load, "--warmup-seconds", "0", "--seconds", "0.1"]);
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
            var joining = Message(1, Answered);
            Exchange(socket, joining);
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
            // All before it is counted when it is answered.
            Exchange(socket, joining);
            server.CloseInput();
            var closed = Record.Single(server.Wait().WithCode(0).Records, "closed");
            var counted = Counted.Other(closed);
            Assert.Equal((5, 5), (Record.Sum(counted, "streamed"), Record.Sum(counted, "stream_corrupt")));
            Assert.Equal((3, 1), (Record.Sum(counted, "stream_repeated"), Record.Sum(counted, "stream_disordered")));
            Assert.Equal((0, 0), (Record.Sum(counted, "received"), Record.Sum(counted, "sent")));
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

    static void Exchange(Socket socket, byte[] message)
    {
        socket.ReceiveTimeout = 10_000;
        socket.Send(message);
        var buffer = new byte[1_000];
        Assert.Equal(message, buffer[..socket.Receive(buffer)]);
    }

    // The header as docs/records.md has it: checksum, client, sequence, kind, due time.
    static byte[] Message(int sequence, int kind)
    {
        var message = new byte[100];
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(4), Client);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(8), sequence);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(12), kind);
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
