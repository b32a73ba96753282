/// <summary>The records of a library with the same run id: a launch that measured, or why there is none.</summary>
sealed class Run
{
    /// <summary>Reads them; `retried` errors, which are of an earlier attempt, are not among them.</summary>
    public Run(LibraryRecord[] records, Cpus cpus)
    {
        LaunchRecord[] launches = [.. records.OfType<LaunchRecord>()];
        ErrorRecord[] errors = [.. records.OfType<ErrorRecord>()];
        Id = records[0].RunId;
        Library = records[0].Library;
        Settings =
            launches.FirstOrDefault()?.Settings
            ?? errors.Select(error => error.Settings).FirstOrDefault(settings => settings != null);
        Failure = errors.FirstOrDefault()?.Reason;
        IsUnsupported = errors.Any(error => error.Kind == "unsupported");
        if (Failure != null)
            return;
        if (launches.LastOrDefault() is not { } launch)
        {
            Failure = "It left no launch record.";
            IsUnfinished = true;
            return;
        }
        Side[] clients =
        [
            .. records
                .Where(record => SideOf(record) == "client")
                .GroupBy(ShareOf)
                .OrderBy(machine => machine.Key)
                .Select(Side.Of)
                .OfType<Side>(),
        ];
        var machines = Settings!.ClientMachines;
        var there = clients.Select(client => client.Share).ToHashSet();
        var share = 0L;
        while (there.Contains(share))
            share++;
        if (share < Math.Max(1, machines))
        {
            Failure = $"A record of client machine {share + 1} of {machines} is missing.";
            return;
        }
        var runIdRepeats = clients.Length > machines || records.GroupBy(Identity).Any(same => same.Count() > 1);
        Launch = new(launch, clients, Side.Of(records.Where(record => SideOf(record) == "server")), cpus, runIdRepeats);
    }

    public string Id { get; }
    public string Library { get; }

    /// <summary>True where nothing says how it ended.</summary>
    public bool IsUnfinished { get; }

    /// <summary>Those of its launch; null where nothing says them.</summary>
    public LaunchSettings? Settings { get; }

    /// <summary>Null where it failed.</summary>
    public Launch? Launch { get; }

    /// <summary>Why; null where it measured. Not escaped.</summary>
    public string? Failure { get; }

    /// <summary>True where it is what the library cannot do.</summary>
    public bool IsUnsupported { get; }

    // No two records of a launch say the same of the same side.
    static (string Kind, string? Side, long Share, string? Phase) Identity(LibraryRecord record) =>
        (record.Record, SideOf(record), ShareOf(record), (record as SliceRecord)?.Phase);

    static string? SideOf(LibraryRecord record) =>
        record switch
        {
            ReadyRecord ready => ready.Side,
            SliceRecord slice => slice.Side,
            ClosedRecord closed => closed.Side,
            _ => null,
        };

    // The share of the clients that a record is of, from 0.
    static long ShareOf(LibraryRecord record) =>
        record switch
        {
            ReadyRecord ready => ready.ClientMachine,
            SliceRecord slice => slice.ClientMachine,
            ClosedRecord closed => closed.ClientMachine,
            _ => null,
        } ?? 0;
}
