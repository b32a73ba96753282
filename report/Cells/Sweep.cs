using System.Globalization;

/// <summary>One file of records, sorted into cells.</summary>
sealed class Sweep
{
    readonly Lazy<double> uncharged;
    readonly Lazy<Func<Cell, CellFigures>> figures;

    /// <summary>Reads a folder's raw.jsonl and says on stderr which of its lines are no records.</summary>
    public static Sweep In(string folder)
    {
        var sweep = Silently(folder);
        foreach (var fault in sweep.Unreadable)
            Console.Error.WriteLine($"Skipped {fault}");
        return sweep;
    }

    /// <summary>Reads it and says nothing.</summary>
    public static Sweep Silently(string folder) =>
        Directory.Exists(folder)
            ? new(RecordFile.In(folder))
            : throw new Failure($"There is no folder '{folder}'.", Exit.WrongUsage);

    // Lines that are no records are kept as warnings.
    Sweep(string path)
    {
        Folder = Path.GetDirectoryName(path)!;
        List<AnyRecord> records = [];
        foreach (var line in RecordFile.Read(path))
        {
            if (line.Record == null)
                Unreadable.Add($"{Path.GetFileName(path)}:{line.Number}: {line.Faults[0]}");
            else
                records.Add(line.Record);
        }
        Machines = [.. records.OfType<MachineRecord>()];
        Errors = [.. records.OfType<ErrorRecord>()];
        Ready = [.. records.OfType<ReadyRecord>()];
        Infos = [.. records.OfType<InfoRecord>()];
        Settings =
        [
            .. records.OfType<LaunchRecord>().Select(launch => launch.Settings),
            .. Errors.Select(error => error.Settings).OfType<LaunchSettings>(),
        ];
        var cpus = new Cpus(Machines);
        Run[] runs =
        [
            .. records
                .OfType<LibraryRecord>()
                .Where(record => record is not (InfoRecord or ErrorRecord { Kind: "retried" }))
                .GroupBy(record => (record.RunId, record.Library))
                .Select(run => new Run([.. run], cpus)),
        ];
        Unfinished = [.. runs.Where(run => run.IsUnfinished)];
        uncharged = new(() => MachineLoad.UnchargedIn(runs.Select(run => run.Launch).OfType<Launch>()));
        figures = new(() => CellFigures.In(this));
        Slo = SloOf("slo");
        // A search tries loads, and what it tried is none of the sweep's.
        var searches = runs.ToLookup(run => SearchRuns.Of(run.Id) != null);
        Searches = SloOf("players_until") is { } slo ? FoundPlayers.In(searches[true], slo) : [];
        Cells =
        [
            .. CellsOf(searches[false])
                .OrderBy(cell => cell.Clients)
                .ThenBy(cell => cell.Parallel)
                .ThenBy(cell => cell.Name, StringComparer.Ordinal)
                .ThenBy(cell => cell.Rate),
        ];
        Cell.Introduce(Cells, Until);
        Libraries =
        [
            .. Cells
                .Concat(Searches.Select(search => search.Cell))
                .Select(cell => cell.Name)
                .Where(name => !Baseline.Is(name))
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];
        Looks = new(Libraries);
    }

    /// <summary>That the records lie in.</summary>
    public string Folder { get; }

    public List<string> Unreadable { get; } = [];
    public MachineRecord[] Machines { get; }
    public ErrorRecord[] Errors { get; }

    /// <summary>What each side said when it was ready.</summary>
    public ReadyRecord[] Ready { get; }

    /// <summary>What each bench said of itself.</summary>
    public InfoRecord[] Infos { get; }

    /// <summary>The benches that could not be built, and why; not escaped.</summary>
    public (string Library, string Reason)[] Unavailable =>
    [
        .. Errors
            .Where(error => error.Kind == "unavailable")
            .Select(error => (error.Library, error.Reason))
            .Distinct()
            .OrderBy(bench => bench.Library, StringComparer.Ordinal),
    ];

    /// <summary>Those of every run that says them.</summary>
    public LaunchSettings[] Settings { get; }

    /// <summary>Runs that nothing says the end of.</summary>
    public Run[] Unfinished { get; }

    /// <summary>What the kernel does for both sides without charging it to them, see MachineLoad.</summary>
    public double Uncharged => uncharged.Value;

    /// <summary>What metrics of its cells are computed from.</summary>
    public Func<Cell, CellFigures> FiguresOf => figures.Value;

    /// <summary>All cells, failed ones too, sorted by clients, parallel and library.</summary>
    public Cell[] Cells { get; }

    /// <summary>What was found of the most players, of each library, mode and load.</summary>
    public FoundPlayers[] Searches { get; }

    /// <summary>The names of their libraries but for baselines, sorted.</summary>
    public string[] Libraries { get; }

    /// <summary>How charts show them.</summary>
    public Looks Looks { get; }

    /// <summary>Launches planned for each cell; null where no machine record says so.</summary>
    public long? Repeats => Machines.LastOrDefault()?.Repeats;

    /// <summary>The half-width of a ratio that was asked for, as a share; null where none was.</summary>
    public double? Until =>
        (string?)Machines.LastOrDefault()?.Sweep["until"] is [.. var number, '%']
        && double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var percent)
        && percent > 0
            ? percent / 100
            : null;

    /// <summary>What the sweep's rates are held against; null where none was named.</summary>
    public Slo? Slo { get; }

    // A sweep whose SLO is none was measured all the same.
    Slo? SloOf(string name)
    {
        try
        {
            return (string?)Machines.LastOrDefault()?.Sweep[name] is { Length: > 0 } text
                ? Slo.Parse(name, text, isOfPlayers: name != "slo")
                : null;
        }
        catch (Failure fault)
        {
            Unreadable.Add(Text.Plain(fault.Message));
            return null;
        }
    }

    static IEnumerable<Cell> CellsOf(IEnumerable<Run> runs) =>
        runs.Where(run => run.Settings != null && !run.IsUnsupported)
            .GroupBy(run => Cell.Key(run.Library, run.Settings!))
            .Select(cell => CellOf([.. cell]));

    // A launch whose link was not what was asked has failed, where more of them are sound.
    static Cell CellOf(Run[] runs)
    {
        Launch[] launches = [.. runs.Select(run => run.Launch).OfType<Launch>()];
        string[] failures = [.. runs.Select(run => run.Failure).OfType<string>()];
        ILookup<bool, Launch> byFault = launches.ToLookup(launch => launch.Link?.Faults.Any() == true);
        if (byFault[true].Count() < byFault[false].Count())
        {
            launches = [.. byFault[false]];
            failures = [.. failures, .. byFault[true].Select(launch => launch.Link!.Faults.First().InShort)];
        }
        return new(runs[0].Library, runs[0].Settings!, launches, failures);
    }
}
