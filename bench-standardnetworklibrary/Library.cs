using System.Net;
using System.Net.Sockets;
using System.Reflection;
using NetworkLibrary.TCP.ByteMessage;

/// <summary>StandardNetworkLibrary: asynchronous TCP, TLS, UDP and a reliable UDP in C#.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "standardnetworklibrary";

    /// <summary>The variant that is its reliable UDP.</summary>
    public const string Rudp = "rudp";

    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(ByteMessageTcpServer).Assembly;

    /// <summary>The package's: its makers leave that of the assembly as it was.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>Of --work those that it does, the first by default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>Of --delivery those that it has, the first by default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];
    /// <summary>Of --security those that it has, the first by default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>Its ways, the first by default, with the serializer of each: its TCP or UDP, and its reliable UDP.
    /// </summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Rudp] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "reliable-ordered is its TCP, with TLS its SSL, and of variant rudp its reliable "
        + "UDP; unreliable is its UDP. While a send is on its way it gathers the next messages into one: clients "
        + "queue them, the server copies them, as its page has it. It calls back on threads of the pool. Sockets of "
        + "its TCP have buffers of 128,000 bytes; Nagle is switched off where only its hooks show the socket. Its "
        + "server listens on all addresses; a client that leaves 128 MB unread makes a thread of its pool wait. A "
        + "length that no message has, from a stranger, would end its server: the bench goes on without that "
        + "connection. Its UDP drops what a socket does not take at once, and of a server's answers nobody is told. "
        + "Its TLS leaves the version to the system (clients insist on 1.3) and demands a certificate of clients, "
        + "too. Its reliable UDP loses what a client sends as soon as it is connected: connecting takes 0.1 s more, "
        + "for which its clients wait.";

    // Its limit of what is queued on a connection, beyond which a send waits for the other side.
    const long MostQueuedBytes = 128_000_000;
    // Tuned: the buffers of both sides of a connection.
    const long TunedBuffersBytes = 4_000_000;
    const int LengthBytes = 4;
    // That its UDP clients have a buffer for.
    const int MostDatagramBytes = 65_000;

    /// <summary>The knobs of the profile tuned and their values, each a property of its TCP servers or clients (in its
    /// makers' spelling), in bytes: both the socket's buffers and its own.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["ClientSendBufsize"] = 1_000_000,
        ["ClientReceiveBufsize"] = 1_000_000,
        ["SocketSendBufferSize"] = 1_000_000,
        ["SocketRecieveBufferSize"] = 1_000_000,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isRudp = settings.Variant == Rudp;
        bool isUdp = settings.Delivery == "unreliable";
        bool isTls = settings.Security == "tls";
        if (settings.EventsPercent > 0)
        {
            return $"{Name} has no connection that is reliable and unreliable at once: it has no --events-percent.";
        }
        if (settings.PollHz > 0)
        {
            return $"{Name} calls back as messages arrive and has no poll that --tick-hz could pace.";
        }
        if (IPAddress.TryParse(settings.Address, out IPAddress? address)
            && address.AddressFamily != AddressFamily.InterNetwork)
        {
            return $"Servers of {Name} listen on IPv4 alone.";
        }
        if (isRudp && isUdp)
        {
            return $"The variant {Rudp} of {Name} is reliable-ordered alone.";
        }
        if (isTls && (isRudp || isUdp))
        {
            return $"{Name} has TLS over TCP alone.";
        }
        if (settings.Profile == "tuned" && (isRudp || isUdp || isTls))
        {
            return $"The profile tuned of {Name} has knobs of its plain TCP alone.";
        }
        long tunedBytes = TunedBuffersBytes * settings.Clients;
        if (settings.Profile == "tuned" && tunedBytes > GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2)
        {
            return $"The profile tuned of {Name} has {tunedBytes / 1e9:0.0} GB of buffers for {settings.Clients:N0} "
                + "clients, over half of this machine's memory.";
        }
        if (isRudp && settings.Work == Settings.Stream)
        {
            return $"The variant {Rudp} of {Name} keeps all that it is given and does not tell how much that is, so "
                + "that nothing would bound a stream.";
        }
        if (isRudp && settings.Churn > 0)
        {
            return $"The variant {Rudp} of {Name} loses what a client says just after it has connected: it has no "
                + "--churn.";
        }
        if (isUdp && Message.MostBytes(settings) > MostDatagramBytes)
        {
            return $"A datagram of {Name} takes at most {MostDatagramBytes} bytes.";
        }
        return (long)settings.Parallel * (LengthBytes + settings.PayloadBytes) > MostQueuedBytes
            ? $"{Name} has room for {MostQueuedBytes} bytes in flight a connection; --parallel times --payload-bytes "
                + "exceeds that."
            : Exchange.Limit(settings);
    }

    /// <summary>A TCP server or client with the knobs turned that the profile asks for.</summary>
    public static T Tune<T>(T side, Settings settings) where T : notnull
    {
        if (settings.Profile == "tuned")
        {
            foreach ((string knob, object value) in Tuned!)
            {
                // A knob is the servers' or the clients' or both sides'.
                side.GetType().GetProperty(knob)?.SetValue(side, value);
            }
        }
        return side;
    }
}
