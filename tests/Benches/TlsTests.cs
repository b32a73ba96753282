using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Reflection;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>Who is let in over TLS, on every bench whose info says that it has it. That echoes and streams are
/// encrypted and whole, ConformanceTests and StreamTests hold.</summary>
public sealed class TlsTests
{
    const int FrameBytes = 36;
    const long MostGrowthBytes = 200 << 20;
    const string Needed =
        "--security tls needs --certificate FILE (PKCS #12), which `runner certificate FILE` makes.";

    // Its Certificates.cs is that of every bench that has TLS, as CopiesTests holds.
    const string Model = "bench-tcp";

    // More than the sockets hold, and more than a server is to keep.
    static readonly int[] unread = [8 << 20, 32 << 20];
    static readonly string[] tls = ["--security", "tls"];

    static string FirstEncrypted => Measured.Encrypted.First().Data;

    [Theory, MemberData(nameof(Measured.Encrypted), MemberType = typeof(Measured))]
    public void What_cannot_be_encrypted_is_refused_in_a_sentence(string bench)
    {
        foreach (var delivery in Bench.DeliveriesOf(bench))
        {
            var refusal = Bench.RefusalOf(bench, $"--delivery {delivery} --security tls");
            if (delivery == "reliable-ordered")
            {
                Assert.Null(refusal);
            }
            // Some promise less, and are over TCP all the same.
            if (refusal == null)
            {
                continue;
            }
            // That a side then refuses to begin, with these words, is decided alike in every bench: see UsageTests.
            Assert.Contains("TLS", refusal);
        }
    }

    // What decides it is the same in every bench that has TLS.
    [Fact]
    public void A_server_without_a_certificate_that_can_be_read_is_wrong_usage()
    {
        Assert.SkipUnless(Bench.IsBuilt(Model), $"{Model} is not built.");
        var bench = FirstEncrypted;
        using var scratch = new Scratch();
        var nowhere = scratch.PathOf("nowhere.pfx");
        var text = scratch.PathOf("text.pfx");
        File.WriteAllText(text, "This is no certificate.");
        var library = Bench.LibraryOf(bench);
        Assert.Equal($"{library} server: {Needed}", Bench.Run(bench, ["server", .. tls]).WrongUsage());
        foreach (var path in new[] { nowhere, text })
        {
            var (sentence, exitCode) = FailureOf("Own", [Settings([.. tls, "--certificate", path])]);
            Assert.StartsWith($"The certificate '{path}' cannot be read: ", sentence);
            Assert.Equal(2, exitCode);
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
        var bench = FirstEncrypted;
        using var scratch = new Scratch();
        string[] load = ["--rate", "100", "--warmup-seconds", "0", "--seconds", "30", "--until-stdin-closes"];
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(bench), .. tls, .. load];
        using var run = Command.StartIn(scratch.Folder, [("TMPDIR", scratch.Folder)], "dotnet", words);
        Command.Until(() => run.Lines.Count(line => line.Contains("\"ready\"")) == 2);
        var certificate = Assert.Single(Directory.GetFiles(scratch.Folder, "*.pfx"));
        AssertOwnersAlone(certificate);
        foreach (var side in Bench.ChildrenOf(run.Id).Values)
        {
            Assert.Contains(certificate, File.ReadAllText($"/proc/{side}/cmdline").Split('\0'));
        }
        run.CloseInput();
        run.Wait().AssertNoStackTrace();
        Assert.Empty(Directory.GetFiles(scratch.Folder, "*.pfx"));
        // It is a fact of neither side's record but for its hash.
        Assert.DoesNotContain(run.Lines, line => line.Contains(certificate));
    }

    // What clients then do, the next test holds.
    [Fact]
    public void A_certificate_that_is_nearly_the_one_known_or_of_which_nothing_is_known_is_not_trusted()
    {
        Assert.SkipUnless(Bench.IsBuilt(Model), $"{Model} is not built.");
        using var shown = X509CertificateLoader.LoadPkcs12FromFile(MadeCertificate.Path, password: null);
        var known = MadeCertificate.Sha256;
        var nearly = known[..^1] + (known[^1] == '0' ? '1' : '0');
        Assert.True((bool)Call("Certificates", "IsTrusted", [shown, Settings(MadeCertificate.Trusted)])!);
        foreach (var trusted in new string[][] { [], ["--certificate-sha256", nearly] })
        {
            var settings = Settings([.. MadeCertificate.Shown, .. trusted]);
            Assert.Equal((MadeCertificate.NotTrusted, 1), FailureOf("IsTrusted", [shown, settings]));
        }
    }

