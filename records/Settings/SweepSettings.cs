using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>What a sweep runs: its own settings, and for each setting of a launch one value or a list. Each is kept as
/// it was given, as presets and records have it, by its name.</summary>
/// <param name="Texts">A text of each.</param>
sealed partial record SweepSettings(IReadOnlyDictionary<string, string> Texts)
{
    /// <summary>All ways of a library.</summary>
    public const string AllVariants = "all";

    /// <summary>The first way of a library.</summary>
    public const string FirstVariant = "first";

    /// <summary>A plan of CPUs by the runner.</summary>
    public const string PlannedPin = "auto";

    /// <summary>No plan of CPUs.</summary>
    public const string NoPin = "none";

    /// <summary>Of `at_most`, where `until` asks for a precision.</summary>
    public const string UsualAtMost = "20min";

    /// <summary>Where its sides are, for those who run it: no record has that.</summary>
    public static readonly string[] HostNames = ["server_host", "client_hosts", "remote_folder", "address"];

    /// <summary>What names the settings that flags changed of the preset, beside the settings themselves.</summary>
    public const string ChangedName = "changed";

    /// <summary>What names the projects of libraries that are built of a folder, beside the settings themselves: no
    /// record has paths.</summary>
    public const string ProjectsName = "library_projects";

    // Which no path holds.
    const char BetweenProjects = '\t';

    static readonly Setting[] own = Setting.DeclaredIn(typeof(SweepSettings));

    /// <summary>All, those of launches in the midst.</summary>
    public static IReadOnlyList<Setting> All { get; } =
    [
        .. own.Where(setting => setting.IsAheadOfLaunches),
        .. Setting.OfLaunch.Where(setting => setting.InSweep != InSweep.Not),
        .. own.Where(setting => !setting.IsAheadOfLaunches),
    ];

    /// <summary>Those that a preset may say.</summary>
    public static IReadOnlyList<Setting> OfPreset { get; } =
        [.. All.Where(setting => setting.Name is not ("preset" or "seed"))];

    /// <summary>Of launches, those of which a sweep has a list.</summary>
    public static IReadOnlyList<Setting> Axes { get; } =
        [.. Setting.OfLaunch.Where(setting => setting.InSweep == InSweep.List)];

    [Setting("A preset: scripts/presets/NAME.preset or a file of such lines.", Default = "quick",
        Pattern = Patterns.Name, ValueName = "NAME|FILE", IsAheadOfLaunches = true)]
    public string Preset => Texts["preset"];

    [Setting("Seed of the order.", Default = 1, Least = 0, Most = 999_999_999, IsAheadOfLaunches = true)]
    public int Seed => Number("seed");

    /// <summary>Names of folders `bench-NAME`, also in [other versions](cli.md#versions-of-a-library)</summary>
    [Setting("Folders bench-NAME; NAME@2.1.3: with that version of the library; NAME@../FOLDER: with what is built of "
        + "the project there.", Pattern = Patterns.Member, FollowsAs = "all that do such work",
        IsAheadOfLaunches = true)]
    public string[] Libraries => ListOf("libraries");

    /// <summary>Only these of the combinations of clients x parallel, as in `100x1,1x100`</summary>
    [Setting("Of clients x parallel only these, as in 100x1,1x100.", Default = "", Pattern = Patterns.Load,
        MayBeEmpty = true)]
    public string[] Only => ListOf("only");

    /// <summary>Loads besides the combinations of the lists, like the lines [`load=…`](cli.md#presets) of a preset,
    /// with `;` between them</summary>
    [Setting("Loads outside the combinations of the lists, each with what replaces those, as in "
        + "'clients=60 rate=20/client; clients=10 rate=128/client'. A preset has a line load=… of each.",
        Default = "", Pattern = Patterns.Loads, MayBeEmpty = true, ValueName = "LOADS")]
    public string Loads => Texts["loads"];

    /// <summary>Measures the closed loop, and rates of 10, 25, 50, 75 and 90 % of it</summary>
    [Setting("The closed loop and 10, 25, 50, 75, 90 % of it too.", Default = false)]
    public bool Ladder => IsYes("ladder");

    /// <summary>The report says the highest rate that keeps to these terms of p50, p90, p99, p99.9 and loss, as in
    /// `p99=5ms,loss=0.1%`</summary>
    [Setting("Terms of p50, p90, p99, p99.9=<n>us, ms or s, and loss=<x>%, as in p99=5ms,loss=0.1%: the report says "
        + "the highest rate that keeps to it.",
        Default = "", Pattern = Patterns.Slo, MayBeEmpty = true, ValueName = "TERMS")]
    public string[] Slo => ListOf("slo");

    /// <summary>CPUs of server and clients, as in `0,2/1,3`; `auto`: the runner plans them</summary>
    [Setting("CPUs of server and clients, as in 0,2/1,3; auto: planned.", Default = NoPin, Pattern = Patterns.Pin,
        Suggests = [NoPin, PlannedPin],
        ValueName = "none|auto|S/C")]
    public string Pin => Texts["pin"];

