using System.Runtime;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Writes JSON lines to stdout: what a side says of itself, and what it counted. Each field is named here as
/// the record has it: to find names by reflection would take a third of the CPU time in which a side starts.</summary>
static class Records
{
    /// <summary>Version of the record format.</summary>
    public const int Version = 10;

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
        Write("ready", OfLibrary(), new JObject
        {
            ["flags"] = settings.ToJson(),
            ["tuning"] = settings.Profile == "tuned" ? Map(Library.Tuned!) : [],
            ["tick_s"] = Library.TickSeconds(settings),
            ["waits"] = settings.PollHz > 0 ? "sleeps" : Library.Waits(settings),
            ["connect_s"] = connectSeconds,
            ["hello_ns"] = Greeting.RoundTripNs,
            ["socket_receive_buffer_bytes"] = socketReceiveBufferBytes,
            ["socket_send_buffer_bytes"] = socketSendBufferBytes,
            ["serializer"] = Library.Variants[settings.Variant],
            ["dotnet_version"] = Environment.Version.ToString(),
            ["process_id"] = Environment.ProcessId,
            ["processor_count"] = Environment.ProcessorCount,
            ["server_gc"] = GCSettings.IsServerGC,
            ["concurrent_gc"] = GCSettings.LatencyMode != GCLatencyMode.Batch,
        });
    }

    /// <summary>Says what the library can do, and why it cannot do the load of these settings; null: it can.</summary>
    public static void WriteInfo(string? refusal)
    {
        Write("info", OfLibrary(), new JObject
        {
            ["works"] = new JArray(Library.Works),
            ["deliveries"] = new JArray(Library.Deliveries),
            ["variants"] = Map(Library.Variants),
            ["securities"] = new JArray(Library.Securities),
            ["tuning"] = Library.Tuned is { } knobs ? Map(knobs) : null,
            ["refusal"] = refusal,
        });
    }

    /// <summary>Says what was counted since the last drain, so far; of a stream and of compiled methods since the
    /// process started.</summary>
    public static void WriteCount()
    {
        Window.Tallies sum = Window.Sum();
        sum.Inside.Merge(sum.Outside);
        Counters now = Counters.Read();
        Write("count", new JObject
        {
            ["sent"] = sum.Inside.Sent,
            ["completed"] = sum.Inside.Completed,
            ["lost"] = sum.Inside.Lost,
            ["corrupt"] = sum.Inside.Corrupt,
            ["failed"] = sum.Inside.Failed,
            ["timed_out"] = sum.Inside.TimedOut,
            ["duplicates"] = sum.Inside.Duplicates,
            ["streamed"] = now.Totals.Streamed,
            ["compiled_methods"] = now.CompiledMethods,
        });
    }

    /// <summary>Writes the record of <see cref="Counted(string, JObject[])"/>.</summary>
    public static void WriteCounted(string record, params JObject[] parts) => WriteLine(Counted(record, parts));

    /// <summary>The line of a record with what was counted since the last drain: in the window, if there was one, and
    /// at all other times.</summary>
    public static string Counted(string record, params JObject[] parts)
    {
        Window.Tallies sum = Load.Sum();
        (Counters inside, Counters outside) = Window.Used();
        // Nothing says when a call failed: all failures stand with the window, if there is one.
        Dictionary<string, long> failures = Failures.Take();
        Dictionary<string, long> none = [];
        var counted = new JObject
        {
            ["window"] = Window.Exists ? Counted(inside, sum.Inside, failures, GcPauses.LongestInsideNs) : null,
            ["other"] = Counted(outside, sum.Outside, Window.Exists ? none : failures, GcPauses.LongestOutsideNs),
        };
        return LineOf(record, [.. parts, counted]);
    }

    /// <summary>Writes one record as a line: the parts' fields, one after the other.</summary>
    public static void Write(string record, params JObject[] parts) => WriteLine(LineOf(record, parts));

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

    static JObject OfLibrary() => new JObject
    {
        ["library_version"] = Library.Version,
        ["library_file"] = Library.Assembly.Location,
        ["note"] = Library.Note,
    };

    // A client's messages by its tally, a server's, which has no outcomes, by its totals.
    static JObject Counted(Counters used, Tally tally, Dictionary<string, long> failures, long gcLongestPauseNs)
    {
        bool isClient = Program.Side == "client";
        return new JObject
        {
            ["elapsed_ns"] = Window.Ns(used.At),
            ["sent"] = isClient ? tally.Sent : used.Totals.Sent,
            ["received"] = isClient ? tally.Received : used.Totals.Received,
            ["bytes"] = isClient ? tally.Bytes : used.Totals.Bytes,
            ["streamed"] = used.Totals.Streamed,
            ["stream_corrupt"] = used.Totals.StreamCorrupt,
            ["stream_repeated"] = used.Totals.StreamRepeated,
            ["stream_disordered"] = used.Totals.StreamDisordered,
            ["ticks"] = used.Totals.Ticks,
            ["ticks_late"] = used.Totals.TicksLate,
            ["ticks_missed"] = used.Totals.TicksMissed,
            ["passes"] = used.Totals.Passes,
            ["idle_passes"] = used.Totals.IdlePasses,
            ["cpu_user_ns"] = used.CpuUserNs,
            ["cpu_system_ns"] = used.CpuSystemNs,
            ["gc0_count"] = used.Gc0Count,
            ["gc1_count"] = used.Gc1Count,
            ["gc2_count"] = used.Gc2Count,
            ["gc_pause_ns"] = used.GcPauseNs,
            ["gc_longest_pause_ns"] = gcLongestPauseNs,
            ["allocated_bytes"] = used.AllocatedBytes,
            ["rss_bytes"] = used.RssBytes,
            ["compiled_methods"] = used.CompiledMethods,
            ["outcomes"] = isClient ? Outcomes(tally, failures) : null,
        };
    }

    static JObject Outcomes(Tally tally, Dictionary<string, long> failures) => new JObject
    {
        ["received_late"] = tally.ReceivedLate,
        ["lost"] = tally.Lost,
        ["corrupt"] = tally.Corrupt,
        ["failed"] = tally.Failed,
        ["timed_out"] = tally.TimedOut,
        ["failures"] = Map(failures),
        ["unanswered"] = tally.Unanswered,
        ["completed"] = tally.Completed,
        ["late_arrivals"] = tally.LateArrivals,
        ["duplicates"] = tally.Duplicates,
        ["foreign"] = tally.Foreign,
        ["not_sent"] = tally.NotSent,
        ["in_flight_ns"] = Window.Ns(tally.InFlightTicks),
        ["idle_ns"] = Window.Ns(tally.IdleTicks),
        ["pause_ns"] = Window.Ns(tally.PauseTicks),
        ["rtt_min_ns"] = tally.RoundTrips.Count > 0 ? tally.RoundTrips.MinNs : (long?)null,
        ["rtt_max_ns"] = tally.RoundTrips.Count > 0 ? tally.RoundTrips.MaxNs : (long?)null,
        ["rtt_sum_ns"] = tally.RoundTrips.SumNs,
        ["rtt_ns"] = Pairs(tally.RoundTrips),
        ["send_lag_ns"] = Pairs(tally.SendLags),
        ["deliveries_due"] = tally.DeliveriesDue,
        ["deliveries"] = tally.Deliveries,
        ["deliveries_missing"] = tally.DeliveriesMissing,
        ["deliveries_corrupt"] = tally.DeliveriesCorrupt,
        ["deliveries_repeated"] = tally.DeliveriesRepeated,
        ["deliveries_disordered"] = tally.DeliveriesDisordered,
        ["deliveries_in_time"] = tally.DeliveriesInTime,
        ["leaves"] = tally.Leaves,
        ["connections_lost"] = tally.ConnectionsLost,
        ["input_waits"] = tally.InputWaits,
        ["input_wait_ns"] = tally.InputWaitNs,
        ["delivery_ns"] = Pairs(tally.DeliveryDelays),
        ["spread_ns"] = Pairs(tally.Spreads),
        ["jitter_ns"] = Pairs(tally.Jitters),
        ["join_ns"] = Pairs(tally.JoinTimes),
    };

    static JObject Map<T>(Dictionary<string, T> map)
    {
        var json = new JObject();
        foreach ((string name, T value) in map)
        {
            json[name] = new JValue(value);
        }
        return json;
    }

    static JArray Pairs(Histogram histogram)
    {
        var json = new JArray();
        foreach (long[] pair in histogram.Sparse())
        {
            json.Add(new JArray(pair[0], pair[1]));
        }
        return json;
    }

    static string LineOf(string record, params JObject[] parts)
    {
        var line = new JObject
        {
            ["v"] = Version,
            ["record"] = record,
            ["library"] = Library.Name,
            ["side"] = Program.Side,
        };
        foreach (JProperty field in parts.SelectMany(part => part.Properties()))
        {
            line.Add(field);
        }
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
