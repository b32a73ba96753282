using MathNet.Numerics.Statistics;
using Newtonsoft.Json.Linq;

/// <summary>What a file of records says around its runs: how many CPUs each machine has, and how fast
/// the canary was before each run.</summary>
sealed class Session
{
    const int LeastCanaries = 5; // fewer have no median to be held against

    readonly Dictionary<string, long?> cpus; // by role; null where records disagree
    readonly Dictionary<string, double> canaries = [];

    /// <summary>Of machine and canary records.</summary>
    public Session(IEnumerable<JObject> machines, IEnumerable<JObject> canaries)
    {
        cpus = machines.GroupBy(Fingerprint.RoleOf, machine => (long)machine["cpu_count"]!)
            .ToDictionary(role => role.Key, role => role.Distinct().Count() == 1 ? role.First() : (long?)null);
        foreach (var canary in canaries)
            if ((double)canary["elapsed_s"]! is > 0 and var seconds)
                this.canaries[(string)canary["run_id"]!] = (double)canary["round_trips"]! / seconds;
        var rates = this.canaries.Values.Order().ToArray();
        if (rates.Length == 0) return;
        (Least, Most) = (rates[0], rates[^1]);
        if (rates.Length >= LeastCanaries) Median = SortedArrayStatistics.Median(rates);
    }

    /// <summary>Nothing is known.</summary>
    public static Session None { get; } = new([], []);

    /// <summary>That of a file of records, for who looks at but one of its runs.</summary>
    public static Session In(string raw)
    {
        var records = RecordFile.OfKind(raw, "machine", "canary").ToLookup(record => (string?)record["record"]);
        return new(records["machine"], records["canary"]);
    }

    /// <summary>Canaries that ran; their round trips a second. Median: null of fewer than 5.</summary>
    public int Canaries => canaries.Count;
    public double? Median { get; }
    public double? Least { get; }
    public double? Most { get; }

    /// <summary>Round trips a second of a run's canary over the median; null where either is
    /// missing.</summary>
    public double? CanaryOf(string runId) =>
        canaries.TryGetValue(runId, out var rate) ? rate / Median : null;

    /// <summary>True where server and clients of these records share a machine.</summary>
    public bool IsOneMachine(JObject client) => (long)client["settings"]!["client_machines"]! == 1
        && !cpus.ContainsKey("server") && !cpus.Keys.Any(role => role.StartsWith("clients"));

    /// <summary>Logical processors of the machine that wrote a client or server record.</summary>
    public long? CpusOf(JObject side, bool oneMachine) => cpus.GetValueOrDefault(oneMachine ? "all"
        : (string?)side["record"] == "server" ? "server" : $"clients {Launch.MachineOf(side) + 1}");
}
