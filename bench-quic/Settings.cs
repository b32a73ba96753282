using System.Globalization;
using System.Net;
using Newtonsoft.Json.Linq;

/// <summary>A sentence for whoever started this process, and its exit code.</summary>
sealed class Failure(string sentence, int exitCode = Program.Failed) : Exception(sentence)
{
    /// <summary>One of Program's.</summary>
    public int ExitCode { get; } = exitCode;
}

/// <summary>Every setting of a side; each is the flag of the same name, as --payload-bytes is PayloadBytes. The runner
/// knows their ranges and explains them; here is refused only what would make no sense at all.</summary>
sealed record Settings
{
    /// <summary>The work whose messages come back. It and the three below have messages of bytes; all others are calls.
    /// </summary>
    public const string Echo = "echo";
    /// <summary>The work whose messages go one way.</summary>
    public const string Stream = "stream";
    /// <summary>The work whose messages go to all clients of a room.</summary>
    public const string Broadcast = "broadcast";
    /// <summary>The work of players whose server ticks.</summary>
    public const string Game = "game";
    /// <summary>The delivery whose messages may get lost.</summary>
    public const string Unreliable = "unreliable";

    // After so many seconds without progress something has failed; the other side may be far.
    const int NearPatienceSeconds = 12;
    const int FarPatienceSeconds = 30;
    const int UsualTimeoutMs = 1_000;
    const int UsualCallTimeoutMs = 10_000;

    /// <summary>What is done; by default the first that the bench does.</summary>
    public string Work { get; init; } = Library.Works[0];
    /// <summary>By default the library's first delivery mode.</summary>
    public string Delivery { get; init; } = Library.Deliveries[0];
    /// <summary>Which of the library's ways; by default its first.</summary>
    public string Variant { get; init; } = Library.Variants.Keys.First();
    /// <summary>default: the library as it comes; tuned: with its knobs for this load.</summary>
    public string Profile { get; init; } = "default";
    /// <summary>none, or tls.</summary>
    public string Security { get; init; } = "none";
    /// <summary>Clients of this process, each with a connection of its own; of a server, all of them.</summary>
    public int Clients { get; init; } = 1;
    /// <summary>The number of this process's first client, among those of all client processes.</summary>
    public int FirstClient { get; init; }
    /// <summary>Messages in flight per client, in a closed loop.</summary>
    public int Parallel { get; init; } = 1;
    /// <summary>Bytes per message, header included.</summary>
    public int PayloadBytes { get; init; } = 32;
    /// <summary>Content of the messages: random, zeros or ones.</summary>
    public string Payload { get; init; } = "random";
    /// <summary>Seed of the random payload.</summary>
    public int Seed { get; init; } = 1;
    /// <summary>Messages per second over all clients of this process; 0: closed loop.</summary>
    public int Rate { get; init; }
    /// <summary>Milliseconds after which a message that may get lost is given up, or a call; 0: as is usual.</summary>
    public int LossTimeoutMs { get; init; }
    /// <summary>Clients per room; 0: all are in one.</summary>
    public int Room { get; init; }
    /// <summary>Ticks per second of a game's server.</summary>
    public int TickHz { get; init; } = 30;
    /// <summary>Bytes of what a game's server sends each player at a tick, head included.</summary>
    public int SnapshotBytes { get; init; } = 1_000;
    /// <summary>Address that the server listens on and the clients reach.</summary>
    public string Address { get; init; } = "127.0.0.1";
    /// <summary>Port that the server listens on.</summary>
    public int Port { get; init; } = 9050;
    /// <summary>PKCS #12 file with the certificate that this side shows.</summary>
    public string Certificate { get; init; } = "";
    /// <summary>SHA-256 of the server's certificate, in hexadecimal: clients trust no other.</summary>
    public string CertificateSha256 { get; init; } = "";
    /// <summary>By hand: how long to send; 0: until Ctrl-C.</summary>
    public int Seconds { get; init; }

    internal bool MakesCalls => Work is not (Echo or Stream or Broadcast or Game);
    internal int TimeoutMs => LossTimeoutMs > 0 ? LossTimeoutMs : MakesCalls ? UsualCallTimeoutMs : UsualTimeoutMs;
    internal bool HasRooms => Work is Broadcast or Game;
    internal int PatienceSeconds => IPAddress.IsLoopback(Endpoint.Address) ? NearPatienceSeconds : FarPatienceSeconds;
    internal IPEndPoint Endpoint => new(Program.Resolve(Address), Port);

    /// <summary>The room of one of this process's clients.</summary>
    public int RoomOf(int index) => Room == 0 ? 0 : (FirstClient + index) / Room;

    /// <summary>The flags, as help names them.</summary>
    public static IEnumerable<string> Flags =>
        JObject.FromObject(new Settings(), Records.Json).Properties().Select(property => FlagOf(property.Name));

    /// <summary>The settings of a command line such as --clients 100 --parallel 10.</summary>
    public static Settings Parse(IReadOnlyList<string> words)
    {
        JObject json = JObject.FromObject(new Settings(), Records.Json);
        Dictionary<string, JProperty> left = json.Properties().ToDictionary(property => FlagOf(property.Name));
        string[] flags = [.. left.Keys];
        for (int word = 0; word < words.Count; word += 2)
        {
            string flag = words[word];
            Require(flags.Contains(flag), $"There is no flag '{flag}'.");
            Require(left.Remove(flag, out JProperty? property), $"{flag} is given twice.");
            Require(word + 1 < words.Count, $"{flag} takes a value.");
            property!.Value = ValueOf(flag, words[word + 1], property.Value.Type);
        }
        Settings settings = json.ToObject<Settings>(Records.Json)!;
        settings.Check();
        return settings;
    }

    static JValue ValueOf(string flag, string text, JTokenType type)
    {
        if (type == JTokenType.String)
        {
            return new JValue(text);
        }
        bool isNumber = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number);
        Require(isNumber, $"{flag} takes a whole number, not '{text}'.");
        return new JValue(number);
    }

    void Check()
    {
        Require(Clients >= 1, "--clients must be 1 or more.");
        Require(Parallel >= 1, "--parallel must be 1 or more.");
        Require(PayloadBytes >= 24, "--payload-bytes must be 24 or more: so many bytes has the header.");
        Require(SnapshotBytes >= 56, "--snapshot-bytes must be 56 or more.");
        Require(Payload is "random" or "zeros" or "ones", $"--payload is random, zeros or ones, not '{Payload}'.");
        Require(TickHz >= 1, "--tick-hz must be 1 or more.");
        Require(Port is >= 1 and <= ushort.MaxValue, "--port must be 1 to 65535.");
    }

    static void Require(bool holds, string sentence)
    {
        if (!holds)
        {
            throw new Failure(sentence, Program.WrongUsage);
        }
    }

    static string FlagOf(string name) => "--" + name.Replace('_', '-');
}
