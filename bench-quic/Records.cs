using System.Runtime;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Serialization;

/// <summary>Writes JSON lines to stdout: what a side says of itself, and what it counted.</summary>
static class Records
{
    /// <summary>Version of the record format.</summary>
    public const int Version = 10;

    // Names become snake_case, nulls stay.
    static readonly JsonSerializer serializer = JsonSerializer.Create(new JsonSerializerSettings
    {
        ContractResolver = new DefaultContractResolver { NamingStrategy = new SnakeCaseNamingStrategy() },
    });

    static readonly Lock writing = new();

    // As read back; null where the library hides them.
    static int? socketReceiveBufferBytes;
    static int? socketSendBufferBytes;

    static readonly string startDone = Done("start");
    static readonly string beginDone = Done("begin");
    static readonly string endDone = Done("end");

    /// <summary>True once this side has said that it is ready.</summary>
    public static bool IsReady { get; private set; }

    /// <summary>Notes the effective buffers of a socket, in bytes.</summary>
    public static void SetSocketBuffers(int receiveBytes, int sendBytes)
    {
        socketReceiveBufferBytes = receiveBytes;
        socketSendBufferBytes = sendBytes;
    }

    /// <summary>Says that this side listens or, after so many seconds, that all its clients are connected and greeted.
    /// </summary>
    public static void WriteReady(Settings settings, double? connectSeconds = null)
    {
        IsReady = true;
        Write("ready", OfLibrary(), new
        {
            Flags = settings,
            Tuning = settings.Profile == "tuned" ? Library.Tuned! : [],
            TickS = Library.TickSeconds(settings),
            Waits = settings.PollHz > 0 ? "sleeps" : Library.Waits(settings),
            ConnectS = connectSeconds,
            HelloNs = Greeting.RoundTripNs,
            SocketReceiveBufferBytes = socketReceiveBufferBytes,
            SocketSendBufferBytes = socketSendBufferBytes,
            Serializer = Library.Variants[settings.Variant],
            DotnetVersion = Environment.Version.ToString(),
            Environment.ProcessId,
            Environment.ProcessorCount,
            ServerGc = GCSettings.IsServerGC,
            ConcurrentGc = GCSettings.LatencyMode != GCLatencyMode.Batch,
        });
    }

    /// <summary>Says what the library can do, and why it cannot do the load of these settings; null: it can.</summary>
    public static void WriteInfo(string? refusal)
    {
        Write("info", OfLibrary(), new
        {
            Library.Works,
            Library.Deliveries,
            Library.Variants,
            Library.Securities,
            Tuning = Library.Tuned,
            Refusal = refusal,
        });
    }

    /// <summary>Says what was counted since the last drain, so far; of a stream and of compiled methods since the
    /// process started.</summary>
    public static void WriteCount()
    {
        Window.Tallies sum = Window.Sum();
        sum.Inside.Merge(sum.Outside);
        Counters now = Counters.Read();
        Write("count", new
        {
            sum.Inside.Sent,
            sum.Inside.Completed,
            sum.Inside.Lost,
            sum.Inside.Corrupt,
            sum.Inside.Failed,
            sum.Inside.TimedOut,
            sum.Inside.Duplicates,
            now.Totals.Streamed,
            now.CompiledMethods,
        });
    }

    /// <summary>Writes the record of <see cref="Counted(string, object)"/>.</summary>
    public static void WriteCounted(string record, object content) => WriteLine(Counted(record, content));

    /// <summary>The line of a record with what was counted since the last drain: in the window, if there was one, and
    /// at all other times.</summary>
    public static string Counted(string record, object content)
    {
        Window.Tallies sum = Load.Sum();
        (Counters inside, Counters outside) = Window.Used();
        // Nothing says when a call failed: all failures stand with the window, if there is one.
        Dictionary<string, long> failures = Failures.Take();
        Dictionary<string, long> none = [];
        return LineOf(record, content, new
        {
            Window = Window.Exists ? Counted(inside, sum.Inside, failures, GcPauses.LongestInsideNs) : null,
            Other = Counted(outside, sum.Outside, Window.Exists ? none : failures, GcPauses.LongestOutsideNs),
        });
    }

