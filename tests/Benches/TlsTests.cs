using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Newtonsoft.Json.Linq;

/// <summary>Echoes and streams over TLS, on every bench whose info says that it has it.</summary>
public sealed class TlsTests
{
    const int FrameBytes = 36;
    const long MostGrowthBytes = 200 << 20;
    const string Needed =
        "--security tls needs --certificate FILE (PKCS #12), which `runner certificate FILE` makes.";
    const string NotTrusted = "The server's certificate is not the one whose SHA-256 was given.";

    // More than the sockets hold, and more than a server is to keep.
    static readonly int[] unread = [8 << 20, 32 << 20];
    static readonly string[] tls = ["--security", "tls"];
    static readonly string[] works = ["echo", "stream"];
    // The first record of a handshake says that more comes than does.
    static readonly byte[] openingCutShort = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3];

    public static IEnumerable<TheoryDataRow<string>> Encrypted =>
        Bench.All.Where(row => row.Skip == null && Has(row.Data));

    public static IEnumerable<TheoryDataRow<string>> Plain =>
        Bench.All.Where(row => row.Skip == null && !Has(row.Data));

    [Theory, MemberData(nameof(Encrypted))]
    public void Every_delivery_is_encrypted_or_refused_in_a_sentence(string bench)
    {
        var refused = 0;
        var loads =
            from delivery in Bench.DeliveriesOf(bench)
            from work in works
            select (delivery, work);
        foreach (var (delivery, work) in loads)
        {
            string[] flags = ["--delivery", delivery, "--work", work, .. tls];
            var refusal = (string?)Bench.Run(bench, ["info", .. flags]).Records[0]["refusal"];
            string[] load = ["--clients", "3", "--warmup-seconds", "0", "--seconds", "0.5"];
            var run = Bench.Lead(bench, [.. flags, .. load]);
            if (refusal == null)
            {
                AssertSound(run.WithCode(0).Records, work);
            }
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
    public void A_server_without_a_certificate_that_can_be_read_is_wrong_usage(string bench)
    {
        using var scratch = new Scratch();
        var nowhere = scratch.PathOf("nowhere.pfx");
        var text = scratch.PathOf("text.pfx");
        File.WriteAllText(text, "This is no certificate.");
        var library = Bench.LibraryOf(bench);
        Assert.Equal($"{library} server: {Needed}", Bench.Run(bench, ["server", .. tls]).WrongUsage());
        foreach (var path in new[] { nowhere, text, scratch.Folder })
        {
            var said = Bench.Run(bench, ["server", .. tls, "--certificate", path]).WrongUsage();
            Assert.StartsWith($"{library} server: The certificate '{path}' cannot be read: ", said);
        }
    }

    [Fact]
    public void The_runner_makes_a_certificate_that_only_its_owner_may_read_and_overwrites_none()
    {
        using var scratch = new Scratch();
        var path = scratch.PathOf("own.pfx");
        var said = Assert.Single(Tool.Lead("certificate", path).WithCode(0).Out);
        var made = File.ReadAllBytes(path);
        using var certificate = X509CertificateLoader.LoadPkcs12(made, password: null);
        Assert.True(certificate.HasPrivateKey);
        Assert.Equal(said, certificate.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant());
        Assert.Matches("^[0-9a-f]{64}$", said);
        AssertOwnersAlone(path);
        Assert.NotEqual(said, Tool.Lead("certificate", scratch.PathOf("another.pfx")).WithCode(0).Out[0]);
        foreach (var other in new[] { path, scratch.Folder, scratch.PathOf("missing", "own.pfx") })
        {
            Assert.Contains("The certificate cannot be written: ", Tool.Lead("certificate", other).WrongUsage());
        }
        Assert.Equal(made, File.ReadAllBytes(path));
    }

    [Fact]
    public void The_certificate_of_a_run_lies_in_a_file_for_both_sides_until_the_run_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes in /proc.");
        var bench = Encrypted.First().Data;
        using var scratch = new Scratch();
        string[] load = ["--rate", "100", "--warmup-seconds", "0", "--seconds", "30", "--until-stdin-closes"];
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(bench), .. tls, .. load];
        using var run = Command.StartIn(scratch.Folder, [("TMPDIR", scratch.Folder)], "dotnet", words);
        Command.Until(() => run.Lines.Count(line => line.Contains("\"ready\"")) == 2, 20);
        var certificate = Assert.Single(Directory.GetFiles(scratch.Folder, "*.pfx"));
        AssertOwnersAlone(certificate);
        foreach (var side in Bench.ChildrenOf(run.Id).Values)
        {
            Assert.Contains(certificate, File.ReadAllText($"/proc/{side}/cmdline").Split('\0'));
        }
        run.CloseInput();
        run.Wait(40).AssertNoStackTrace();
        Assert.Empty(Directory.GetFiles(scratch.Folder, "*.pfx"));
        // It is a fact of neither side's record but for its hash.
        Assert.DoesNotContain(run.Lines, line => line.Contains(certificate));
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void A_certificate_that_is_not_the_one_known_ends_the_client_in_a_sentence(string bench)
    {
        var (server, port) = Bench.StartServer(bench, MadeCertificate.Shown);
        using (server)
        {
            var known = MadeCertificate.Sha256;
            string[] others = ["", new('0', 64), known[..^1] + (known[^1] == '0' ? '1' : '0')];
            foreach (var other in others)
            {
                string[] trusted = other == "" ? [] : ["--certificate-sha256", other];
                string[] flags = ["--port", port, "--clients", "3", .. MadeCertificate.Shown, .. trusted];
                Assert.Equal(NotTrusted, (string?)Bench.Run(bench, ["client", .. flags]).Failure()["reason"]);
            }
            AssertServes(bench, port, server, isEncrypted: true);
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Who_speaks_TLS_and_who_does_not_part_in_a_sentence_and_the_server_serves_on(string bench)
    {
        var (safe, safePort) = Bench.StartServer(bench, MadeCertificate.Shown);
        var (plain, plainPort) = Bench.StartServer(bench);
        using (safe)
        using (plain)
        {
            Bench.Run(bench, "client", "--port", safePort, "--clients", "2").Failure();
            string[] flags = ["--port", plainPort, "--clients", "2", .. MadeCertificate.Trusted];
            var error = Bench.Run(bench, ["client", .. flags]).Failure();
            Assert.Matches("TLS|closed|^Within", (string?)error["reason"]);
            AssertServes(bench, safePort, safe, isEncrypted: true);
            AssertServes(bench, plainPort, plain, isEncrypted: false);
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void A_client_is_connected_when_it_is_through_the_handshake(string bench)
    {
        using var silent = new ForeignProgram(answers: false);
        string[] words = ["client", "--port", silent.Port, .. MadeCertificate.Trusted];
        var error = Bench.Run(bench, words).Failure();
        Assert.Matches("TLS|0 of 1 clients are connected", (string?)error["reason"]);
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Clients_that_leave_or_stay_in_the_handshake_hold_nobody_up(string bench)
    {
        var (server, port) = Bench.StartServer(bench, MadeCertificate.Shown);
        using (server)
        {
            using var staying = Connect(port);
            staying.Send(openingCutShort);
            for (var leaving = 0; leaving < 3; leaving++)
            {
                using var client = Connect(port);
                client.Send(openingCutShort);
            }
            AssertServes(bench, port, server, isEncrypted: true);
        }
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Clients_that_do_not_read_cost_little_memory_and_hold_up_no_end(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes and their memory in /proc.");
        var (server, port) = Bench.StartServer(bench, MadeCertificate.Shown);
        using (server)
        {
            AssertIsServed(bench, port, isEncrypted: true);
            var before = Bench.MostMemoryOf(server.Id);
            var slow = Array.ConvertAll(unread, _ => Connect(port));
            foreach (var (socket, bytes) in slow.Zip(unread))
            {
                new Thread(() => SendUnread(socket, bytes)) { IsBackground = true }.Start();
            }
            Thread.Sleep(3_000);
            Assert.InRange(Bench.MostMemoryOf(server.Id), 0, before + MostGrowthBytes);
            AssertServes(bench, port, server, isEncrypted: true);
            Array.ForEach(slow, socket => socket.Dispose());
        }
    }

    [Theory, MemberData(nameof(Plain))]
    public void A_library_without_TLS_says_so(string bench)
    {
        var error = Bench.Run(bench, ["server", .. tls]).Failure(3);
        Assert.Equal($"{Bench.LibraryOf(bench)} has no tls security.", (string?)error["reason"]);
    }

    static void AssertOwnersAlone(string path)
    {
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }
    }

    static bool Has(string bench)
    {
        var securities = Bench.Run(bench, "info").WithCode(0).Records[0]["securities"]!;
        return securities.Any(security => (string?)security == "tls");
    }

    static void AssertSound(JObject[] records, string work)
    {
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.Matches("^[0-9a-f]{64}$", (string?)Record.Of(records, "server", "ready")["certificate_sha256"]);
        var clients = Record.Slices(records, "client");
        var server = Record.Slices(records, "server");
        Assert.All(clients, Record.AssertAddsUp);
        var sent = work == "echo" ? "sent" : "streamed";
        var came = work == "echo" ? "received" : "streamed";
        Assert.True(Record.Sum(clients, sent) > 10);
        Assert.Equal(Record.Sum(clients, sent), Record.Sum(server, came));
        Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "lost", "late_arrivals"));
        Assert.Equal(0, Record.Sum(server, "stream_corrupt", "stream_repeated", "stream_disordered"));
    }

    // One who knows the certificate is served; and the server then ends well.
    static void AssertServes(string bench, string port, Command server, bool isEncrypted)
    {
        AssertIsServed(bench, port, isEncrypted);
        server.Stop();
        Assert.Empty(server.Wait(15).WithCode(0).Error);
    }

    static void AssertIsServed(string bench, string port, bool isEncrypted)
    {
        string[] security = isEncrypted ? MadeCertificate.Trusted : [];
        var ended = Bench.Run(bench, ["client", "--port", port, .. security, .. Bench.ByHand]).WithCode(0);
        Assert.True(Record.Sum(Counted.ByHand(ended.Records), "received") > 0);
    }

    static Socket Connect(string port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            ReceiveBufferSize = 4096,
        };
        socket.Connect(IPAddress.Loopback, int.Parse(port));
        return socket;
    }

    // Until all is sent, or the server drops who does not read.
    static void SendUnread(Socket socket, int bytes)
    {
        var frames = new byte[FrameBytes * 400];
        for (var at = 0; at < frames.Length; at += FrameBytes)
        {
            BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));
        }
        try
        {
            var stream = new SslStream(new NetworkStream(socket));
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = (_, _, _, _) => true,
            });
            for (var sent = 0; sent < bytes; sent += frames.Length)
            {
                stream.Write(frames);
            }
        }
        catch (IOException)
        {
            // The server has dropped it.
        }
    }
}