    /// <summary>Libraries are interleaved; `no`: they are measured one after another</summary>
    [Setting("Libraries are interleaved, or one after another.", Default = true, FollowsAs = "yes",
        FollowsWhen = ", unless traced or until stopped")]
    public bool Interleaved => IsYes("interleaved");

    /// <summary>Launches of each cell</summary>
    [Setting("Launches.", Least = 1, Most = 1_000, IsOfEachPreset = true)]
    public int Repeats => Number("repeats");

    /// <summary>More launches follow until the half-width of every ratio to the baseline is below that, as in
    /// `3%`</summary>
    [Setting("More launches until the half-width of every ratio to the baseline is below that, as in 3%.",
        Default = "", Pattern = Patterns.Percent, MayBeEmpty = true, ValueName = "N%")]
    public string Until => Texts["until"];

    /// <summary>Searches for [how many players fit](cli.md#how-many-players-fit) within these terms</summary>
    [Setting("Also searches for the most clients at which each library keeps to an SLO: terms of p50, p90, p99, "
        + "p99.9=<n>us, ms or s, late-ticks=<x>% and loss=<x>%, as in p99=50ms,late-ticks=1%,loss=1%.",
        Default = "", Pattern = Patterns.Slo, MayBeEmpty = true, ValueName = "TERMS")]
    public string[] PlayersUntil => ListOf("players_until");

    /// <summary>No more launches once all together took so long, as in `90s` or `2h`</summary>
    [Setting("Or until all launches took so long, as in 90s, 2h.", Default = "", Pattern = Patterns.Duration,
        FollowsAs = UsualAtMost, FollowsWhen = " with `until`", MayBeEmpty = true, ValueName = "TIME")]
    public string AtMost => Texts["at_most"];

    /// <summary>Of `players_until`; null: nothing is searched for.</summary>
    internal global::Slo? SloOfPlayers => Texts["players_until"] is var terms && terms == ""
        ? null
        : global::Slo.Parse("players_until", terms, isOfPlayers: true);

    /// <summary>One for each of `loads`, with what that says; itself where there are none.</summary>
    internal IReadOnlyList<SweepSettings> OfLoads => Loads == ""
        ? [this]
        : [.. global::Loads.Of(Loads).Select(load => load.Aggregate(
            With(global::Loads.Name, ""), (settings, word) => settings.With(word.Key, word.Value)))];

    /// <summary>Of `until`, as a share; null: as precise as the launches that are planned make it.</summary>
    internal double? UntilShare =>
        Until == "" ? null : double.Parse(Until[..^1], CultureInfo.InvariantCulture) / 100;

    /// <summary>Of `at_most`.</summary>
    internal double AtMostSeconds
    {
        get
        {
            var duration = Regex.Match(AtMost, Patterns.Duration);
            double number = double.Parse(duration.Groups["number"].Value, CultureInfo.InvariantCulture);
            int unitSeconds = duration.Groups["unit"].Value switch
            {
                "s" => 1,
                "min" => 60,
                _ => 3_600,
            };
            return number * unitSeconds;
        }
    }

    /// <summary>What flags changed of the preset, each setting with its value, as in "security none,tls".</summary>
    internal string[] Changed => Texts.TryGetValue(ChangedName, out string? names)
        ? [.. names.Split(',').Select(name => $"{name} {(Texts[name] == "" ? "none" : Texts[name])}")]
        : [];

    /// <summary>The projects of libraries that are built of a folder, by what those are called.</summary>
    internal Dictionary<string, string> Projects => Texts.TryGetValue(ProjectsName, out string? projects)
        ? projects.Split(BetweenProjects).Chunk(2).ToDictionary(project => project[0], project => project[1])
        : [];

    /// <summary>The same with these projects of libraries.</summary>
    internal SweepSettings WithProjects(Dictionary<string, string> projects)
    {
        var words = projects.SelectMany(project => new[] { project.Key, project.Value });
        return projects.Count == 0 ? this : With(ProjectsName, string.Join(BetweenProjects, words));
    }

    /// <summary>True where some of its launches are on a link.</summary>
    internal bool HasLink => OfLoads.Any(load => load.Texts["rtt_ms"] != LinkSettings.None);

    /// <summary>The same with one text more, or another one.</summary>
    internal SweepSettings With(string name, string text) =>
        new(new Dictionary<string, string>(Texts) { [name] = text });

    /// <summary>The values of a setting, one after another; none where it is empty.</summary>
    internal string[] ListOf(string name) => Texts[name] == "" ? [] : Texts[name].Split(',');

    bool IsYes(string name) => Texts[name] == "yes";

    int Number(string name) => int.Parse(Texts[name], CultureInfo.InvariantCulture);
}
