using Newtonsoft.Json.Linq;

/// <summary>One file of records, sorted into cells.</summary>
sealed class Sweep
{
    static readonly string[] kinds = ["machine", "error", "client", "server", "canary"];

    readonly List<JObject> records = [];

    /// <summary>Reads a folder's raw.jsonl and says on stderr which of its lines are no records.</summary>
    public static Sweep In(string folder)
    {
        var sweep = Silently(folder);
        foreach (var fault in sweep.Unreadable) Console.Error.WriteLine($"Skipped {fault}");
        return sweep;
    }

    /// <summary>Reads it and says nothing.</summary>
    public static Sweep Silently(string folder) => Directory.Exists(folder) ? new(RecordFile.In(folder))
        : throw new Failure($"There is no folder '{folder}'.", Program.WrongUsage);

    // Lines that are no records are kept as warnings.
    Sweep(string path)
    {
        foreach (var line in RecordFile.ReadRuns(path))
            if (line.Record == null)
                Unreadable.Add($"{Path.GetFileName(path)}:{line.Number}: {line.Faults[0]}");
            else if (kinds.Contains((string?)line.Record["record"])) records.Add(line.Record);
        Machines = [.. Of("machine")];
        Errors = [.. Of("error")];
        Sides = [.. Of("client").Concat(Of("server"))];
        Session = new(records);
        Slo = SloOf(Machines.LastOrDefault());
        Cells = [.. ReadCells()
            .OrderBy(cell => cell.Clients).ThenBy(cell => cell.Parallel)
            .ThenBy(cell => cell.Name, StringComparer.Ordinal).ThenBy(cell => cell.Rate)];
        Libraries = [.. Cells.Select(cell => cell.Name).Where(name => !Cell.IsFloor(name))
            .Distinct().Order(StringComparer.Ordinal)];
        Looks = new(Libraries);
    }

    public List<string> Unreadable { get; } = [];
    public JObject[] Machines { get; }
    public JObject[] Errors { get; }
    public JObject[] Sides { get; }

    /// <summary>What the file says around its runs.</summary>
    public Session Session { get; }

    /// <summary>All cells, failed ones too, sorted by clients, parallel and library.</summary>
    public Cell[] Cells { get; }

    /// <summary>The names of their libraries but for the floors, sorted.</summary>
    public string[] Libraries { get; }

    /// <summary>How charts show them.</summary>
    public Looks Looks { get; }

    /// <summary>Launches planned for each cell; null where no machine record says so.</summary>
    public long? Repeats => (long?)Machines.LastOrDefault()?["repeats"];

    /// <summary>What the sweep's rates are held against; null where none was named.</summary>
    public Slo? Slo { get; }

    // A sweep whose SLO is none was measured all the same.
    Slo? SloOf(JObject? machine)
    {
        try
        {
            return (string?)(machine?["sweep"] as JObject)?["slo"] is { Length: > 0 } text ? Slo.Parse("slo", text) : null;
        }
        catch (Failure fault)
        {
            Unreadable.Add(Text.Plain(fault.Message));
            return null;
        }
    }

    IEnumerable<JObject> Of(string kind) => records.Where(record => (string?)record["record"] == kind);

    IEnumerable<Cell> ReadCells()
    {
        var runs = Sides.Concat(Errors.Where(error => (string?)error["kind"] != "retried"))
            .GroupBy(record => ((string)record["run_id"]!, Library: (string)record["library"]!))
            .Where(run => run.All(record => (string?)record["kind"] != "unsupported"))
            .Select(run => (run.Key.Library, Run: run, Settings: run.Select(
                record => record["settings"] as JObject).FirstOrDefault(settings => settings != null)))
            .Where(run => run.Settings != null);
        foreach (var cell in runs.GroupBy(run => Cell.Key(run.Library, run.Settings!)))
        {
            var failures = cell.Select(run => FailureOf(run.Run)).OfType<string>().ToArray();
            var (launches, repeated) = Attempts(cell.Where(run => FailureOf(run.Run) == null)
                .SelectMany(run => Launches(run.Run)));
            yield return new(cell.First().Library, cell.First().Settings!, launches, failures, repeated);
        }
    }

    // Only a disturbed launch is measured again, so the last attempt counts, whatever it brought.
    static (Launch[] Last, Launch[] Earlier) Attempts(IEnumerable<Launch> launches)
    {
        var attempts = launches.GroupBy(launch => Attempt.Run(launch.RunId)).Select(attempts =>
        {
            var last = attempts.Max(launch => Attempt.Number(launch.RunId));
            return attempts.ToLookup(launch => Attempt.Number(launch.RunId) == last);
        }).ToArray();
        return ([.. attempts.SelectMany(run => run[true])], [.. attempts.SelectMany(run => run[false])]);
    }

    // A failed run's own reason; one with a client machine's record missing failed too.
    static string? FailureOf(IEnumerable<JObject> run) =>
        (string?)run.FirstOrDefault(record => (string?)record["record"] == "error")?["reason"]
        ?? Launch.Missing(Clients(run));

    static JObject[] Clients(IEnumerable<JObject> run) =>
        [.. run.Where(record => (string?)record["record"] == "client")];

    // One, unless the run id was used again: then the second records of the machines are another.
    IEnumerable<Launch> Launches(IEnumerable<JObject> run)
    {
        var clients = Clients(run);
        var servers = run.Where(record => (string?)record["record"] == "server").ToArray();
        var repeats = Launch.Repeats(clients);
        return clients.GroupBy(Launch.MachineOf)
            .SelectMany(machine => machine.Select((client, index) => (client, index)))
            .GroupBy(place => place.index, place => place.client)
            .Select(launch => new Launch(
                [.. launch], servers.ElementAtOrDefault(launch.Key), Session, repeats));
    }
}
