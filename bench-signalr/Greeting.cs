using System.Diagnostics;
using System.Text;

/// <summary>The first message or call of a run, and its answer: they compare record version, work, variant, delivery
/// and payload size of both sides, say the versions of their library, which may differ, and are not counted.</summary>
static class Greeting
{
    /// <summary>The most that a greeting has.</summary>
    public const int MostBytes = 256;

    // No message that is counted begins so: these would be the bytes of a client beyond the most that there may be.
    const string RequestPrefix = "hello client ";
    const string ReplyPrefix = "hello server ";
    // The same as bytes.
    static ReadOnlySpan<byte> RequestPrefixBytes => "hello client "u8;
    static ReadOnlySpan<byte> ReplyPrefixBytes => "hello server "u8;
    // Words of a greeting ahead of the library's version, as in "hello server v10 udp 1.2.3".
    const int VersionPlace = 4;
    static long roundTripTicks = -1;

    /// <summary>What the clients say.</summary>
    public static string Request { get; private set; } = "";

    /// <summary>What the server answers.</summary>
    public static string Reply { get; private set; } = "";

    /// <summary>What the clients say, as a message.</summary>
    public static byte[] RequestBytes { get; private set; } = [];

    /// <summary>What the server answers, as a message.</summary>
    public static byte[] ReplyBytes { get; private set; } = [];

    /// <summary>True once the server has answered.</summary>
    public static bool IsAnswered => Volatile.Read(ref roundTripTicks) >= 0;

    /// <summary>How long the greeting and its answer took, in ticks of the Stopwatch.</summary>
    public static long RoundTripTicks => Volatile.Read(ref roundTripTicks);

    /// <summary>The same in ns; null before the answer.</summary>
    public static long? RoundTripNs => IsAnswered ? Window.Ns(RoundTripTicks) : null;

    /// <summary>Makes the texts of these settings.</summary>
    public static void Set(Settings settings)
    {
        string content = $"v{Records.Version} {Library.Name} {Library.Version} {settings.Work} {settings.Variant} "
            + $"{settings.Delivery} {settings.PayloadBytes}"
            + (settings.HasRooms ? $" {settings.Clients} {settings.Room}" : "")
            + (settings.Work == Settings.Game ? $" {settings.SnapshotBytes} {settings.TickHz}" : "");
        Request = RequestPrefix + content;
        Reply = ReplyPrefix + content;
        RequestBytes = Encoding.UTF8.GetBytes(Request);
        ReplyBytes = Encoding.UTF8.GetBytes(Reply);
    }

    /// <summary>Whether a text is a greeting of a client.</summary>
    public static bool IsRequest(string text) => text.StartsWith(RequestPrefix, StringComparison.Ordinal);

    /// <summary>Whether a message is a greeting of a client.</summary>
    public static bool IsRequest(ReadOnlySpan<byte> message) => message.StartsWith(RequestPrefixBytes);

    /// <summary>Whether a message is the answer of a server.</summary>
    public static bool IsReply(ReadOnlySpan<byte> message) => message.StartsWith(ReplyPrefixBytes);

    /// <summary>Takes an answer to what was sent at a time, in ticks of the Stopwatch; fails where it is
    /// another's.</summary>
    public static void TakeReply(string reply, long sentAt, Settings settings)
    {
        if (WithoutVersion(reply) == WithoutVersion(Reply))
        {
            Interlocked.CompareExchange(ref roundTripTicks, Stopwatch.GetTimestamp() - sentAt, -1);
            return;
        }
        // The library's own threads may keep what is thrown there to themselves.
        Program.Exit(new Failure(!reply.StartsWith(ReplyPrefix, StringComparison.Ordinal)
            ? $"What answers on {settings.Address}:{settings.Port} is no server of this bench."
            : $"The server runs with other settings: it says '{reply}', this client expects '{Reply}'."));
    }

    static string WithoutVersion(string greeting)
    {
        string[] words = greeting.Split(' ');
        return string.Join(' ', words.Where((_, place) => place != VersionPlace));
    }
}
