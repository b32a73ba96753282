/// <summary>A block as it is launched for the n-th time, with fresh processes.</summary>
sealed record PlannedLaunch(PlannedBlock Block, int Number)
{
    /// <summary>As its records name it.</summary>
    public string Id => $"r{Number}-{Block.Name}";

    /// <summary>The ids of its members' runs.</summary>
    public IEnumerable<string> RunIds => Block.Members.Select(member => member.RunId(Number));
}

/// <summary>What is measured together: interleaved, the cells of one load and kind of delivery, of all libraries and
/// profiles, baselines first; measured separately one cell.</summary>
sealed record PlannedBlock(PlannedCell[] Members)
{
    PlannedCell First => Members[0];

    // Those that have no baseline of their own are held against that of their kind.
    static string KindOf(string delivery) => delivery.StartsWith("reliable-") ? "reliable" : delivery;

    /// <summary>The blocks that cells interleaved make.</summary>
    public static PlannedBlock[] Interleaved(IEnumerable<PlannedCell> cells) =>
    [
        .. cells
            .GroupBy(cell => (KindOf(cell.Settings.Delivery), cell.LoadName))
            .Select(block => new PlannedBlock([.. block.OrderBy(cell => !Baseline.Is(cell.Library))])),
    ];

    /// <summary>What is the same in the ids of its launches, such as unreliable-100x1-32.</summary>
    public string Name => $"{KindOf(First.Settings.Delivery)}-{First.LoadName}";

    /// <summary>In the progress: what it is of.</summary>
    public string LoadTitle => $"{KindOf(First.Settings.Delivery)} {First.LoadTitle}";

    /// <summary>The part of the capacity in %; null where the rate is a number.</summary>
    public int? Percent => First.Percent;

    /// <summary>In the progress: what it is of, and the libraries.</summary>
    public string Title(SweepSettings settings)
    {
        if (!IsInterleaved(settings))
        {
            return First.Title;
        }
        return $"{LoadTitle}: {string.Join(", ", Members.Select(member => member.Library).Distinct())}";
    }

    /// <summary>The words of `runner run` for a launch.</summary>
    public string Words(int launch, SweepSettings settings)
    {
        string Flag(string name) => $"{Setting.FlagOf(name)} {settings.Texts[name]}";
        // An interleaved slice is shorter than what a link or trouble does: there a block shares the link alone.
        bool hasRoundRatios = IsInterleaved(settings) && !First.Settings.OutlastsSlices;
        var ofLaunch = Setting.OfLaunch.Where(setting => setting.InSweep == InSweep.One).ToLookup(IsSwitch);
        List<string> words = [IsInterleaved(settings) ? WordsOfMembers(launch) : WordsOfOne(launch)];
        words.Add(First.LoadFlags);
        words.AddRange(ofLaunch[false]
            .Where(setting => hasRoundRatios || !setting.IsOfTurns)
            .Select(setting => Flag(setting.Name)));
        if (hasRoundRatios)
        {
            words.Add($"--order-seed {settings.Seed + (long)launch}");
        }
        if (settings.Pin.Split('/') is [var server, var clients])
        {
            words.Add($"--server-cpus {server} --client-cpus {clients}");
        }
        words.AddRange(ofLaunch[true]
            .Where(setting => settings.Texts[setting.Name] == "yes")
            .Select(setting => setting.Flag));
        words.AddRange(SweepSettings.HostNames.Where(settings.Texts.ContainsKey).Select(Flag));
        return string.Join(' ', words);
    }

    // Each library goes its own way in a search.
    bool IsInterleaved(SweepSettings settings) => settings.Interleaved && First.SearchOf == null;

    static bool IsSwitch(Setting setting) => setting.Type == typeof(bool);

    // The usual way is said although words leave it out, or each member would be asked for it in every launch.
    string WordsOfMembers(int launch)
    {
        string members = string.Join(',', Members.Select(member => member.Word));
        bool isAlone = First.Settings.OutlastsSlices && Members.Length == 1;
        string id = isAlone ? First.RunId(launch) : $"r{launch}";
        return $"{members} --run-id {id} --variant {LaunchSettings.UsualVariant}";
    }

    string WordsOfOne(int launch) => $"{First.Library} --run-id {First.RunId(launch)} {First.OwnFlags}";
}
