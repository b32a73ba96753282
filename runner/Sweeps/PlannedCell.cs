using System.Text.RegularExpressions;

/// <summary>A cell as a sweep plans it: a library under a load.</summary>
/// <param name="Library">The library.</param>
/// <param name="Settings">Those of its launches that the sweep says; the others are the usual ones.</param>
/// <param name="Percent">The rate as a part of what the cell's closed loop makes; null: it is among the settings.
/// </param>
sealed partial record PlannedCell(string Library, LaunchSettings Settings, int? Percent)
{
    const string AtRate = "-at-";

    static readonly Setting[] ofLoad = [.. SweepSettings.Axes.Where(setting => !setting.IsOfMember)];
    static readonly Setting[] ofMember = [.. SweepSettings.Axes.Where(setting => setting.IsOfMember)];

    Work Work => Works.Of(Settings.Work);

    /// <summary>Of a step of a search for the most players: the name of the cell that it began with; null: it is of
    /// none.</summary>
    public string? SearchOf { get; init; }

    /// <summary>What is the same in the ids of its runs; what most sweeps have is not named.</summary>
    public string Name => string.Join('-', [Library, Settings.Delivery, .. Unusual, LoadName]);

    /// <summary>In the progress; what is usual goes without saying.</summary>
    public string Title => $"{(SearchOf == null ? "" : "search: ")}{OwnTitle} {LoadTitle}";

    /// <summary>The part of its title that is its own among those of its load.</summary>
    public string OwnTitle => string.Join(' ', [Library, Settings.Delivery, .. Unusual]);

    /// <summary>The part of its name that all libraries share.</summary>
    public string LoadName
    {
        get
        {
            string load = $"{Settings.Clients}x{Settings.Parallel}-{Work.IdOf(Settings.PayloadBytes)}";
            string unusual = string.Concat(UnusualOfLoad.Select(setting => setting.IdWord + setting.TextIn(Settings)));
            string rate = IsClosedLoop ? "" : AtRate + RateText.Replace("%", "pct");
            return load + unusual + rate;
        }
    }

    /// <summary>The part of its title that all libraries share.</summary>
    public string LoadTitle
    {
        get
        {
            string work = Work.InTitle(Settings.PayloadBytes);
            string rate = IsClosedLoop ? "" : $" at {RateText}";
            var others = UnusualOfLoad
                .Where(setting => !setting.IsOfLink)
                .Select(setting => $", {setting.Name} {setting.TextIn(Settings)}");
            string link = Settings.Link == null ? "" : $" over {Settings.Link}";
            return $"{Settings.Clients} x {Settings.Parallel}{work}{rate}{string.Concat(others)}{link}";
        }
    }

    /// <summary>Its words among the libraries of `runner run`; the last that are usual are left out.</summary>
    public string Word
    {
        get
        {
            string profile = Unusual.Any() ? $"/{Settings.Profile}" : "";
            string variant = IsUsualVariant && IsOpen ? "" : $"/{Settings.Variant}";
            string security = IsOpen ? "" : $"/{Settings.Security}";
            return $"{Library}/{Settings.Delivery}{profile}{variant}{security}";
        }
    }

    /// <summary>Id of its run in a launch.</summary>
    public string RunId(int launch) =>
        SearchOf == null ? $"r{launch}-{Name}" : SearchRuns.IdOf(launch, SearchOf, Settings.Clients);

    /// <summary>The flags of its load that all libraries share.</summary>
    public string LoadFlags
    {
        get
        {
            var words = ofLoad
                .Where(setting => setting.IdWord == null || UnusualOfLoad.Contains(setting))
                .Select(setting => setting.Name == "rate" && Percent != null
                    ? $"--rate-percent {Percent}"
                    : FlagOf(setting));
            return string.Join(' ', words);
        }
    }

    /// <summary>Its own flags.</summary>
    public string OwnFlags
    {
        get
        {
            var words = ofMember.Where(setting => setting.Name != "security" || !IsOpen).Select(FlagOf);
            return string.Join(' ', words);
        }
    }

    /// <summary>The flags by which a bench says whether it can do it; a bench knows no percentages and no
    /// links.</summary>
    public string FlagsOfBench
    {
        get
        {
            LaunchSettings ofBench = Settings with
            {
                Rate = Percent == null ? Settings.Rate : 1,
                RttMs = null,
            };
            var known = this with { Settings = ofBench, Percent = null };
            return $"{OwnFlags} {known.LoadFlags}";
        }
    }

    /// <summary>Of the id of a run: its launch, the names of its cell and of the one in which its capacity is
    /// measured.</summary>
    public static (int? Launch, string Cell, string ClosedLoop) Of(string runId)
    {
        var parts = Launch().Match(runId);
        if (!parts.Success)
        {
            return (null, runId, Rate().Replace(runId, ""));
        }
        string name = parts.Groups["name"].Value;
        return (int.Parse(parts.Groups["launch"].Value), name, Rate().Replace(name, ""));
    }

    /// <summary>Why no bench can do it; null: one may. A percentage is of what a closed loop makes, which has
    /// slots.</summary>
    public string? Refusal =>
        global::Refusal.Of(Work, Settings.Clients, Settings.Parallel, Percent == null ? Settings.Rate : 1);

    bool IsClosedLoop => Percent == null && Settings.Rate == 0;
    string RateText => Percent == null ? $"{Settings.Rate}" : $"{Percent}%";
    bool IsOpen => Settings.Security == LaunchSettings.NoSecurity;
    bool IsUsualVariant => Settings.Variant == LaunchSettings.UsualVariant;

    // Where there is no link nothing of one is said.
    IEnumerable<Setting> UnusualOfLoad => ofLoad
        .Where(setting => setting.IdWord != null && (!setting.IsOfLink || Settings.Link != null))
        .Where(setting => setting.TextIn(Settings) != Setting.TextOf(setting.Default));

    IEnumerable<string> Unusual
    {
        get
        {
            if (!IsUsualVariant)
            {
                yield return Settings.Variant;
            }
            if (!IsOpen)
            {
                yield return Settings.Security;
            }
            if (Settings.Profile != LaunchSettings.UsualProfile)
            {
                yield return Settings.Profile;
            }
        }
    }

    string FlagOf(Setting setting) => $"{setting.Flag} {setting.TextIn(Settings)}";

    [GeneratedRegex("^r(?<launch>[0-9]{1,9})-(?<name>.*)$")]
    private static partial Regex Launch();

    // At the end, as a folder may be called anything.
    [GeneratedRegex(AtRate + "[0-9]+(pct)?$")]
    private static partial Regex Rate();
}
