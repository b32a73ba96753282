using Newtonsoft.Json.Linq;

/// <summary>One side of a launch: its server, or the clients of one machine. Figures are of the window
/// unless they say otherwise, and null where a fact is missing.</summary>
sealed class Side
{
    // That of the end is counted where it is there: what comes after the drain is no message of a figure.
    static readonly string[] needed = ["connected", "window"];
    static readonly string[] neededBefore8 = ["connected", "warmup", "window", "drain"];

    static readonly string[] ofRuntime = ["dotnet_version", "processor_count", "server_gc", "concurrent_gc"];

    readonly JObject connected;
    readonly JObject? closed;

    Side(JObject ready, JObject[] slices, JObject? closed)
    {
        Ready = ready;
        Slices = slices;
        this.closed = closed;
        connected = slices.Last(slice => IsOf(slice, "connected"));
        Window = slices.Last(slice => IsOf(slice, "window"));
        Rates = slices.LastOrDefault(slice => IsOf(slice, "rounds")) ?? Window;
    }

    /// <summary>That of its records; null where one of them is missing.</summary>
    public static Side? Of(IEnumerable<JObject> records)
    {
        var kinds = records.ToLookup(record => (string)record["record"]!);
        JObject[] slices = [.. kinds["slice"]];
        if (kinds["ready"].LastOrDefault() is not { } ready)
            return null;
        // What a client lost cannot be told without its outcomes.
        var hasOutcomes = IsOfServer(ready) || slices.All(slice => slice["outcomes"] is JObject);
        var phases = (long)ready["v"]! < Contract.TwoTallies ? neededBefore8 : needed;
        if (!hasOutcomes || !phases.All(phase => slices.Any(slice => IsOf(slice, phase))))
            return null;
        return new(ready, slices, kinds["closed"].LastOrDefault());
    }

    /// <summary>Its record of that name.</summary>
    public JObject Ready { get; }

    /// <summary>Its slices of all phases.</summary>
    public JObject[] Slices { get; }

    /// <summary>The slice that figures are of.</summary>
    public JObject Window { get; }

    /// <summary>That which rates and CPU time a message are of: the rounds; measured apart the window.</summary>
    public JObject Rates { get; }

    public bool IsServer => IsOfServer(Ready);

    /// <summary>The share of the clients, from 0.</summary>
    public long Share => ShareOf(Ready);

    public double ElapsedS => Of("elapsed_ns") / 1e9;
    public double UserS => Of("cpu_user_ns") / 1e9;
    public double SystemS => Of("cpu_system_ns") / 1e9;

    /// <summary>What came a second, see Arrivals; the same of the window.</summary>
    public double? Throughput => Arrivals.Rate(Rates);

    public double? WindowThroughput => Arrivals.Rate(Window);

    /// <summary>Messages without a sound answer; the same of all phases.</summary>
    public double Lost => Accounting.Losses.Sum(OfOutcomes);

    public double LostInAll => Accounting.Losses.Sum(OfOutcomesInAll);

    /// <summary>Round trips of the messages due in it.</summary>
    public double RoundTrips => Of("received") + OfOutcomes("received_late");

    /// <summary>Mean of the messages that were in flight in the window; null in records of before version 8.</summary>
    public double? InFlight => (double?)Window["outcomes"]!["in_flight_ns"] / Of("elapsed_ns");

    /// <summary>Messages that were in flight when the warm-up ended, in records of before version 8.</summary>
    public double LeftByWarmUp =>
        Slices.Where(slice => IsOf(slice, "warmup")).Sum(slice => (double)slice["outcomes"]!["received_late"]!);

    /// <summary>Resident memory at its end; the same when all were connected and nothing was sent yet.</summary>
    public double RssBytes => Of("rss_bytes");

    public double ConnectedRssBytes => (double)connected["rss_bytes"]!;
    public double? ConnectS => (double?)Ready["connect_s"];
    public double? DisconnectS => (double?)closed?["disconnect_s"];

    /// <summary>Share of the time for which the collector stopped it.</summary>
    public double? GcPause => Launch.Ratio(Of("gc_pause_ns"), Of("elapsed_ns"));

    /// <summary>Share of its passes in which it polled for nothing.</summary>
    public double IdlePasses => Launch.Ratio(Of("idle_passes"), Of("passes")) ?? 0;

    /// <summary>Share of the CPUs that it may use which was busy, or of one CPU its busiest thread where
    /// that is more. A loop that polls is on the CPU without work in its idle passes.</summary>
    public double? Busy
    {
        get
        {
            var process = Launch.Ratio(UserS + SystemS, ElapsedS * (double)Ready["processor_count"]!);
            var thread = Launch.Ratio(OfOutside("cpu_busiest_thread_s"), OfOutside("elapsed_s"));
            return Math.Max(process ?? 0, thread ?? 0) * (1 - IdlePasses);
        }
    }

    /// <summary>A count of its slice.</summary>
    public double Of(string field) => (double)Window[field]!;

    /// <summary>The same of the slice that rates are of.</summary>
    public double OfRates(string field) => (double)Rates[field]!;

    /// <summary>The same over all phases.</summary>
    public double InAll(string field) => Slices.Sum(slice => (double)slice[field]!);

    /// <summary>What became of a client's messages.</summary>
    public double OfOutcomes(string field) => (double)Window["outcomes"]![field]!;

    /// <summary>The same over all phases.</summary>
    public double OfOutcomesInAll(string field) => Slices.Sum(slice => (double)slice["outcomes"]![field]!);

    /// <summary>What the runner read on its machine.</summary>
    public double? OfOutside(string field) => (double?)(Window["outside"] as JObject)?[field];

    /// <summary>True for a record of a server.</summary>
    public static bool IsOfServer(JObject record) => (string?)record["side"] == "server";

    /// <summary>The share of the clients that a record is of, from 0.</summary>
    public static long ShareOf(JObject record) => (long?)record["client_machine"] ?? 0;

    /// <summary>The .NET that a ready record is of, in words.</summary>
    public static string RuntimeOf(JObject ready) =>
        string.Join(", ", ofRuntime.Select(fact => $"{fact} {Text.Value(ready[fact])}"));

    static bool IsOf(JObject slice, string phase) => (string?)slice["phase"] == phase;
}
