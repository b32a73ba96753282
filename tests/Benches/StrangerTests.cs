using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

/// <summary>Nothing that arrives on the measured port can start a program, choose a path or make a server allocate
/// without bound; and the server serves on.</summary>
public sealed class StrangerTests
{
    const int Datagrams = 20_000;
    const int DatagramSockets = 20;
    const int MostDatagramBytes = 1500;
    const int Connections = 200;
    const int SlowReaders = 4;
    const int SlowBytes = 4 << 20;
    const int FrameBytes = 36;
    const long MostGrowthBytes = 100 << 20;

    static readonly byte[][] openings =
    [
        [],
        [.. "hello "u8],
        [.. "hello poke"u8],
        [.. "hello mark"u8],
        [.. "hello client "u8],
        [.. "hello client v2 "u8],
        [.. "hello server "u8],
        [.. "answer 1000000\n"u8],
        [.. "../../../../tmp/x\0"u8],
        [0xff, 0xff, 0xff, 0x7f],
        [0xff, 0xff, 0xff, 0xff],
    ];

    /// <summary>Every bench with each delivery mode whose server may listen in a way of its own: the reliable ones of a
    /// library share theirs.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Servers =>
        Bench.WithDeliveries.Where(row => row.Data.Item2 != "reliable-unordered");

    [Theory, MemberData(nameof(Servers))]
    public void A_server_bears_what_strangers_send_and_serves_on(string bench, string delivery)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes and their memory in /proc.");
        var (server, port) = Bench.StartServer(bench, "--delivery", delivery, "--clients", "2");
        using (server)
        {
            string[] flags = ["client", "--port", port, "--delivery", delivery, .. Bench.Few];
            var target = new IPEndPoint(IPAddress.Loopback, int.Parse(port));
            // Where the library cannot help that an empty datagram stops it, the note says so.
            if (((string?)Bench.InfoOf(bench)["note"])?.Contains("empty datagram") != true)
            {
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
                socket.SendTo([], target);
            }
            Bench.Run(bench, flags).WithCode(0);
            var before = Bench.MostMemoryOf(server.Id);

            SendDatagrams(target);
            Connect(target);

            var served = Counted.ByHand(Bench.Run(bench, flags).WithCode(0).Records);
            Assert.True(Record.Sum(served, "received") > 0);
            // The kernel's peak is right to some pages, so that it may even fall.
            Assert.InRange(Bench.MostMemoryOf(server.Id), 0, before + MostGrowthBytes);
            Assert.Empty(Bench.StartedBy(server.Id));
            server.Stop();
            Assert.Empty(server.Wait().WithCode(0).Error);
        }
    }

    static void SendDatagrams(IPEndPoint target)
    {
        var random = new Random(1);
        var sockets = new Socket[DatagramSockets];
        for (var socket = 0; socket < sockets.Length; socket++)
        {
            sockets[socket] = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        }
        for (var datagram = 0; datagram < Datagrams; datagram++)
        {
            var garbage = Garbage(random, random.Next(1, MostDatagramBytes + 1));
            sockets[datagram % sockets.Length].SendTo(garbage, target);
        }
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    // None where the server does not listen for connections.
    static void Connect(IPEndPoint target)
    {
        var random = new Random(2);
        List<Socket> sockets = [];
        try
        {
            for (var connection = 0; connection < Connections; connection++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                sockets.Add(socket);
                socket.ReceiveBufferSize = 4096;
                socket.Connect(target);
                socket.Blocking = false;
                var bytes = connection < SlowReaders ? Frames() : Garbage(random, 10 * MostDatagramBytes);
                socket.Send(bytes, SocketFlags.None, out _);
            }
            Thread.Sleep(500); // what they hold the server up with is still there
        }
        catch (SocketException fault) when (fault.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return;
        }
        finally
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    static byte[] Garbage(Random random, int bytes)
    {
        var garbage = new byte[bytes];
        random.NextBytes(garbage);
        var opening = openings[random.Next(openings.Length)];
        opening.AsSpan(0, Math.Min(opening.Length, bytes)).CopyTo(garbage);
        return garbage;
    }

    // Of a client whose answers nobody reads.
    static byte[] Frames()
    {
        var frames = new byte[SlowBytes / FrameBytes * FrameBytes];
        for (var at = 0; at < frames.Length; at += FrameBytes)
        {
            BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));
        }
        return frames;
    }
}
