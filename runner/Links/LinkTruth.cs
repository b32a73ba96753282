using Newtonsoft.Json.Linq;

/// <summary>What a link was while a launch had it (CONTRACT.md, link).</summary>
/// <param name="before">How the plain UDP bench found it; after: the same.</param>
/// <param name="first">What the link had counted as the window began; last: as it ended.</param>
sealed class LinkTruth(JObject before, JObject after, JObject first, JObject last)
{
    static readonly string[] ways = ["to_server", "to_clients"];

    /// <summary>As the launch's record has it.</summary>
    public JObject Record => RecordFile.ToJson(new
    {
        Emulator = (string)last["emulator"]!,
        MtuBytes = (long)last["mtu_bytes"]!,
        QueueBytes = (long?)last["queue_bytes"],
        CpuS = (double)last["cpu_s"]! - (double)first["cpu_s"]!,
        ProbeSent = Probes("sent"),
        ProbeLost = Probes("lost"),
        ProbeRttP50Us = Probes("rtt_p50_us"),
        ProbeRttP99Us = Probes("rtt_p99_us"),
        ProbeRateKbit = Probes("rate_kbit"),
        Packets = Ways("packets"),
        Bytes = Ways("bytes"),
        Lost = Ways("lost"),
        Dropped = Ways("dropped"),
        LateP99Us = ways.Select(LateP99Us).OfType<int>(),
    });

    IEnumerable<long> Probes(string of) => new[] { before, after }.Select(probe => (long?)probe[of]).OfType<long>();

    IEnumerable<long> Ways(string count) => ways.Select(way => (long)last[way]![count]! - (long)first[way]![count]!);

    // The least number of microseconds that 99 % do not exceed; null: nothing passed, or the kernel does not say.
    int? LateP99Us(string way)
    {
        long[] late = [.. last[way]!["late_us"]!.Zip(first[way]!["late_us"]!, (a, b) => (long)a - (long)b)];
        var total = late.Sum();
        var beyond = 0L;
        for (var us = late.Length - 1; us >= 0; us--)
        {
            beyond += late[us];
            if (beyond > total / 100.0)
                return us;
        }
        return null;
    }
}
