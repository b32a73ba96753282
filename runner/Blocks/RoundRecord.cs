/// <summary>What a library did in each round, a list a figure (docs/records.md, rounds).</summary>
sealed class RoundRecord(bool knowsCpus)
{
    public List<long> StartedMs { get; } = [];
    public List<long> SpentMs { get; } = [];
    public List<long> Place { get; } = [];
    public List<long> ElapsedNs { get; } = [];
    public List<long> Completed { get; } = [];
    public List<long> Lost { get; } = [];
    public List<long> ClientCpuNs { get; } = [];
    public List<long> ServerCpuNs { get; } = [];
    public List<long>? CpuToCpuNs { get; } = knowsCpus ? [] : null;

    /// <summary>Adds a round's slice; place: within the round, from 0; cpuToCpuNs: null where it is not
    /// known.</summary>
    public void Add(long startedMs, long spentMs, int place, SliceFigures clients, long serverCpuNs, long? cpuToCpuNs)
    {
        StartedMs.Add(startedMs);
        SpentMs.Add(spentMs);
        Place.Add(place);
        ElapsedNs.Add(clients.ElapsedNs);
        Completed.Add(clients.Completed);
        Lost.Add(clients.Lost);
        ClientCpuNs.Add(clients.CpuNs);
        ServerCpuNs.Add(serverCpuNs);
        CpuToCpuNs?.Add(cpuToCpuNs ?? 0);
    }
}
