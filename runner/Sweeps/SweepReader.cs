using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>Reads the settings of a sweep, from flags, presets, records and the scripts, and checks them.</summary>
static class SweepReader
{
    const double LeastUntilPercent = 0.1;
    const double MostUntilPercent = 50;
    const double LeastAtMost = 0.1;
    const double MostAtMost = 10_000;
    const string AgainstUntil = "3%";

    /// <summary>Those of a new sweep: by flags, else by the preset, else the defaults. Against: it is by `--against`.
    /// </summary>
    public static SweepSettings New(
        Dictionary<string, string> flags, string? preset, string folder, bool isLocal, bool isAgainst)
    {
        var file = Preset.Find(preset ?? "quick", folder);
        var texts = SweepSettings.All
            .Where(setting => setting.SweepDefault != null && setting.FollowsAs == null)
            .ToDictionary(setting => setting.Name, setting => setting.SweepDefault!);
        texts["preset"] = Preset.NameOf(preset ?? "quick");
        foreach (var (name, value) in Preset.Read(file))
        {
            texts[name] = value;
        }
        var ofPreset = new Dictionary<string, string>(texts);
        Overlay(texts, flags);
        var named = Settled(texts, folder);
        bool hasLink = ListsOf("rtt_ms", texts).Any(rtt => rtt != LinkSettings.None);
        string libraries = texts.GetValueOrDefault("libraries") ?? AllLibraries(ListsOf("work", texts));
        // By its plain datagrams a link is measured.
        bool hasProbe = !hasLink || libraries.Split(',').Contains(Link.ProbeLibrary);
        texts["libraries"] = hasProbe ? libraries : $"{libraries},{Link.ProbeLibrary}";
        var lacking = SweepSettings.OfPreset.FirstOrDefault(setting =>
            setting.FollowsAs == null && !texts.ContainsKey(setting.Name));
        if (lacking != null)
        {
            throw WrongUsage($"{file} lacks a line '{lacking.Name}=…'.");
        }
        Settle(texts, isLocal, hasLink);
        texts.TryAdd("interleaved", CannotInterleave(texts) == null ? "yes" : "no");
        texts.TryAdd("at_most", "");
        if (isAgainst && texts["interleaved"] == "yes")
        {
            flags.TryAdd("until", AgainstUntil);
            texts["until"] = flags["until"];
        }
        if (texts["until"] != "" && texts["at_most"] == "")
        {
            texts["at_most"] = SweepSettings.UsualAtMost;
        }
        SweepSettings settings = Together(texts).WithProjects(named);
        string[] changed =
        [
            .. SweepSettings.OfPreset
                .Select(setting => setting.Name)
                .Where(name => flags.TryGetValue(name, out string? value)
                    && (value != UsualOf(name, ofPreset, texts) || IsInLoads(name, ofPreset))),
        ];
        return changed.Length == 0 ? settings : settings.With(SweepSettings.ChangedName, string.Join(',', changed));
    }

    // What a sweep would have of a setting that no flag says; null where each preset says it and this one does not.
    static string? UsualOf(
        string name, Dictionary<string, string> ofPreset, Dictionary<string, string> texts) => name switch
        {
            _ when ofPreset.TryGetValue(name, out string? value) => value,
            "libraries" => LibrariesOf(ListsOf("work", texts)),
            "interleaved" => CannotInterleave(texts) == null ? "yes" : "no",
            "at_most" => SweepSettings.UsualAtMost,
            _ => null,
        };

