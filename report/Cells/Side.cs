/// <summary>One side of a launch: its server, or the clients of one machine. Figures are of the window
/// unless they say otherwise, and null where a fact is missing.</summary>
sealed class Side
{
    // That of the end is counted where it is there: what comes after the drain is no message of a figure.
    static readonly string[] needed = ["connected", "window"];

    readonly SliceRecord connected;
    readonly ClosedRecord? closed;

    Side(ReadyRecord ready, SliceRecord[] slices, ClosedRecord? closed)
    {
        Ready = ready;
        Slices = slices;
        this.closed = closed;
        connected = slices.Last(slice => slice.Phase == "connected");
        Window = slices.Last(slice => slice.Phase == "window");
        Rates = slices.LastOrDefault(slice => slice.Phase == "rounds") ?? Window;
    }

    /// <summary>That of its records; null where one of them is missing.</summary>
    public static Side? Of(IEnumerable<AnyRecord> records)
    {
        AnyRecord[] all = [.. records];
        SliceRecord[] slices = [.. all.OfType<SliceRecord>()];
        if (all.OfType<ReadyRecord>().LastOrDefault() is not { } ready)
            return null;
        // What a client lost cannot be told without its outcomes.
        var hasOutcomes = ready.IsOfServer || slices.All(slice => slice.Outcomes != null);
        if (!hasOutcomes || !needed.All(phase => slices.Any(slice => slice.Phase == phase)))
            return null;
        return new(ready, slices, all.OfType<ClosedRecord>().LastOrDefault());
    }

    /// <summary>Its record of that name.</summary>
    public ReadyRecord Ready { get; }

    /// <summary>Its slices of all phases.</summary>
    public SliceRecord[] Slices { get; }

    /// <summary>The slice that figures are of.</summary>
    public SliceRecord Window { get; }

    /// <summary>What became of a client's messages in it; not of a server.</summary>
    public OutcomesPart Outcomes => Window.Outcomes!;

    /// <summary>What the runner read on its machine; null where it read nothing.</summary>
    public OutsidePart? Outside => Window.Outside;

    /// <summary>That which rates and CPU time per message are of: the rounds; measured separately the window.</summary>
    public SliceRecord Rates { get; }

    public bool IsServer => Ready.IsOfServer;

    /// <summary>The share of the clients, from 0.</summary>
    public long Share => Ready.ClientMachine ?? 0;

    public double ElapsedS => Window.ElapsedNs / 1e9;
    public double UserS => Window.CpuUserNs / 1e9;
    public double SystemS => Window.CpuSystemNs / 1e9;

    /// <summary>What came a second, see Arrivals; the same of the window.</summary>
    public double? Throughput => Arrivals.Rate(Rates);

    public double? WindowThroughput => Arrivals.Rate(Window);

    /// <summary>Messages without a sound answer. A window's edge may put their count below 0, but not over all phases.
    /// </summary>
    public double Lost => Math.Max(0, Outcomes.WithoutAnswer);

    public double LostInAll => InAll(slice => slice.Outcomes!.WithoutAnswer);

    /// <summary>Round trips of the messages due in it.</summary>
    public double RoundTrips => Window.Received;

    /// <summary>Mean of the messages that were in flight in the window: the sum of their round trips over its length.
    /// </summary>
    public double InFlight => (double)Outcomes.RttSumNs / Window.ElapsedNs;

    /// <summary>Resident memory at its end; the same when all were connected and nothing was sent yet.</summary>
    public double RssBytes => Window.RssBytes;

    public double ConnectedRssBytes => connected.RssBytes;
    public double? ConnectS => Ready.ConnectS;
    public double? DisconnectS => closed?.DisconnectS;

    /// <summary>Share of the time for which the collector stopped it.</summary>
    public double? GcPause => Launch.Ratio(Window.GcPauseNs, Window.ElapsedNs);

    /// <summary>Share of the CPUs that it may use which was busy, or of one CPU its busiest thread where
    /// that is more. A loop that polls is always busy.</summary>
    public double? Busy
    {
        get
        {
            var process = Launch.Ratio(UserS + SystemS, ElapsedS * Ready.ProcessorCount);
            var thread = Launch.Ratio(Outside?.CpuBusiestThreadS, Outside?.ElapsedS);
            return Math.Max(process ?? 0, thread ?? 0);
        }
    }

    /// <summary>A count of its slices over all phases.</summary>
    public double InAll(Func<SliceRecord, long> count) => Slices.Sum(slice => (double)count(slice));

    /// <summary>The .NET that a ready record is of, in words.</summary>
    public static string RuntimeOf(ReadyRecord ready) =>
        $"dotnet_version {Text.Value(ready.DotnetVersion)}, processor_count {Text.Value(ready.ProcessorCount)}, "
        + $"server_gc {Text.Value(ready.ServerGc)}, concurrent_gc {Text.Value(ready.ConcurrentGc)}";
}
