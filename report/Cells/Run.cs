using Newtonsoft.Json.Linq;

/// <summary>The records of a library with the same run id: a launch that measured, or why there is none.</summary>
sealed class Run
{
    /// <summary>Reads them; `retried` errors, which are of an earlier attempt, are not among them.</summary>
    public Run(JObject[] records, Cpus cpus)
    {
        var kinds = records.ToLookup(record => (string)record["record"]!);
        Id = (string)records[0]["run_id"]!;
        Library = (string)records[0]["library"]!;
        Settings = kinds["launch"]
            .Concat(kinds["error"])
            .Select(record => record["settings"] as JObject)
            .FirstOrDefault(settings => settings != null);
        Failure = (string?)kinds["error"].FirstOrDefault()?["reason"];
        IsUnsupported = kinds["error"].Any(error => (string?)error["kind"] == "unsupported");
        if (Failure != null)
            return;
        if (kinds["launch"].LastOrDefault() is not { } launch)
        {
            Failure = "It left no launch record.";
            IsUnfinished = true;
            return;
        }
        Side[] clients =
        [
            .. records
                .Where(record => (string?)record["side"] == "client")
                .GroupBy(Side.ShareOf)
                .OrderBy(machine => machine.Key)
                .Select(Side.Of)
                .OfType<Side>(),
        ];
        var machines = (long)Settings!["client_machines"]!;
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
        Launch = new(launch, clients, Side.Of(records.Where(Side.IsOfServer)), cpus, runIdRepeats);
    }

    public string Id { get; }
    public string Library { get; }

    /// <summary>True where nothing says how it ended.</summary>
    public bool IsUnfinished { get; }

    /// <summary>Those of its launch; null where nothing says them.</summary>
    public JObject? Settings { get; }

    /// <summary>Null where it failed.</summary>
    public Launch? Launch { get; }

    /// <summary>Why; null where it measured. Not escaped.</summary>
    public string? Failure { get; }

    /// <summary>True where it is what the library cannot do.</summary>
    public bool IsUnsupported { get; }

    // No two records of a launch say the same of the same side.
    static (string? Kind, string? Side, long Share, string? Phase) Identity(JObject record) =>
        ((string?)record["record"], (string?)record["side"], Side.ShareOf(record), (string?)record["phase"]);
}
