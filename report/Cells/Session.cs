using MathNet.Numerics.Statistics;
using Newtonsoft.Json.Linq;

/// <summary>What a file of records says around its runs: how many CPUs each machine has, how fast the
/// canary was before each run, and how much of its work the kernel charges to nobody.</summary>
sealed class Session
{
    const int LeastForMedian = 5, LeastForUncharged = 5, MostSidesRead = 200;

    // Some kernels charge the sides with what the network stack does for them, some do not: then
    // 0.37 to 0.40 of the sides' system time over loopback, by the ticks of softirq in /proc/stat.
    const double MostUncharged = 0.5;

    readonly Dictionary<string, long?> cpus; // by role; null where records disagree
    readonly Dictionary<string, double> canaries = [];

    /// <summary>That of a file's records, of which only some kinds are looked at.</summary>
    public Session(IEnumerable<JObject> records)
    {
        var kinds = records.ToLookup(record => (string)record["record"]!);
        cpus = kinds["machine"].GroupBy(Fingerprint.RoleOf, machine => (long)machine["cpu_count"]!)
            .ToDictionary(role => role.Key, role => role.Distinct().Count() == 1 ? role.First() : (long?)null);
        foreach (var canary in kinds["canary"])
            if ((double)canary["elapsed_s"]! is > 0 and var seconds)
                canaries[(string)canary["run_id"]!] = (double)canary["round_trips"]! / seconds;
        var rates = canaries.Values.Order().ToArray();
        if (rates.Length > 0) (Least, Most) = (rates[0], rates[^1]);
        if (rates.Length >= LeastForMedian) Median = SortedArrayStatistics.Median(rates);

        var servers = kinds["server"].ToLookup(server => (string)server["run_id"]!);
        double[] uncharged = [.. kinds["client"].GroupBy(client => (string)client["run_id"]!)
            .Where(run => !Launch.Repeats([.. run]))
            .SelectMany(run => Seen.Of([.. run], servers[run.Key].FirstOrDefault(), this))
            .Select(machine => machine.Uncharged).OfType<double>()];
        Uncharged = uncharged.Length < LeastForUncharged ? MostUncharged
            : Math.Min(MostUncharged, uncharged.Min());
    }

    /// <summary>Nothing is known.</summary>
    public static Session None { get; } = new([]);

    /// <summary>That of a file, for who waits for but one of its runs: the first launches tell what is
    /// uncharged.</summary>
    public static Session In(string raw) => new([.. RecordFile.OfKind(raw, "machine", "canary"),
        .. RecordFile.OfKind(raw, "client", "server").Take(MostSidesRead)]);

    /// <summary>Canaries that ran; their round trips a second. Median: null of fewer than 5.</summary>
    public int Canaries => canaries.Count;
    public double? Median { get; }
    public double? Least { get; }
    public double? Most { get; }

    /// <summary>What the kernel does for both sides without charging it to them, over their system
    /// time: the least of any launch, as no other load can be in it; of few launches the most that it
    /// may be.</summary>
    public double Uncharged { get; }

    /// <summary>Round trips a second of a run's canary over the median; null where either is
    /// missing.</summary>
    public double? CanaryOf(string runId) =>
        canaries.TryGetValue(runId, out var rate) ? rate / Median : null;

    /// <summary>True where server and clients of these records share a machine.</summary>
    public bool IsOneMachine(JObject client) => (long)client["settings"]!["client_machines"]! == 1
        && !cpus.ContainsKey("server") && !cpus.Keys.Any(role => role.StartsWith("clients"));

    /// <summary>Logical processors of the machine that wrote a client or server record.</summary>
    public long? CpusOf(JObject side, bool isOneMachine) => cpus.GetValueOrDefault(isOneMachine ? "all"
        : (string?)side["record"] == "server" ? "server" : $"clients {Launch.MachineOf(side) + 1}");
}