    /// <summary>Those of a sweep that goes on; what is given beside must say the same.</summary>
    public static SweepSettings Resumed(
        string raw, Dictionary<string, string> flags, string? preset, string folder, bool isLocal)
    {
        RecordFile.RefuseCompressed(raw);
        RecordFile.RefuseOtherVersion(raw);
        if (RecordFile.OfKind<MachineRecord>(raw).FirstOrDefault()?.Sweep is not { } sweep)
        {
            throw WrongUsage($"{raw} has no machine record with its sweep's settings, so that sweep cannot go on.");
        }
        var recorded = sweep.Properties().Select(setting => (setting.Name, (string)setting.Value!));
        var texts = Complete(recorded, raw);
        CheckAll(texts, raw);
        SweepSettings settings = Together(texts);

        var given = preset == null ? [] : Preset.Read(Preset.Find(preset, folder));
        if (preset != null)
        {
            given["preset"] = Preset.NameOf(preset);
        }
        Overlay(given, flags);
        var projects = Settled(given, folder);
        Settle(given, isLocal, settings.HasLink);
        foreach (var (name, recordedValue) in settings.Texts)
        {
            if (given.TryGetValue(name, out string? value) && value != recordedValue)
            {
                throw WrongUsage(
                    $"{name} is '{recordedValue}' in {raw}, but '{value}' is given: a sweep goes on as it began.");
            }
        }
        foreach (var (name, project) in NamedLibraries.Remembered(settings.Libraries.Except(projects.Keys)))
        {
            projects[name] = project;
        }
        return settings.WithProjects(projects);
    }

    /// <summary>Adds to flags what `--against` means: the library in two versions, and as many launches as say how
    /// those differ. A sweep that goes on has these from its records.</summary>
    public static void Against(Dictionary<string, string> flags, string other, bool goesOn)
    {
        string library = LibraryName.LibraryOf(other);
        Check(Libraries, "--against", other);
        string own = flags.GetValueOrDefault("libraries", library);
        if (other.Contains(',') || own.Contains(',') || LibraryName.LibraryOf(own) != library)
        {
            throw WrongUsage($"--against measures one library against another version of it, and '{own}' against "
                + $"'{other}' is none such.");
        }
        if (own == other)
        {
            throw WrongUsage($"--against takes another version of {library}, as in --against {library}@2.1.3.");
        }
        flags["libraries"] = $"{other},{own}";
        if (!goesOn)
        {
            flags.TryAdd("repeats", $"{RoundRatio.LeastLaunches}");
        }
    }

    /// <summary>Adds to flags what `--server-library` means: beside each version of the library that is measured the
    /// pair of its clients with that server.</summary>
    public static void WithServer(Dictionary<string, string> flags, string server)
    {
        string library = LibraryName.LibraryOf(server);
        Check(Libraries, "--server-library", server);
        string[] named = flags.GetValueOrDefault("libraries", library).Split(',');
        string[] clients = [.. named.Where(one => LibraryName.LibraryOf(one) == library && one != server)];
        if (server.Contains(',') || LibraryName.IsPair(server) || clients.Length == 0)
        {
            throw WrongUsage($"--server-library takes another version of a library that is measured, as in "
                + $"--libraries litenetlib --server-library litenetlib@2.1.3, not '{server}'.");
        }
        var pairs = clients.Select(one => LibraryName.Pair(one, server));
        flags["libraries"] = string.Join(',', named.Concat(pairs));
    }

    /// <summary>Those of lines KEY=VALUE, as `runner sweep` writes them, and where its sides are.</summary>
    public static SweepSettings Parse(IEnumerable<string> lines)
    {
        var texts = Complete(
            lines.Select(ParseLine),
            "stdin",
            [.. SweepSettings.HostNames, SweepSettings.ChangedName, SweepSettings.ProjectsName]);
        CheckAll(texts, "stdin");
        string[] changed = texts.TryGetValue(SweepSettings.ChangedName, out string? names) ? names.Split(',') : [];
        if (changed.Except(SweepSettings.OfPreset.Select(setting => setting.Name)).FirstOrDefault() is { } odd)
        {
            throw WrongUsage($"stdin: {SweepSettings.ChangedName} names '{odd}', which is no setting of a preset.");
        }
        return new SweepSettings(texts);
    }

