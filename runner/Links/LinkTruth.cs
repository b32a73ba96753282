/// <summary>What a link was while a launch had it (docs/records.md, link).</summary>
/// <param name="before">How the plain UDP bench found it; after: the same.</param>
/// <param name="cpu">That its process has to itself; null: none.</param>
/// <param name="first">What the link had counted as the window began; last: as it ended.</param>
sealed class LinkTruth(LinkProbe before, LinkProbe after, int? cpu, LinkState first, LinkState last)
{
    /// <summary>As the launch's record has it.</summary>
    public LinkPart Part => new()
    {
        Emulator = last.Emulator,
        MtuBytes = last.MtuBytes,
        QueueBytes = last.QueueBytes,
        Cpu = cpu,
        CpuS = last.CpuS - first.CpuS,
        ProbeSent = Probes(probe => probe.Sent),
        ProbeLost = Probes(probe => probe.Lost),
        ProbeRttP50Us = Probes(probe => probe.RttP50Us),
        ProbeRttP99Us = Probes(probe => probe.RttP99Us),
        ProbeRateKbit = Probes(probe => probe.RateKbit),
        Packets = Ways(way => way.Packets),
        Bytes = Ways(way => way.Bytes),
        Lost = Ways(way => way.Lost),
        Dropped = Ways(way => way.Dropped),
        LateP99Us =
        [
            .. LateP99Us(first.ToServer.LateUs, last.ToServer.LateUs),
            .. LateP99Us(first.ToClients.LateUs, last.ToClients.LateUs),
        ],
    };

    long[] Probes(Func<LinkProbe, long?> of) => [.. new[] { of(before), of(after) }.OfType<long>()];

    long[] Ways(Func<OneWayCounts, long> of) =>
        [of(last.ToServer) - of(first.ToServer), of(last.ToClients) - of(first.ToClients)];

    // The least number of microseconds that 99 % do not exceed; none: nothing passed, or the kernel does not say.
    static IEnumerable<long> LateP99Us(Dictionary<int, long> before, Dictionary<int, long> after)
    {
        (int Us, long Count)[] late =
            [.. after.Select(pair => (pair.Key, pair.Value - before.GetValueOrDefault(pair.Key)))];
        long total = late.Sum(bucket => bucket.Count);
        long beyond = 0;
        foreach (var (us, count) in late.OrderByDescending(bucket => bucket.Us))
        {
            beyond += count;
            if (beyond > total / 100.0)
            {
                return [us];
            }
        }
        return [];
    }
}
