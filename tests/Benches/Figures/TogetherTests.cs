using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;

/// <summary>Plain TCP's profile tuned: several messages in one send, all of which are accounted for. That streams of it
/// are, and that no message waits for another, StreamTests and OpenLoopTests hold.</summary>
public sealed class TogetherTests
{
    const string Tcp = "bench-tcp";
    const int Slots = 400;
    const int FrameBytes = 36;
    const int CutBytes = 5;
    // The option, and where in what it gives the number of segments with data stands.
    const int TcpInfo = 11;
    const int DataSegmentsIn = 152;
    // Segments of what one send has.
    const int MostTogether = 4;

    public static TheoryData<string, string> Servers => new()
    {
        { "none", "default" },
        { "none", "tuned" },
        { "tls", "default" },
        { "tls", "tuned" },
    };

    public TogetherTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells how many segments came.");
        Assert.SkipUnless(Bench.IsBuilt(Tcp), $"{Tcp} is not built.");
    }

    [Theory, MemberData(nameof(Servers))]
    public void A_tuned_server_sends_together_what_came_together(string security, string profile)
    {
        string[] certificate = security == "tls" ? MadeCertificate.Shown : [];
        string[] flags = ["--profile", profile, "--parallel", $"{Slots}", .. certificate];
        var (server, port) = Bench.StartServer(Tcp, flags);
        using (server)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(IPAddress.Loopback, int.Parse(port));
            socket.ReceiveTimeout = 10_000;
            Stream stream = new NetworkStream(socket);
            if (security == "tls")
            {
                stream = Encrypted(stream);
            }
            var frames = new byte[Slots * FrameBytes];
            new Random(1).NextBytes(frames);
            for (var at = 0; at < frames.Length; at += FrameBytes)
            {
                BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));
            }

            // The last is cut, and whole with what comes later.
            var came = new byte[frames.Length];
            var before = SegmentsOf(socket);
            stream.Write(frames.AsSpan(0, frames.Length - CutBytes));
            stream.ReadExactly(came, 0, frames.Length - FrameBytes);
            AssertTogether(profile, SegmentsOf(socket) - before);
            stream.Write(frames.AsSpan(frames.Length - CutBytes));
            stream.ReadExactly(came, frames.Length - FrameBytes, FrameBytes);
            Assert.Equal(frames, came);
        }
    }

    [Theory, InlineData("default"), InlineData("tuned")]
    public void A_tuned_client_sends_together_what_is_free_together(string profile)
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        string[] flags = ["--port", $"{port}", "--profile", profile, "--parallel", $"{Slots}"];
        using var client = Bench.Start(Tcp, ["client", .. flags, "--until-stdin-closes"]);
        using var socket = listener.Accept();
        socket.ReceiveTimeout = 10_000;
        using var stream = new NetworkStream(socket);
        // A client is connected when its first message is back.
        var first = new byte[FrameBytes];
        stream.ReadExactly(first);
        stream.Write(first);
        client.LineWith("\"ready\"");
        Pair.Ask(client, "drain");
        var frames = new byte[Slots * FrameBytes];
        const int rounds = 3;
        for (var round = 0; round < rounds; round++)
        {
            var before = SegmentsOf(socket);
            // At first they are all due, later all answered at once.
            if (round == 0)
            {
                client.Type($"start {rounds * Slots}");
            }
            else
            {
                stream.Write(frames);
            }
            stream.ReadExactly(frames);
            AssertTogether(profile, SegmentsOf(socket) - before);
        }
        stream.Write(frames);
        Command.Until(() => Record.Sum(Counted.PartsOf(Pair.Ask(client, "count")), "completed") == rounds * Slots);
        var counted = Counted.Other(Pair.Ask(client, "drain"));
        Record.AssertAddsUp(counted);
        Assert.Equal(rounds * Slots, Record.Sum(counted, "sent"));
        Assert.Equal(0, Record.Sum(counted, "corrupt", "foreign", "lost", "duplicates"));
    }

    // The server says a byte when it is through the handshake.
    static SslStream Encrypted(Stream stream)
    {
        var tls = new SslStream(stream);
        tls.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        });
        Assert.Equal(0, tls.ReadByte());
        return tls;
    }

    // By default the kernel may put some into one segment, but not all.
    static void AssertTogether(string profile, int segments)
    {
        var isTuned = profile == "tuned";
        Assert.InRange(segments, isTuned ? 0 : MostTogether + 1, isTuned ? MostTogether : Slots);
    }

    static int SegmentsOf(Socket socket)
    {
        var info = new byte[256];
        socket.GetRawSocketOption((int)ProtocolType.Tcp, TcpInfo, info);
        return BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(DataSegmentsIn));
    }
}