    /// <summary>Refuses a value that no cell could have.</summary>
    /// <param name="setting">Of which it is one.</param>
    /// <param name="where">How people know where it stands.</param>
    /// <param name="value">As it was given.</param>
    public static void Check(Setting setting, string where, string value)
    {
        if (setting.MayBeEmpty && value == "")
        {
            return;
        }
        switch (setting.Name)
        {
            case "libraries" when value.Split(',').Select(NamedLibraries.Fault).OfType<string>().FirstOrDefault()
                is { } fault:
                throw WrongUsage($"{where}: {fault}");
            case "slo":
                Slo.Parse(where, value);
                break;
            case "players_until":
                Slo.Parse(where, value, isOfPlayers: true);
                break;
            case Loads.Name:
                CheckLoads(where, value);
                return;
        }
        // Commas part the CPUs of a side.
        string[] items = setting.Name == "pin" ? [value] : value.Split(',');
        if (items.Contains(""))
        {
            throw WrongUsage($"{where} takes a value or a list, not '{value}'.");
        }
        if (items.Length > 1 && !setting.IsList)
        {
            throw WrongUsage($"{where} takes one value, not '{value}'.");
        }
        if (items.FirstOrDefault(item => !Fits(setting, item)) is { } odd)
        {
            throw WrongUsage($"'{odd}' is no value for {where}. {setting.Allowed}");
        }
        if (items.GroupBy(item => item).FirstOrDefault(same => same.Count() > 1) is { } twice)
        {
            throw WrongUsage($"{where} names '{twice.Key}' twice.");
        }
    }

    /// <summary>Refuses loads that say what no sweep's list could.</summary>
    public static void CheckLoads(string where, string value)
    {
        foreach (string[] words in Loads.WordsOf(value))
        {
            var named = new HashSet<string>();
            foreach (string word in words)
            {
                if (word.Split('=', 2) is not [var name, var list]
                    || SweepSettings.Axes.FirstOrDefault(axis => axis.Name == name) is not { } axis)
                {
                    throw WrongUsage($"{where}: '{word}' is no list of a sweep, as in clients=60.");
                }
                if (!named.Add(name))
                {
                    throw WrongUsage($"{where}: a load names {name} twice.");
                }
                Check(axis, $"{where}: {name}", list);
            }
        }
    }

    // A flag wins over a preset and what its loads say.
    static void Overlay(Dictionary<string, string> texts, Dictionary<string, string> flags)
    {
        if (texts.TryGetValue(Loads.Name, out string? loads) && !flags.ContainsKey(Loads.Name))
        {
            texts[Loads.Name] = Loads.Without(loads, flags.Keys);
        }
        foreach (var (name, value) in flags)
        {
            texts[name] = value;
        }
    }

    static bool IsInLoads(string name, Dictionary<string, string> texts) =>
        Loads.Of(texts[Loads.Name]).Any(load => load.ContainsKey(name));

    // All values of a setting, in its list and those of loads.
    static string[] ListsOf(string name, Dictionary<string, string> texts)
    {
        var loads = Loads.Of(texts[Loads.Name]);
        var lists = loads.Select(load => load.GetValueOrDefault(name) ?? texts[name]);
        return [.. (loads.Length == 0 ? [texts[name]] : lists).SelectMany(list => list.Split(',')).Distinct()];
    }

    // What a sweep may say that a launch may not, and what is more than a range or a pattern.
    static bool Fits(Setting setting, string item) => setting.Name switch
    {
        "rate" => OfferedLoad.IsOne(item),
        "rtt_ms" => item == LinkSettings.None || setting.Read(item) != null,
        // A sweep's launches have rounds, or are measured one after another.
        "rounds" => item != "0" && setting.Read(item) != null,
        "libraries" => Regex.IsMatch(LibraryName.LibraryOf(item), Patterns.Library)
            && Directory.Exists($"bench-{LibraryName.LibraryOf(item)}"),
        "only" => item.Split('x') is [var clients, var parallel]
            && Setting.Named("clients").Read(clients) != null
            && Setting.Named("parallel").Read(parallel) != null,
        "pin" => item is SweepSettings.NoPin or SweepSettings.PlannedPin || Pins.Parse(item) != null,
        "until" => item.EndsWith('%') && InRange(item[..^1], LeastUntilPercent, MostUntilPercent),
        "at_most" => setting.Read(item) != null
            && InRange(item.TrimEnd('s', 'm', 'i', 'n', 'h'), LeastAtMost, MostAtMost),
        _ => setting.Read(item) != null,
    };

