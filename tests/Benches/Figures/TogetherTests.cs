using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

/// <summary>Plain TCP's profile tuned: several messages in one send, and else what it is by default.</summary>
[Collection(Measuring.Name)]
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

    [Theory]
    [InlineData("echo", "32")]
    [InlineData("echo", "70000")] // of which none share a send
    [InlineData("stream", "32")]
    [InlineData("stream", "70000")]
    public void All_is_accounted_for_plain_and_over_TLS(string work, string bytes)
    {
        string[] securities = ["none", "tls"];
        var members = Array.ConvertAll(
            securities, security => new LedBlock.Member(Tcp, "reliable-ordered", "tuned", Security: security));
        string[] load = ["--clients", "2", "--parallel", work == "echo" ? "10" : "1", "--payload-bytes", bytes];
        var block = new LedBlock(members, ["--work", work, .. load, "--warmup-seconds", "0", "--seconds", "0.3"]);
        foreach (var member in members)
        {
            var records = block.Launched(member);
            Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
            var clients = Record.Slices(records, "client");
            var server = Record.Slices(records, "server");
            Assert.All(clients, Record.AssertAddsUp);
            var sent = work == "echo" ? "sent" : "streamed";
            var came = work == "echo" ? "received" : "streamed";
            Assert.True(Record.Sum(clients, sent) > 100);
            Assert.Equal(Record.Sum(clients, sent), Record.Sum(server, came));
            Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "lost", "duplicates", "unanswered"));
            Assert.Equal(0, Record.Sum(server, "stream_corrupt", "stream_repeated", "stream_disordered"));
        }
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
        // Its greeting says what the server's is to say.
        var length = new byte[sizeof(int)];
        stream.ReadExactly(length);
        var greeting = new byte[BinaryPrimitives.ReadInt32LittleEndian(length)];
        stream.ReadExactly(greeting);
        var answer = Encoding.UTF8.GetString(greeting).Replace("client", "server");
        stream.Write([.. length, .. Encoding.UTF8.GetBytes(answer)]);
        client.LineWith("\"ready\"");
        var frames = new byte[Slots * FrameBytes];
        for (var round = 0; round < 3; round++)
        {
            var before = SegmentsOf(socket);
            // At first they are all due, later all answered at once.
            if (round == 0)
            {
                client.Type("start");
            }
            else
            {
                stream.Write(frames);
            }
            stream.ReadExactly(frames);
            AssertTogether(profile, SegmentsOf(socket) - before);
        }
    }

    [Fact]
    public void A_message_waits_for_no_other()
    {
        Assert.InRange(MedianNs("tuned"), 0, 2 * MedianNs("default") + 500_000);
    }

    static double MedianNs(string profile)
    {
        string[] load = ["--profile", profile, "--rate", "200", "--clients", "2"];
        string[] flags = [.. load, "--warmup-seconds", "0.5", "--seconds", "1"];
        var records = Bench.Lead(Tcp, flags).WithCode(0).Records;
        return Record.QuantileNs(Record.Slice(records, "client", "window"), 0.5);
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
