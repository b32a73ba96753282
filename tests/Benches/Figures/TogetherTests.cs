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
    const int Lanes = 400, FrameBytes = 36, CutBytes = 5, TcpInfo = 11, DataSegmentsIn = 152; // of tcp_info, where that begins
    const int MostTogether = 4; // segments of what one send has

    public static TheoryData<string, string> Works => new() { { "none", "echo" }, { "none", "stream" }, { "tls", "echo" }, { "tls", "stream" } };
    public static TheoryData<string, string> Servers => new() { { "none", "default" }, { "none", "tuned" }, { "tls", "default" }, { "tls", "tuned" } };

    public TogetherTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells how many segments came.");

    [Theory, MemberData(nameof(Works))]
    public void All_is_accounted_for(string security, string work)
    {
        foreach (var bytes in new[] { "32", "70000" }) // of which some share a send, and none
        {
            var records = Bench.Lead(Tcp, "--security", security, "--work", work, "--clients", "2", "--parallel", work == "echo" ? "10" : "1", "--payload-bytes", bytes,
                "--profile", "tuned", "--warmup-seconds", "0", "--seconds", "0.5").WithCode(0).Records;
            Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
            var (clients, server) = (Record.Slices(records, "client"), Record.Slices(records, "server"));
            Assert.All(clients, Record.AssertAddsUp);
            var (sent, came) = work == "echo" ? ("sent", "received") : ("streamed", "streamed");
            Assert.True(Record.Sum(clients, sent) > 100);
            Assert.Equal(Record.Sum(clients, sent), Record.Sum(server, came));
            Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "lost", "duplicates", "unanswered") + Record.Sum(server, "stream_corrupt", "stream_repeated", "stream_disordered"));
        }
    }

    [Theory, MemberData(nameof(Servers))]
    public void A_tuned_server_sends_together_what_came_together(string security, string profile)
    {
        var (server, port) = Bench.StartServer(Tcp, "--security", security, "--profile", profile, "--parallel", $"{Lanes}");
        using (server)
        using (var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
        {
            socket.Connect(IPAddress.Loopback, int.Parse(port));
            socket.ReceiveTimeout = 10_000;
            Stream stream = new NetworkStream(socket);
            if (security == "tls")
            {
                var tls = new SslStream(stream);
                tls.AuthenticateAsClient(new SslClientAuthenticationOptions { TargetHost = "localhost", RemoteCertificateValidationCallback = (_, _, _, _) => true });
                Assert.Equal(0, tls.ReadByte());
                stream = tls;
            }
            var frames = new byte[Lanes * FrameBytes];
            new Random(1).NextBytes(frames);
            for (var at = 0; at < frames.Length; at += FrameBytes) BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));

            // The last is cut, and whole with what comes later.
            var (came, before) = (new byte[frames.Length], SegmentsOf(socket));
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
        using var client = Bench.Start(Tcp, "client", "--port", $"{((IPEndPoint)listener.LocalEndPoint!).Port}", "--profile", profile, "--parallel", $"{Lanes}", "--until-stdin-closes");
        using var socket = listener.Accept();
        socket.ReceiveTimeout = 10_000;
        using var stream = new NetworkStream(socket);
        // Its hello says what the server's is to say.
        var length = new byte[sizeof(int)];
        stream.ReadExactly(length);
        var hello = new byte[BinaryPrimitives.ReadInt32LittleEndian(length)];
        stream.ReadExactly(hello);
        stream.Write([.. length, .. Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(hello).Replace("client", "server"))]);
        client.LineWith("\"ready\"");
        var frames = new byte[Lanes * FrameBytes];
        for (var round = 0; round < 3; round++)
        {
            var before = SegmentsOf(socket);
            // At first they are all due, later all answered at once.
            if (round == 0) client.Type("go"); else stream.Write(frames);
            stream.ReadExactly(frames);
            AssertTogether(profile, SegmentsOf(socket) - before);
        }
    }

    [Fact]
    public void A_message_waits_for_no_other()
    {
        double[] mediansNs = [.. new[] { "default", "tuned" }.Select(profile => Record.QuantileNs(Record.Slice(Bench.Lead(Tcp, "--profile", profile, "--rate", "200", "--clients", "2",
            "--warmup-seconds", "0.5", "--seconds", "1").WithCode(0).Records, "client", "window"), 0.5))];
        Assert.InRange(mediansNs[1], 0, 2 * mediansNs[0] + 500_000);
    }

    // By default the kernel may put some into one segment, but not all.
    static void AssertTogether(string profile, int segments) => Assert.InRange(segments, profile == "tuned" ? 0 : MostTogether + 1, profile == "tuned" ? MostTogether : Lanes);

    static int SegmentsOf(Socket socket)
    {
        var info = new byte[256];
        socket.GetRawSocketOption((int)ProtocolType.Tcp, TcpInfo, info);
        return BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(DataSegmentsIn));
    }
}
