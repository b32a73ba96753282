using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>Every setting of a side; each is the flag of the same name, as --payload-bytes is PayloadBytes. The runner
/// knows their ranges and explains them; here is refused only what would make no sense at all.</summary>
sealed partial record Settings
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

    /// <summary>What is done; by default the first that the bench does.</summary>
    public string Work { get; init; } = Library.Works[0];
    /// <summary>By default the library's first delivery mode.</summary>
    public string Delivery { get; init; } = Library.Deliveries[0];
    /// <summary>Clients over all client machines, each with a connection of its own.</summary>
    public int Clients { get; init; } = 1;
    /// <summary>Messages in flight per client, in a closed loop.</summary>
    public int Parallel { get; init; } = 1;
    /// <summary>Bytes per message, header included.</summary>
    public int PayloadBytes { get; init; } = 32;
    /// <summary>Content of the messages: random, zeros or ones.</summary>
    public string Payload { get; init; } = "random";
    /// <summary>Messages per second over all clients; 0: closed loop.</summary>
    public int Rate { get; init; }
    /// <summary>Polls per second of each side, and of a game ticks per second of the server; 0: as messages arrive.
    /// </summary>
    public int TickHz { get; init; }
    /// <summary>Clients per room; 0: all of a machine are in one.</summary>
    public int Room { get; init; }
    /// <summary>Bytes of what a game's server sends each player at a tick, head included.</summary>
    public int SnapshotBytes { get; init; } = 1_000;
    /// <summary>Of a game's inputs those that go reliable beside the others, in percent.</summary>
    public int EventsPercent { get; init; }
    /// <summary>Clients in rooms that do not read while a window is open.</summary>
    public int StalledClients { get; init; }
    /// <summary>Clients in rooms that leave and join again, per second.</summary>
    public int Churn { get; init; }
    /// <summary>Threads that the clients are spread over.</summary>
    public int ClientThreads { get; init; } = 1;
    /// <summary>Address that the server listens on and the clients reach.</summary>
    public string Address { get; init; } = "127.0.0.1";
    /// <summary>Port that the server listens on.</summary>
    public int Port { get; init; } = 9050;
    /// <summary>Seed of the random payload.</summary>
    public int Seed { get; init; } = 1;
    /// <summary>default: the library as it comes; tuned: with its knobs for this load.</summary>
    public string Profile { get; init; } = "default";
    /// <summary>Which of the library's ways; by default its first.</summary>
    public string Variant { get; init; } = Library.Variants.Keys.First();
    /// <summary>none, or tls.</summary>
    public string Security { get; init; } = "none";
    /// <summary>SHA-256 of the server's certificate, in hexadecimal: clients trust no other.</summary>
    public string CertificateSha256 { get; init; } = "";
    /// <summary>Machines that share the clients.</summary>
    public int ClientMachines { get; init; } = 1;
    /// <summary>Which share of the clients this process takes, from 0.</summary>
    public int ClientMachine { get; init; }

    /// <summary>PKCS #12 file with the certificate that this side shows.</summary>
    public string Certificate { get; init; } = "";
    /// <summary>By hand: how long to send; 0: until Ctrl-C.</summary>
    public int Seconds { get; init; }
    /// <summary>By hand: how many messages each client sends; 0: all that are due.</summary>
    public int Messages { get; init; }

    /// <summary>The first of this process's clients.</summary>
    public int FirstClient => (int)((long)Clients * ClientMachine / ClientMachines);
    /// <summary>How many clients it has.</summary>
    public int OwnClients => (int)((long)Clients * (ClientMachine + 1) / ClientMachines) - FirstClient;
    /// <summary>True where what is in flight are calls.</summary>
    public bool MakesCalls => Work is not (Echo or Stream or Broadcast or Game);
    /// <summary>True where clients are in rooms.</summary>
    public bool HasRooms => Work is Broadcast or Game;
    /// <summary>Polls per second of each side; 0: as messages arrive.</summary>
    public int PollHz => Work == Game ? 0 : TickHz;

    static readonly Dictionary<string, PropertyInfo> flags = typeof(Settings).GetProperties()
        .Where(property => property.CanWrite).ToDictionary(FlagOf);

    // What no record has: a path of this machine, and how long or how many messages clients send by hand.
    static readonly string[] unrecorded = [nameof(Certificate), nameof(Seconds), nameof(Messages)];

    /// <summary>The settings of a command line such as --clients 100 --parallel 10.</summary>
    public static Settings Parse(IReadOnlyList<string> words)
    {
        var settings = new Settings();
        var given = new HashSet<string>();
        for (int word = 0; word < words.Count; word += 2)
        {
            string flag = words[word];
            if (!flags.TryGetValue(flag, out PropertyInfo? property))
            {
                throw new Failure($"There is no flag '{flag}'.", Program.WrongUsage);
            }
            if (word + 1 == words.Count)
            {
                throw new Failure($"{flag} takes a value.", Program.WrongUsage);
            }
            if (!given.Add(flag))
            {
                throw new Failure($"{flag} is given twice.", Program.WrongUsage);
            }
            property.SetValue(settings, ValueOf(flag, words[word + 1], property.PropertyType));
        }
        settings.Check();
        return settings;
    }

    /// <summary>The settings that a record holds, under their names there.</summary>
    public JObject ToJson()
    {
        var json = new JObject();
        foreach ((string flag, PropertyInfo property) in flags.Where(flag => !unrecorded.Contains(flag.Value.Name)))
        {
            json[flag[2..].Replace('-', '_')] = new JValue(property.GetValue(this));
        }
        return json;
    }

    /// <summary>The flags, as help names them.</summary>
    public static IEnumerable<string> Flags => flags.Keys;

    static object ValueOf(string flag, string text, Type type)
    {
        if (type == typeof(string))
        {
            return text;
        }
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number))
        {
            return number;
        }
        throw new Failure($"{flag} takes a whole number, not '{text}'.", Program.WrongUsage);
    }

    void Check()
    {
        Require(Clients >= 1, "--clients must be 1 or more.");
        Require(Parallel >= 1, "--parallel must be 1 or more.");
        Require(PayloadBytes >= 24, "--payload-bytes must be 24 or more: so many bytes has the header.");
        Require(ClientMachine < ClientMachines, "--client-machine must be below --client-machines.");
        Require(OwnClients >= 1, "--client-machines must be at most --clients.");
        Require(ClientThreads >= 1 && ClientThreads <= OwnClients,
            "--client-threads must be 1 or more, and at most the --clients of a machine.");
        Require(HasRooms || (Room == 0 && StalledClients == 0 && Churn == 0 && EventsPercent == 0),
            "--room, --stalled-clients, --churn and --events-percent are of broadcasts and games alone.");
        Require(!HasRooms || Room <= OwnClients, "--room must be at most the --clients of a machine.");
        Require(!HasRooms || new RoomPlan(this).FirstApart > 0,
            "--stalled-clients and twice --churn must be fewer than --clients.");
        Require(SnapshotBytes >= 56, "--snapshot-bytes must be 56 or more: so many bytes has a snapshot's head.");
        Require(EventsPercent <= 100, "--events-percent must be 100 or less.");
        Require(Port is >= 1 and <= ushort.MaxValue, "--port must be 1 to 65535.");
    }

    static void Require(bool holds, string sentence)
    {
        if (!holds)
        {
            throw new Failure(sentence, Program.WrongUsage);
        }
    }

    static string FlagOf(PropertyInfo property) => "--" + WordEnd().Replace(property.Name, "-").ToLowerInvariant();

    [GeneratedRegex("(?<=[a-z])(?=[A-Z])")]
    private static partial Regex WordEnd();
}