    static Setting Libraries => SweepSettings.All.Single(setting => setting.Name == "libraries");

    static bool InRange(string text, double least, double most)
    {
        return Setting.IsNumber(text)
            && double.Parse(text, CultureInfo.InvariantCulture) is var number
            && number >= least
            && number <= most;
    }

    static (string Name, string Value) ParseLine(string line)
    {
        return line.Split('=', 2) is [var name, var value]
            ? (name, value)
            : throw WrongUsage($"'{line}' is no line KEY=VALUE of a sweep.");
    }

    static void CheckAll(Dictionary<string, string> texts, string source)
    {
        foreach (Setting setting in SweepSettings.All.Where(setting => setting.Name != "preset"))
        {
            Check(setting, $"{source}: {setting.Name}", texts[setting.Name]);
        }
    }

    // Every one once and no other but those that may be there.
    static Dictionary<string, string> Complete(
        IEnumerable<(string Name, string Value)> given, string source, params string[] more)
    {
        string[] known = [.. SweepSettings.All.Select(setting => setting.Name), .. more];
        var texts = new Dictionary<string, string>();
        foreach (var (name, value) in given)
        {
            if (!known.Contains(name) || !texts.TryAdd(name, value))
            {
                throw WrongUsage($"{source}: '{name}' is there twice or no setting of a sweep.");
            }
        }
        if (SweepSettings.All.FirstOrDefault(setting => !texts.ContainsKey(setting.Name)) is { } lacking)
        {
            throw WrongUsage($"{source}: the sweep's setting '{lacking.Name}' is missing.");
        }
        return texts;
    }

    // Says what records call the libraries, and where some are built of folders of what; a path begins in a folder.
    static Dictionary<string, string> Settled(Dictionary<string, string> texts, string folder)
    {
        if (!texts.TryGetValue("libraries", out string? list))
        {
            return [];
        }
        var named = NamedLibraries.Of(list, folder);
        Check(Libraries, "libraries", named.List);
        texts["libraries"] = named.List;
        return named.Projects;
    }

    // Says the plan of this machine for `auto`. Over hosts there is none.
    static void Settle(Dictionary<string, string> texts, bool isLocal, bool hasLink)
    {
        string pin = texts.GetValueOrDefault("pin", SweepSettings.NoPin);
        if (pin == SweepSettings.NoPin)
        {
            return;
        }
        if (!isLocal && pin == SweepSettings.PlannedPin)
        {
            throw WrongUsage("pin auto plans for this machine alone: over hosts name the CPUs, as in 0/1.");
        }
        if (!isLocal)
        {
            return;
        }
        var topology = new Topology(Topology.Folder, null);
        var pins = pin == SweepSettings.PlannedPin ? topology.Plan(hasLink) : Pins.Parse(pin)!;
        topology.AssertHas(pins);
        texts["pin"] = pins.ToString();
    }

    // Why a sweep must be measured separately; null where it need not be.
    static string? CannotInterleave(Dictionary<string, string> texts)
    {
        if (texts["seconds"] == Setting.TextOf(LaunchSettings.UntilStopped))
        {
            return "seconds -1 (until stopped)";
        }
        return texts["trace"] == "yes" ? "trace yes" : null;
    }