    /// <summary>Writes one record as a line: the parts' fields, one after the other.</summary>
    public static void Write(string record, params object[] parts) => WriteLine(LineOf(record, parts));

    /// <summary>Answers a command that has nothing to tell, without allocating anything.</summary>
    public static void WriteDone(string command)
    {
        WriteLine(command switch
        {
            "start" => startDone,
            "begin" => beginDone,
            _ => endDone,
        });
    }

    static string Done(string command) => $$"""{"v":{{Version}},"record":"{{command}}"}""";

    static object OfLibrary() => new
    {
        LibraryVersion = Library.Version,
        LibraryFile = Library.Assembly.Location,
        Library.Note,
    };

    // A client's messages by its tally, a server's, which has no outcomes, by its totals.
    static object Counted(Counters used, Tally tally, Dictionary<string, long> failures, long gcLongestPauseNs)
    {
        bool isClient = Program.Side == "client";
        return new
        {
            ElapsedNs = Window.Ns(used.At),
            Sent = isClient ? tally.Sent : used.Totals.Sent,
            Received = isClient ? tally.Received : used.Totals.Received,
            Bytes = isClient ? tally.Bytes : used.Totals.Bytes,
            used.Totals.Streamed,
            used.Totals.StreamCorrupt,
            used.Totals.StreamRepeated,
            used.Totals.StreamDisordered,
            used.Totals.Ticks,
            used.Totals.TicksLate,
            used.Totals.TicksMissed,
            used.Totals.Passes,
            used.Totals.IdlePasses,
            used.CpuUserNs,
            used.CpuSystemNs,
            used.Gc0Count,
            used.Gc1Count,
            used.Gc2Count,
            used.GcPauseNs,
            GcLongestPauseNs = gcLongestPauseNs,
            used.AllocatedBytes,
            used.RssBytes,
            used.CompiledMethods,
            Outcomes = isClient ? Outcomes(tally, failures) : null,
        };
    }

    static object Outcomes(Tally tally, Dictionary<string, long> failures) => new
    {
        tally.ReceivedLate,
        tally.Lost,
        tally.Corrupt,
        tally.Failed,
        tally.TimedOut,
        Failures = failures,
        tally.Unanswered,
        tally.Completed,
        tally.LateArrivals,
        tally.Duplicates,
        tally.Foreign,
        tally.NotSent,
        InFlightNs = Window.Ns(tally.InFlightTicks),
        IdleNs = Window.Ns(tally.IdleTicks),
        PauseNs = Window.Ns(tally.PauseTicks),
        RttMinNs = tally.RoundTrips.Count > 0 ? tally.RoundTrips.MinNs : (long?)null,
        RttMaxNs = tally.RoundTrips.Count > 0 ? tally.RoundTrips.MaxNs : (long?)null,
        RttSumNs = tally.RoundTrips.SumNs,
        RttNs = tally.RoundTrips.Sparse(),
        SendLagNs = tally.SendLags.Sparse(),
        tally.DeliveriesDue,
        tally.Deliveries,
        tally.DeliveriesMissing,
        tally.DeliveriesCorrupt,
        tally.DeliveriesRepeated,
        tally.DeliveriesDisordered,
        tally.DeliveriesInTime,
        tally.Leaves,
        tally.ConnectionsLost,
        tally.InputWaits,
        tally.InputWaitNs,
        DeliveryNs = tally.DeliveryDelays.Sparse(),
        SpreadNs = tally.Spreads.Sparse(),
        JitterNs = tally.Jitters.Sparse(),
        JoinNs = tally.JoinTimes.Sparse(),
    };

    static JObject Fields(params object[] parts)
    {
        return new JObject(parts.SelectMany(part => JObject.FromObject(part, serializer).Properties()));
    }

    static string LineOf(string record, params object[] parts)
    {
        JObject line = Fields([new { V = Version, Record = record, Library = Library.Name, Program.Side }, .. parts]);
        return line.ToString(Formatting.None);
    }

    /// <summary>Writes a line of stdout.</summary>
    public static void WriteLine(string line)
    {
        lock (writing)
        {
            Console.Out.WriteLine(line);
        }
    }
}
