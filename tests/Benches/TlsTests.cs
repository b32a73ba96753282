using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Newtonsoft.Json.Linq;

/// <summary>Echoes and streams over TLS, on every bench whose info says that it has it.</summary>
public sealed class TlsTests
{
    const int FrameBytes = 36;
    const long MostGrowthBytes = 200 << 20;

    // More than the sockets hold, and more than a server is to keep.
    static readonly int[] unread = [8 << 20, 32 << 20];
    static readonly string[] tls = ["--security", "tls"];
    // The first record of a handshake says that more comes than does.
    static readonly byte[] openingCutShort = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3];

    public static IEnumerable<TheoryDataRow<string>> Encrypted => Bench.All.Where(row => row.Skip == null && Has(row.Data));
    public static IEnumerable<TheoryDataRow<string>> Plain => Bench.All.Where(row => row.Skip == null && !Has(row.Data));

    [Theory, MemberData(nameof(Encrypted))]
    public void Every_delivery_is_encrypted_or_refused_in_a_sentence(string bench)
    {
        var refused = 0;
        foreach (var delivery in Bench.DeliveriesOf(bench))
            foreach (var work in new[] { "echo", "stream" })
            {
                string[] flags = ["--delivery", delivery, "--work", work, .. tls];
                var refusal = (string?)Bench.Run(bench, ["info", .. flags]).Records[0]["refusal"];
                var run = Bench.Lead(bench, [.. flags, "--clients", "3", "--warmup-seconds", "0", "--seconds", "0.5"]);
                if (refusal == null) AssertSound(run.WithCode(0).Records, work);
                else
                {
                    refused++;
                    Assert.Contains("TLS", refusal);
                    Assert.Equal(refusal, (string?)run.Failure(3)["reason"]);
                }
            }
        Assert.InRange(refused, 0, 2 * Bench.DeliveriesOf(bench).Length - 2);
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void A_certificate_that_is_not_the_one_known_ends_the_client_in_a_sentence(string bench)
    {
        var (server, port) = Bench.StartServer(bench, tls);
        using (server)
        {
            var known = (string)Record.Parse(server.Lines[0])["certificate_sha256"]!;
            foreach (var other in new[] { [], ["--certificate-sha256", new string('0', 64)], new[] { "--certificate-sha256", known[..^1] + (known[^1] == '0' ? '1' : '0') } })
                Assert.Equal("The server's certificate is not the one whose SHA-256 was given.",
                    (string?)Bench.Run(bench, ["client", "--port", port, "--clients", "3", .. tls, .. other]).Failure()["reason"]);
            AssertServes(bench, port, server);
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Who_speaks_TLS_and_who_does_not_part_in_a_sentence_and_the_server_serves_on(string bench)
    {
        var (safe, safePort) = Bench.StartServer(bench, tls);
        var (plain, plainPort) = Bench.StartServer(bench);
        using (safe)
        using (plain)
        {
            Bench.Run(bench, "client", "--port", safePort, "--clients", "2").Failure();
            Assert.Matches("TLS|closed|^Within", (string?)Bench.Run(bench, ["client", "--port", plainPort, "--clients", "2", .. tls]).Failure()["reason"]);
            AssertServes(bench, safePort, safe);
            AssertServes(bench, plainPort, plain);
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void A_client_is_connected_when_it_is_through_the_handshake(string bench)
    {
        using var silent = new ForeignProgram(answers: false);
        Assert.Matches("TLS|0 of 1 clients are connected", (string?)Bench.Run(bench, ["client", "--port", silent.Port, .. tls]).Failure()["reason"]);
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Clients_that_leave_or_stay_in_the_handshake_hold_nobody_up(string bench)
    {
        var (server, port) = Bench.StartServer(bench, tls);
        using (server)
        {
            var staying = Connect(port);
            foreach (var client in new[] { staying, Connect(port), Connect(port), Connect(port) })
            {
                client.Send(openingCutShort);
                if (client != staying) client.Dispose();
            }
            AssertServes(bench, port, server);
            staying.Dispose();
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Clients_that_do_not_read_cost_little_memory_and_hold_up_no_end(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes and their memory in /proc.");
        var (server, port) = Bench.StartServer(bench, tls);
        using (server)
        {
            AssertServes(bench, port, server, stop: false);
            var before = Bench.MostMemoryOf(server.Id);
            var slow = Array.ConvertAll(unread, _ => Connect(port));
            foreach (var (socket, bytes) in slow.Zip(unread)) new Thread(() => SendUnread(socket, bytes)) { IsBackground = true }.Start();
            Thread.Sleep(3_000);
            Assert.InRange(Bench.MostMemoryOf(server.Id) - before, 0, MostGrowthBytes);
            AssertServes(bench, port, server);
            Array.ForEach(slow, socket => socket.Dispose());
        }
    }

    [Theory, MemberData(nameof(Plain))]
    public void A_library_without_TLS_says_so(string bench) => Assert.Equal($"{Bench.LibraryOf(bench)} has no tls security.",
        (string?)Bench.Run(bench, ["server", .. tls]).Failure(3)["reason"]);

    static bool Has(string bench) => Bench.Run(bench, "info").WithCode(0).Records[0]["securities"]!.Any(security => (string?)security == "tls");

    static void AssertSound(JObject[] records, string work)
    {
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.Matches("^[0-9a-f]{64}$", (string?)Record.Of(records, "server", "ready")["certificate_sha256"]);
        var (clients, server) = (Record.Slices(records, "client"), Record.Slices(records, "server"));
        Assert.All(clients, Record.AssertAddsUp);
        var (sent, came) = work == "echo" ? ("sent", "received") : ("streamed", "streamed");
        Assert.True(Record.Sum(clients, sent) > 10);
        Assert.Equal(Record.Sum(clients, sent), Record.Sum(server, came));
        Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "lost", "late_arrivals") + Record.Sum(server, "stream_corrupt", "stream_repeated", "stream_disordered"));
    }

    // One who knows the certificate is served; and the server then ends well.
    static void AssertServes(string bench, string port, Command server, bool stop = true)
    {
        var certificate = (string?)Record.Parse(server.LineWith("\"ready\""))["certificate_sha256"];
        string[] security = certificate == null ? [] : [.. tls, "--certificate-sha256", certificate];
        var slice = Record.Single(Bench.Run(bench, ["client", "--port", port, .. security, .. Bench.ByHand]).WithCode(0).Records, "slice");
        Assert.True(Record.Sum(slice, "received") > 0);
        if (!stop) return;
        server.Stop();
        Assert.Empty(server.Wait(15).WithCode(0).Error);
    }

    static Socket Connect(string port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        socket.Connect(IPAddress.Loopback, int.Parse(port));
        return socket;
    }

    // Until all is sent, or the server drops who does not read.
    static void SendUnread(Socket socket, int bytes)
    {
        var frames = new byte[FrameBytes * 400];
        for (var at = 0; at < frames.Length; at += FrameBytes) BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));
        try
        {
            var stream = new SslStream(new NetworkStream(socket));
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions { TargetHost = "localhost", RemoteCertificateValidationCallback = (_, _, _, _) => true });
            for (var sent = 0; sent < bytes; sent += frames.Length) stream.Write(frames);
        }
        catch (IOException) { }
    }
}
