using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using NetworkLibrary.TCP.ByteMessage;

/// <summary>StandardNetworkLibrary: asynchronous TCP, TLS, UDP and a reliable UDP in C#.</summary>
static class Library
{
    public const string Name = "standardnetworklibrary", Rudp = "rudp";
    public static readonly Assembly Assembly = typeof(ByteMessageTcpServer).Assembly;
    /// <summary>The package's: its makers leave that of the assembly as it was.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];
    /// <summary>Its variants, the first by default, with the serializer of each: its TCP or UDP, and its reliable UDP.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Rudp] = "bytes" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "reliable-ordered is its TCP, with TLS its SSL, and of variant rudp its reliable UDP; unreliable is its UDP. While a send is on its way it gathers the " +
        "next messages into one: clients queue them, the server copies them, as its page has it. Callbacks come on pool threads, so clients of a thread share a lock. Sockets of its TCP have " +
        "buffers of 128,000 bytes; Nagle is switched off where only its hooks show the socket. Its server listens on all addresses; a client that leaves 128 MB unread makes a thread of its pool wait. " +
        "A length that no message has, from a stranger, would end its server: the bench goes on without that connection. Its UDP drops what a socket does not take at once, and of a server's " +
        "answers nobody is told. Its TLS leaves the version to the system (clients insist on 1.3) and demands a certificate of clients, too.";

    /// <summary>Its limit of what is queued a connection, beyond which a send waits for the other side; tuned, the buffers of both sides; in bytes.</summary>
    const long MostQueuedBytes = 128_000_000, TunedBuffersBytes = 4_000_000;
    const int LengthBytes = 4, MostDatagramBytes = 65_000; // that its UDP clients have a buffer for
    static bool contained;

    /// <summary>The knobs of the profile `tuned` and their values, each a property of its TCP servers or clients (in its makers'
    /// spelling), in bytes: both the socket's buffers and its own; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["ClientSendBufsize"] = 1_000_000, ["ClientReceiveBufsize"] = 1_000_000,
        ["SocketSendBufferSize"] = 1_000_000, ["SocketRecieveBufferSize"] = 1_000_000,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) =>
        settings.TickHz > 0 ? $"{Name} calls back as messages arrive and has no poll that --tick-hz could pace."
        : IPAddress.TryParse(settings.Address, out var address) && address.AddressFamily != AddressFamily.InterNetwork ? $"Servers of {Name} listen on IPv4 alone."
        : settings.Variant == Rudp && settings.Delivery == "unreliable" ? $"The variant {Rudp} of {Name} is reliable-ordered alone."
        : settings.Security == "tls" && (settings.Variant == Rudp || settings.Delivery == "unreliable") ? $"{Name} has TLS over TCP alone."
        : settings.Profile == "tuned" && (settings.Variant == Rudp || settings.Delivery == "unreliable" || settings.Security == "tls") ? $"The profile tuned of {Name} has knobs of its plain TCP alone."
        : settings.Profile == "tuned" && TunedBuffersBytes * settings.Clients is var bytes && bytes > GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2 ? $"The profile tuned of {Name} has {bytes / 1e9:0.0} GB of buffers for {settings.Clients:N0} clients, over half of this machine's memory."
        : settings.Variant == Rudp && settings.Work == "stream" ? $"The variant {Rudp} of {Name} keeps all that it is given and does not tell how much that is, so that nothing would bound a stream."
        : settings.Delivery == "unreliable" && settings.PayloadBytes > MostDatagramBytes ? $"A datagram of {Name} takes at most {MostDatagramBytes} bytes."
        : (long)settings.Parallel * (LengthBytes + settings.PayloadBytes) > MostQueuedBytes
            ? $"{Name} has room for {MostQueuedBytes} bytes in flight a connection; --parallel times --payload-bytes exceeds that." : null;

    /// <summary>A TCP server or client with the knobs turned that the profile asks for.</summary>
    public static T Tune<T>(T side, Settings settings) where T : notnull
    {
        if (settings.Profile == "tuned")
            foreach (var (knob, value) in Tuned!) side.GetType().GetProperty(knob)?.SetValue(side, value);
        return side;
    }

    /// <summary>A certificate that this process makes; of clients the library's TLS demands one too.</summary>
    public static X509Certificate2 MakeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var made = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // Windows takes no key that is in memory alone.
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }

    public static string Sha256(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant();

    /// <summary>Keeps what the library says on stdout off it, which is for records. Its reliable UDP has a thread that would keep
    /// the process alive: where there is one, the process ends when its main thread has ended.</summary>
    public static void Contain(Settings settings, Thread main)
    {
        if (Interlocked.Exchange(ref contained, true)) return;
        Console.SetOut(new RecordsAlone(Console.Out));
        if (settings.Variant != Rudp) return;
        RuntimeHelpers.RunClassConstructor(typeof(NetworkLibrary.UDP.Reliable.Components.Timer).TypeHandle); // which starts it
        new Thread(() => { while (main.IsAlive) Thread.Sleep(1); Environment.Exit(Program.Measured); }) { IsBackground = true }.Start();
    }

    sealed class RecordsAlone(TextWriter stdout) : TextWriter
    {
        public override Encoding Encoding => stdout.Encoding;
        public override void WriteLine(string? line)
        {
            if (line?.StartsWith('{') == true) stdout.WriteLine(line);
        }
    }
}