    // Refuses what no value says alone.
    static SweepSettings Together(Dictionary<string, string> texts)
    {
        // In the order of their declaration.
        var settings = new SweepSettings(
            SweepSettings.All.ToDictionary(setting => setting.Name, setting => texts[setting.Name]));
        if (settings.Interleaved && CannotInterleave(texts) is { } separately)
        {
            throw WrongUsage($"{separately} goes with interleaved no: it is of one library at a time.");
        }
        if (!settings.Interleaved && settings.Until != "")
        {
            throw WrongUsage("until is about ratios of interleaved libraries: it needs interleaved yes.");
        }
        if (!settings.HasLink
            && Setting.OfLink.FirstOrDefault(setting => texts[setting.Name] != setting.SweepDefault) is { } lone)
        {
            throw WrongUsage($"{lone.Name} is of a link, which needs its rtt_ms.");
        }
        string[] works = ListsOf("work", texts);
        if (SweepSettings.Axes.FirstOrDefault(axis =>
            !works.Any(axis.IsOf) && ListsOf(axis.Name, texts).Any(value => value != axis.SweepDefault)) is { } idle)
        {
            throw WrongUsage($"{idle.Name} is of work {idle.OfWorks}.");
        }
        bool isPaced = Array.TrueForAll(works, work => Works.Of(work).IsAlwaysPaced);
        if (isPaced && (settings.Ladder || ListsOf("rate", texts).Any(rate => rate.EndsWith('%'))))
        {
            throw WrongUsage("A percentage is of a closed loop, which a game has not: give its rate as in 30/client.");
        }
        CheckPlayers(settings, works);
        if ((settings.Until == "") != (settings.AtMost == ""))
        {
            throw WrongUsage("at_most ends what until asks for: it needs until, as in 3%.");
        }
        CheckLaunches(settings);
        return settings;
    }

    // What a search for the most players goes with.
    static void CheckPlayers(SweepSettings settings, string[] works)
    {
        if (settings.SloOfPlayers is not { } slo)
        {
            return;
        }
        if (works.Any(work => !Works.Of(work).IsAnswered))
        {
            throw WrongUsage("players_until goes with works that are answered: a stream has no delays.");
        }
        if (slo.LateTicksPercent != null && !works.Contains(Works.Game))
        {
            throw WrongUsage($"players_until: late-ticks is of work {Works.Game}.");
        }
        if (settings.Texts["seconds"] == Setting.TextOf(LaunchSettings.UntilStopped))
        {
            throw WrongUsage("players_until searches by itself: it goes without seconds -1 (until stopped).");
        }
    }

    // How many launches there are.
    static void CheckLaunches(SweepSettings settings)
    {
        PlannedCell[] cells = Plan.Cells(settings, settings.Libraries);
        long launches = cells.LongLength * settings.Repeats;
        if (launches == 0)
        {
            throw WrongUsage($"only '{settings.Texts["only"]}' leaves none of clients "
                + $"'{settings.Texts["clients"]}' x parallel '{settings.Texts["parallel"]}'.");
        }
        if (cells.Select(cell => cell.Settings.RoomFault(cell.Settings.Clients)).FirstOrDefault(fault => fault != null)
            is { } roomFault)
        {
            throw WrongUsage(roomFault);
        }
        if (Array.TrueForAll(cells, cell => cell.Refusal != null))
        {
            throw WrongUsage(cells[0].Refusal!);
        }
        if (settings.Texts["seconds"] == Setting.TextOf(LaunchSettings.UntilStopped) && launches != 1)
        {
            throw WrongUsage($"seconds -1 (until stopped) goes with a sweep of one launch, not of {launches}.");
        }
    }

    static string AllLibraries(string[] works)
    {
        string libraries = LibrariesOf(works);
        if (libraries == "")
        {
            throw WrongUsage("There is no folder bench-* here.");
        }
        Check(Libraries, "libraries", libraries);
        return libraries;
    }

    // Those here that do such works.
    static string LibrariesOf(string[] works)
    {
        var names = Directory.GetDirectories(".", "bench-*")
            .Where(folder => works.Any(work => Works.Of(work).IsDoneIn(folder)))
            .Select(folder => Path.GetFileName(folder)["bench-".Length..])
            .Order(StringComparer.Ordinal);
        return string.Join(',', names);
    }

    static Failure WrongUsage(string sentence) => new(sentence, Exit.WrongUsage);
}