    // One server bears all of it, one after another. How clients of TLS and a server without it part, LinesTests hold.
    [Theory, MemberData(nameof(Measured.Encrypted), MemberType = typeof(Measured))]
    public void Who_is_not_let_in_stays_or_does_not_read_holds_nobody_up(string bench)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes and their memory in /proc.");
        var (server, port) = Bench.StartServer(bench, MadeCertificate.Shown);
        using (server)
        {
            using var silent = new ForeignProgram(answers: false);
            using var waiting = Bench.Start(bench, ["client", "--port", silent.Port, .. MadeCertificate.Trusted]);
            string[] client = ["client", "--port", port, "--clients", "3"];
            MadeCertificate.AssertAreNotLetIn(bench, client, canGoBare: true);

            // Some leave in the handshake, and one stays in it.
            using var staying = Connect(port);
            staying.Send(Strangers.TlsOpening);
            for (var leaving = 0; leaving < 3; leaving++)
            {
                using var left = Connect(port);
                left.Send(Strangers.TlsOpening);
            }
            var before = Bench.MostMemoryOf(server.Id);
            var slow = Array.ConvertAll(unread, _ => Connect(port));
            var senders = slow.Zip(unread, (socket, bytes) => new UnreadSender(socket, bytes)).ToArray();
            Command.Until(() => Array.TrueForAll(senders, sender => sender.IsStuckOrDone));
            Assert.InRange(Bench.MostMemoryOf(server.Id), 0, before + MostGrowthBytes);
            AssertServes(bench, port, server);
            Array.ForEach(slow, socket => socket.Dispose());
            // Connected is who is through the handshake, which those never are whose server is silent.
            Assert.Matches("TLS|0 of 1 clients are connected", (string?)waiting.Wait().Failure()["reason"]);
        }
    }

    [Fact]
    public void A_library_without_TLS_says_so() =>
        Assert.Equal("udp has no tls security.", Bench.RefusalOf(Bench.Model, "--security tls"));

    // How the model takes these flags.
    static object? Settings(string[] words) => Call("Settings", "Parse", [words]);

    // Why its certificates are refused, and by which exit code.
    static (string Sentence, int ExitCode) FailureOf(string method, object?[] arguments)
    {
        var fault = Assert.Throws<TargetInvocationException>(() => Call("Certificates", method, arguments));
        var failure = fault.InnerException!;
        return (failure.Message, (int)failure.GetType().GetProperty("ExitCode")!.GetValue(failure)!);
    }

    // The model's own code, called in this process.
    static object? Call(string type, string method, object?[] arguments)
    {
        var own = Assembly.LoadFrom(Bench.PathOf(Model)).GetType(type)!;
        return own.GetMethod(method)!.Invoke(null, arguments);
    }

    static void AssertOwnersAlone(string path)
    {
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }
    }

    // One who knows the certificate is served; and the server then ends well.
    static void AssertServes(string bench, string port, Command server)
    {
        string[] client = ["client", "--port", port, .. MadeCertificate.Trusted, .. Bench.ByHand];
        Assert.True(Record.Sum(Counted.ByHand(Bench.Run(bench, client).WithCode(0).Records), "received") > 0);
        server.Stop();
        Assert.Empty(server.Wait().WithCode(0).Error);
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

    // Sends until all is sent, or the server drops who does not read or takes no more.
    sealed class UnreadSender
    {
        const int StuckMilliseconds = 300;

        readonly Thread thread;
        long progressedAt = Environment.TickCount64;

        public UnreadSender(Socket socket, int bytes)
        {
            thread = new(() => Send(socket, bytes)) { IsBackground = true };
            thread.Start();
        }

        public bool IsStuckOrDone =>
            !thread.IsAlive || Environment.TickCount64 - Volatile.Read(ref progressedAt) > StuckMilliseconds;

        void Send(Socket socket, int bytes)
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
                    Volatile.Write(ref progressedAt, Environment.TickCount64);
                }
            }
            catch (IOException)
            {
                // The server has dropped it.
            }
        }
    }
}
