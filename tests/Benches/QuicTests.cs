using System.Net;
using System.Net.Quic;
using System.Net.Security;
using System.Runtime.Versioning;

/// <summary>QUIC needs a library of the system, its variants are of different delivery modes, and its clients may do
/// what no client of TCP can.</summary>
[SupportedOSPlatform("linux"), SupportedOSPlatform("macos"), SupportedOSPlatform("windows")]
public sealed class QuicTests
{
    const string Quic = "bench-quic";

    // The first four of them are a length that no message has.
    static readonly byte[] rubbish = [.. Enumerable.Repeat((byte)0xff, 5_000)];

    // What strangers send, and whether they then reset the stream.
    static readonly (byte[] Sent, bool Resets)[] strangers =
    [
        ([1], false),
        (rubbish, false),
        ([1, 0], true),
        (rubbish, true),
    ];

    // A file that is no library, and one that lacks what is called: a libmsquic of long ago.
    [Theory, InlineData(false), InlineData(true)]
    public void Without_a_libmsquic_that_fits_it_is_unavailable_with_a_sentence_that_says_how_to_get_it(bool isLibrary)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test hides a library as Linux finds it.");
        Assert.SkipUnless(Bench.IsBuilt(Quic), $"{Quic} is not built.");
        using var scratch = new Scratch();
        var ofRuntime = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "libSystem.Native.so");
        // Found before any other of the name.
        foreach (var name in new[] { "libmsquic.so.2", "libmsquic.so" })
        {
            if (isLibrary)
            {
                File.Copy(ofRuntime, scratch.PathOf(name));
            }
            else
            {
                File.WriteAllText(scratch.PathOf(name), "This is no library.");
            }
        }
        Ended Run(params string[] words)
        {
            (string, string)[] hidden = [("LD_LIBRARY_PATH", scratch.Folder)];
            using var command = Command.StartIn(scratch.Folder, hidden, "dotnet", words);
            command.CloseInput();
            return command.Wait();
        }

        var refusal = (string)Run(Bench.PathOf(Quic), "info").WithCode(0).Records[0]["refusal"]!;
        Assert.All(["unavailable", "libmsquic", "Debian", "Alpine", "Windows"], word => Assert.Contains(word, refusal));
        if (isLibrary)
        {
            // Only the cause differs: the other row holds what is made of it.
            return;
        }
        // What decides it is the same on both sides.
        Assert.Equal(refusal, (string?)Run(Bench.PathOf(Quic), "client").Failure(3)["reason"]);
        string[] built = [Tool.LeadPath, "built", "--library", Bench.LibraryOf(Quic)];
        var error = Assert.Single(Run(built).WithCode(0).Records);
        Assert.Equal(("unavailable", refusal), ((string?)error["kind"], (string?)error["reason"]));
        Run([.. built, "--strict"]).WithCode(1);
    }

    [Fact]
    public void Streams_of_their_own_are_of_the_mode_without_order_alone()
    {
        SkipWithout();
        string Refusal(string variant, string delivery) =>
            Bench.RefusalOf(Quic, $"--variant {variant} --delivery {delivery}")!;

        Assert.Contains("--variant streams", Refusal("default", "reliable-unordered"));
        Assert.Contains("--delivery reliable-unordered", Refusal("streams", "reliable-ordered"));
    }

    [Theory, InlineData("default", "reliable-ordered"), InlineData("streams", "reliable-unordered")]
    public async Task Who_resets_a_stream_or_sends_rubbish_holds_nobody_up(string variant, string delivery)
    {
        SkipWithout();
        string[] way = ["--variant", variant, "--delivery", delivery];
        var (server, port) = Bench.StartServer(Quic, way);
        using (server)
        {
            if (variant == "default")
            {
                AssertIsTaken(port);
            }
            foreach (var (sent, resets) in strangers)
            {
                await Meet(int.Parse(port), variant, sent, resets, TestContext.Current.CancellationToken);
            }
            var ended = Bench.Run(Quic, ["client", "--port", port, .. way, .. Bench.ByHand]).WithCode(0);
            Assert.True(Record.Sum(Counted.ByHand(ended.Records), "received") > 0);
            server.Stop();
            Assert.Empty(server.Wait().WithCode(0).Error);
        }
    }

    // libmsquic would share a port that another of these servers has.
    static void AssertIsTaken(string port)
    {
        var reason = (string?)Bench.Run(Quic, "server", "--port", port).Failure()["reason"];
        Assert.StartsWith($"Cannot listen on 127.0.0.1:{port}: ", reason);
    }

    static async Task Meet(int port, string variant, byte[] sent, bool resets, CancellationToken cancelled)
    {
        var type = variant == "streams" ? QuicStreamType.Unidirectional : QuicStreamType.Bidirectional;
        await using var connection = await QuicConnection.ConnectAsync(OptionsOf(port), cancelled);
        await using var stream = await connection.OpenOutboundStreamAsync(type, cancelled);
        await stream.WriteAsync(sent, cancelled);
        if (resets)
        {
            stream.Abort(QuicAbortDirection.Write, 7);
        }
        await Task.Delay(50, cancelled); // what the server makes of it
    }

    static QuicClientConnectionOptions OptionsOf(int port) => new()
    {
        RemoteEndPoint = new IPEndPoint(IPAddress.Loopback, port),
        DefaultStreamErrorCode = 0,
        DefaultCloseErrorCode = 0,
        ClientAuthenticationOptions = new SslClientAuthenticationOptions
        {
            ApplicationProtocols = [new("bench")],
            TargetHost = "localhost",
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        },
    };

    static void SkipWithout()
    {
        var reason = Bench.All.Single(row => row.Data == Quic).Skip;
        Assert.SkipWhen(reason != null, $"{reason}");
    }
}
