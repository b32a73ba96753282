using Newtonsoft.Json.Linq;

/// <summary>The folder of a sweep's results, and what is written there before its runs.</summary>
sealed class SweepFolder(string folder)
{
    string Raw => RecordFile.In(folder);

    // Its name becomes a run id.
    string RunId => LibraryName.Shortened(Path.GetFileName(Path.TrimEndingDirectorySeparator(folder)));

    /// <summary>The folder of a sweep that begins now, results/DATE-PRESET-MACHINE; another one of the same minute has
    /// a number behind.</summary>
    public static string Named(string preset)
    {
        var first = $"results/{DateTime.UtcNow:yyyy-MM-ddTHHmm}-{preset}-{Machine.Name()}";
        var folder = first;
        for (var number = 2; Path.Exists(folder); number++)
        {
            folder = $"{first}-{number}";
        }
        return folder;
    }

    /// <summary>The same folder; refuses one that cannot be written or has results, which are never
    /// overwritten.</summary>
    public static string Free(string folder)
    {
        // It is made when there is something to write; whether it can be is tried now.
        var isNew = !Directory.Exists(folder);
        Create(folder);
        File.Delete(RecordFile.In(folder));
        if (isNew)
        {
            Directory.Delete(folder);
        }
        return folder;
    }

    static void Create(string folder)
    {
        var raw = RecordFile.In(folder);
        if (Path.Exists(raw))
        {
            throw new Failure($"{raw} exists; results are never overwritten.");
        }
        try
        {
            Directory.CreateDirectory(folder);
            File.WriteAllText(raw, "");
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            throw new Failure($"the folder {folder} cannot be written.");
        }
    }

    /// <summary>Writes the machines, what the benches said of themselves and which could not be built. A sweep
    /// that goes on must find the same machines and versions; only its whole runs stay.</summary>
    public void Begin(
        SweepSettings settings, Hosts hosts, AnyRecord[] built, PlannedBlock[] blocks, bool goesOn)
    {
        var facts = RecordFile.ToJson(Machine.Facts("."));
        var machines = hosts.Any ? hosts.Machines(facts) : [new("all", null, facts)];
        JObject[] errors = [.. built.OfType<ErrorRecord>().Select(error => error.Json)];
        foreach (var error in errors)
        {
            error["run_id"] = RunId;
        }
        InfoRecord[] infos = [.. built.OfType<InfoRecord>()];
        JObject[] ofMachines = [];
        if (goesOn)
        {
            foreach (var machine in machines)
            {
                MachineRecords.AssertSame(Raw, machine.Role, machine.Share, machine.Facts);
            }
            infos = Versions.New(Raw, infos);
            Resume.Tidy(Raw, blocks);
        }
        else
        {
            Create(folder);
            ofMachines =
            [
                .. machines.Select(machine =>
                    MachineRecords.New(RunId, machine.Role, machine.Share, settings, machine.Facts)),
            ];
        }
        RecordFile.Append(Raw, [.. ofMachines, .. infos.Select(info => info.Json), .. errors]);
    }

    /// <summary>Writes what the libraries cannot do of a sweep, once each reason; returns the reasons.</summary>
    public IEnumerable<string> Refuse((string Library, string Reason)[] refused)
    {
        var known = RecordFile.OfKind<ErrorRecord>(Raw)
            .Select(error => (error.Library, error.Reason))
            .ToHashSet();
        RecordFile.Append(Raw, refused
            .Where(one => !known.Contains(one))
            .Select(one => ErrorRecords.Of(
                RunId, one.Library, "info", "unsupported", Exit.Unsupported, one.Reason)));
        return refused
            .GroupBy(one => one.Library, one => one.Reason)
            .Select(of => $"bench-{of.Key} does without: {string.Join(" ", of)}");
    }
}
