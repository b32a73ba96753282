using System.Runtime;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Serialization;

/// <summary>What a side says when it listens, or when its clients are connected after so many seconds. Socket buffers
/// are null where the library hides them.</summary>
sealed record Ready(JObject Flags, Dictionary<string, object> Tuning, double? TickS, string Waits, double? ConnectS,
    int? SocketReceiveBufferBytes, int? SocketSendBufferBytes, string Serializer, string DotnetVersion,
    int ProcessId, int ProcessorCount, bool ServerGc, bool ConcurrentGc);

/// <summary>What the library can do, and why it cannot do the load of the flags given; null: it can.</summary>
sealed record Info(string[] Works, string[] Deliveries, Dictionary<string, string> Variants, string[] Securities,
    Dictionary<string, object>? Tuning, string? Refusal);

/// <summary>Writes JSON lines to stdout.</summary>
static class Records
{
    /// <summary>Version of the record format.</summary>
    public const int Version = 11;

    /// <summary>Names as records have them.</summary>
    public static readonly JsonSerializer Json = JsonSerializer.Create(new JsonSerializerSettings
    {
        ContractResolver = new DefaultContractResolver { NamingStrategy = new SnakeCaseNamingStrategy() },
    });

    static readonly SnakeCaseNamingStrategy naming = new();
    static readonly Lock writing = new();
    // Lines that are made once, so that nothing is allocated as a window opens.
    static readonly Dictionary<string, string> done =
        new[] { "start", "begin", "end", "leave" }.ToDictionary(command => command, command => LineOf(command));

    /// <summary>Whether this side has said that it is ready.</summary>
    public static bool IsReady { get; private set; }
    /// <summary>The effective buffers of a socket, in bytes.</summary>
    public static (int? Receive, int? Send) SocketBuffers { get; set; }

    /// <summary>Says that this side listens, or that all its clients are connected.</summary>
    public static void WriteReady(Settings settings, double? connectSeconds = null)
    {
        JObject flags = JObject.FromObject(settings, Json);
        // A path of this machine, and what is of no run that is led.
        flags.Remove("certificate");
        flags.Remove("seconds");
        IsReady = true;
        Write("ready", OfLibrary(), new Ready(flags, settings.Profile == "tuned" ? Library.Tuned! : [],
            Library.TickSeconds(settings), Library.Waits(settings), connectSeconds, SocketBuffers.Receive,
            SocketBuffers.Send, Library.Variants[settings.Variant], Environment.Version.ToString(),
            Environment.ProcessId, Environment.ProcessorCount, GCSettings.IsServerGC,
            GCSettings.LatencyMode != GCLatencyMode.Batch));
    }

    /// <summary>Says what the library can do.</summary>
    public static void WriteInfo(string? refusal) => Write("info", OfLibrary(), new Info(Library.Works,
        Library.Deliveries, Library.Variants, Library.Securities, Library.Tuned, refusal));

    /// <summary>Answers a command that has nothing to tell.</summary>
    public static void WriteDone(string command) => WriteLine(done[command]);

    /// <summary>Writes what was counted since the last drain: in the window, if there was one, and at all other times.
    /// </summary>
    public static void WriteCounted(string record, object? more = null) => WriteLine(Counted(record, more));

    static string Counted(string record, object? more = null)
    {
        Window.Tallies sum = Window.Sum();
        (Usage inside, Usage outside) = Window.Used();
        JObject? window = Window.Exists ? PartOf(inside with { ElapsedNs = Window.ElapsedNs }, sum.Inside) : null;
        JObject other = PartOf(outside, sum.Outside);
        // Nothing says when a call failed: all failures stand with the window, if there is one.
        if ((window ?? other)["outcomes"] is JObject outcomes)
        {
            outcomes["failures"] = JObject.FromObject(Window.Failures);
        }
        return LineOf(record, more ?? new object(), new JObject { ["window"] = window, ["other"] = other });
    }

    /// <summary>Answers a drain, and forgets what was counted. It is forgotten before the answer is written, because
    /// whoever reads the answer may let messages come at once.</summary>
    public static void WriteDrained()
    {
        string counted = Counted("drain");
        Window.Clear();
        WriteLine(counted);
    }

    /// <summary>Writes one record as a line: the fields of the parts, one after the other.</summary>
    public static void Write(string record, params object[] parts) => WriteLine(LineOf(record, parts));

    static void WriteLine(string line)
    {
        lock (writing)
        {
            Console.Out.WriteLine(line);
        }
    }

    static object OfLibrary() => new
    {
        LibraryVersion = Library.Version,
        LibraryFile = Library.Assembly.Location,
        Library.Note,
    };

    // A server has no outcomes.
    static JObject PartOf(Usage used, Tally tally)
    {
        JObject part = JObject.FromObject(used, Json);
        var outcomes = new JObject { ["failures"] = new JObject() };
        foreach (Count count in Tally.All)
        {
            bool isOutcome = count is >= Count.Lost and <= Count.Deliveries;
            string name = naming.GetPropertyName(count.ToString(), hasSpecifiedName: false);
            (isOutcome ? outcomes : part)[name] = tally[count];
        }
        // What is left of those sent: after a drain nothing, but for messages at a window's edge, of which one part may
        // have -1 and the other 1.
        outcomes["unanswered"] = tally[Count.Sent] - tally.Ended;
        outcomes["rtt_sum_ns"] = tally.RoundTrips.SumNs;
        outcomes["rtt_ns"] = JArray.FromObject(tally.RoundTrips.Filled());
        outcomes["send_lag_ns"] = JArray.FromObject(tally.SendLags.Filled());
        outcomes["delivery_ns"] = JArray.FromObject(tally.Deliveries.Filled());
        part["outcomes"] = Program.Side == "client" ? outcomes : null;
        return part;
    }

    static string LineOf(string record, params object[] parts)
    {
        var line = new JObject
        {
            ["v"] = Version,
            ["record"] = record,
            ["library"] = Library.Name,
            ["side"] = Program.Side,
        };
        foreach (object part in parts)
        {
            line.Merge(JObject.FromObject(part, Json));
        }
        return line.ToString(Formatting.None);
    }
}
