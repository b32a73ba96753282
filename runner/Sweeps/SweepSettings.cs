using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>What a sweep runs: the settings by key, all of them strings as given.</summary>
static partial class SweepSettings
{
    /// <summary>The profile of a library as it comes.</summary>
    public const string DefaultProfile = "default";
    /// <summary>The work of messages.</summary>
    public const string Echo = "echo";
    /// <summary>Connections that are not encrypted.</summary>
    public const string NoSecurity = "none";
    /// <summary>All ways of a library.</summary>
    public const string AllVariants = "all";
    /// <summary>The first way of a library.</summary>
    public const string FirstVariant = "first";
    /// <summary>The name of the way of a library that has but one.</summary>
    public const string UsualVariant = "default";
    /// <summary>messages/s that a bench takes.</summary>
    public const int MostRate = 10_000_000;

    const string UntilStopped = "-1";
    const string PerClient = "/client";
    const string UsualAtMost = "20min";
    const int MostRatePerClient = 1_000_000;
    const int MostPercent = 200;

    // The defaults of a preset that does not say. Empty: none; in_turn and at_most follow from the others.
    static readonly Dictionary<string, string> defaults = new()
    {
        ["work"] = Echo,
        ["variant"] = FirstVariant,
        ["security"] = NoSecurity,
        ["payload_bytes"] = "32",
        ["only"] = "",
        ["profile"] = DefaultProfile,
        ["rate"] = "0",
        ["ladder"] = "no",
        ["slo"] = "",
        ["pin"] = "none",
        ["in_turn"] = "",
        ["rounds"] = "25",
        ["slice_ms"] = "80",
        ["settle_ms"] = "30",
        ["until"] = "",
        ["at_most"] = "",
        ["awake"] = "no",
        ["trace"] = "no",
    };

    // Sweeps of before there was anything else have none.
    static readonly string[] added = ["work", "variant", "security", .. PlannedLink.Keys];

    static SweepSettings()
    {
        foreach (var (key, value) in PlannedLink.Defaults)
            defaults[key] = value;
    }

    static readonly string[] lists =
    [
        "libraries", "work", "variant", "security", "delivery", "clients", "parallel", "only", "payload_bytes",
        "profile", "rate", "slo", .. PlannedLink.Keys,
    ];

    static readonly string[] mayBeEmpty = ["only", "slo", "until", "at_most"];

    /// <summary>The keys of a preset.</summary>
    public static readonly string[] Keys =
    [
        "libraries", "work", "delivery", "clients", "parallel", "only", "payload_bytes", "profile", "variant",
        "security", .. PlannedLink.Keys, "rate", "ladder", "slo", "pin", "in_turn", "rounds", "slice_ms", "settle_ms",
        "warmup_seconds", "seconds", "repeats", "until", "at_most", "awake", "trace",
    ];

    /// <summary>The keys of a sweep: those of a preset, and before them its name and the seed.</summary>
    public static readonly string[] AllKeys = ["preset", "seed", .. Keys];

    /// <summary>Where its sides are, for those who run it: no record has that.</summary>
    public static readonly string[] HostKeys = ["server_host", "client_hosts", "remote_folder", "address"];

    /// <summary>True of echoes and streams, false of calls.</summary>
    public static bool IsOfMessages(string work) => work is Echo or Arrivals.Stream;

    /// <summary>The flag of a setting.</summary>
    public static string FlagOf(string key) => "--" + key.Replace('_', '-');

    /// <summary>Those of a new sweep: by flags, else by the preset, else the defaults.</summary>
    public static Dictionary<string, string> New(
        Dictionary<string, string> flags, string? preset, string folder, bool isLocal)
    {
        var file = Preset.Find(preset ?? "quick", folder);
        var settings = new Dictionary<string, string>(defaults)
        {
            ["preset"] = Preset.NameOf(preset ?? "quick"),
            ["seed"] = "1",
        };
        foreach (var (key, value) in Preset.Read(file).Concat(flags))
            settings[key] = value;
        if (!settings.ContainsKey("libraries"))
            settings["libraries"] = AllLibraries(settings["work"].Split(','));
        // By its plain datagrams a link is measured.
        if (settings["rtt_ms"] != PlannedLink.None && !settings["libraries"].Split(',').Contains(Link.ProbeLibrary))
            settings["libraries"] += $",{Link.ProbeLibrary}";
        if (Keys.FirstOrDefault(key => !settings.ContainsKey(key)) is { } lacking)
            throw new Failure($"{file} lacks a line '{lacking}=…'.", Exit.WrongUsage);
        Settle(settings, isLocal);
        if (settings["in_turn"] == "")
            settings["in_turn"] = CannotTakeTurns(settings) == null ? "yes" : "no";
        if (settings["until"] != "" && settings["at_most"] == "")
            settings["at_most"] = UsualAtMost;
        CheckTogether(settings);
        return settings;
    }

    /// <summary>Those of a sweep that goes on; what is given beside must say the same.</summary>
    public static Dictionary<string, string> Resumed(
        string raw, Dictionary<string, string> flags, string? preset, string folder, bool isLocal)
    {
        if (RecordFile.OfKind(raw, "machine").FirstOrDefault()?["sweep"] is not JObject sweep)
        {
            throw new Failure($"{raw} has no machine record with its sweep's settings, so that sweep cannot go on.",
                Exit.WrongUsage);
        }
        var recorded = sweep.Properties().Select(setting => (setting.Name, (string)setting.Value!));
        var settings = Complete(recorded, raw);
        foreach (var key in AllKeys.Skip(1))
            Check($"{raw}: {key}", key, settings[key]);
        CheckTogether(settings);

        var given = preset == null ? [] : Preset.Read(Preset.Find(preset, folder));
        if (preset != null)
            given["preset"] = Preset.NameOf(preset);
        foreach (var (key, value) in flags)
            given[key] = value;
        Settle(given, isLocal);
        foreach (var key in AllKeys)
        {
            if (given.TryGetValue(key, out var value) && value != settings[key])
            {
                throw new Failure(
                    $"{key} is '{settings[key]}' in {raw}, but '{value}' is given: a sweep goes on as it began.",
                    Exit.WrongUsage);
            }
        }
        return settings;
    }

    /// <summary>Those of lines KEY=VALUE, as `runner sweep` writes them.</summary>
    public static Dictionary<string, string> Parse(IEnumerable<string> lines) =>
        Complete(lines.Select(ParseLine), "stdin", HostKeys);

    static (string Key, string Value) ParseLine(string line)
    {
        if (line.Split('=', 2) is [var key, var value])
            return (key, value);
        throw new Failure($"'{line}' is no line KEY=VALUE of a sweep.", Exit.WrongUsage);
    }

    /// <summary>Refuses a value that no cell could have; name says where it stands.</summary>
    public static void Check(string name, string key, string value)
    {
        if (mayBeEmpty.Contains(key) && value == "")
            return;
        if (key == "slo")
            Slo.Parse(name, value);
        // Commas part the CPUs of a side.
        var items = key == "pin" ? [value] : value.Split(',');
        if (items.Contains(""))
            throw new Failure($"{name} takes a value or a list, not '{value}'.", Exit.WrongUsage);
        if (items.Length > 1 && !lists.Contains(key))
            throw new Failure($"{name} takes one value, not '{value}'.", Exit.WrongUsage);
        if (items.FirstOrDefault(item => !Fits(key, item)) is { } odd)
            throw new Failure($"'{odd}' is no value for {name}.", Exit.WrongUsage);
        if (items.GroupBy(item => item).FirstOrDefault(same => same.Count() > 1) is { } twice)
            throw new Failure($"{name} names '{twice.Key}' twice.", Exit.WrongUsage);
    }

    static bool Fits(string key, string item) => key switch
    {
        "libraries" => LibraryName().IsMatch(item) && Directory.Exists($"bench-{item}"),
        "work" => Contract.Works.Contains(item),
        "variant" => VariantName().IsMatch(item),
        "security" => item is NoSecurity or "tls",
        "delivery" => Contract.Deliveries.Contains(item),
        "clients" => Whole(item, 1, 100_000),
        "parallel" => Whole(item, 1, 10_000),
        "only" => item.Split('x') is [var clients, var parallel]
            && Fits("clients", clients) && Fits("parallel", parallel),
        "payload_bytes" => Whole(item, 24, 262_144),
        "profile" => item is DefaultProfile or "tuned",
        "rate" => Whole(item, 0, MostRate)
            || item.EndsWith('%') && Whole(item[..^1], 1, MostPercent)
            || item.EndsWith(PerClient) && Whole(item[..^PerClient.Length], 1, MostRatePerClient),
        "rtt_ms" => item == PlannedLink.None || InRange(item, 0, 10_000),
        "jitter_ms" => InRange(item, 0, 10_000),
        "loss_percent" => InRange(item, 0, 90),
        "loss_burst_packets" => Whole(item, 1, 1_000),
        "rate_mbit" => InRange(item, 0, 100_000),
        "queue" => LinkSettings.QueuePattern().IsMatch(item),
        // Its terms are read before any item is looked at.
        "slo" => true,
        "pin" => item is "none" or "auto" || Pins.Parse(item) != null,
        "warmup_seconds" => InRange(item, 0, 3_600),
        "seconds" => item == UntilStopped || InRange(item, 0.1m, 86_400),
        "repeats" => Whole(item, 1, 1_000),
        "rounds" => Whole(item, 1, 10_000),
        "slice_ms" or "settle_ms" => Whole(item, 1, 1_000),
        "until" => item.EndsWith('%') && InRange(item[..^1], 0.1m, 50),
        "at_most" => Duration().Match(item) is { Success: true } match
            && InRange(match.Groups["number"].Value, 0.1m, 10_000),
        "ladder" or "trace" or "in_turn" or "awake" => item is "yes" or "no",
        "seed" => Whole(item, 0, 999_999_999),
        _ => throw new ArgumentException(key),
    };

    static bool Whole(string item, int least, int most) =>
        !item.Contains('.') && InRange(item, least, most);

    static bool InRange(string item, decimal least, decimal most)
    {
        if (!PlainNumber().IsMatch(item))
            return false;
        var number = decimal.Parse(item, CultureInfo.InvariantCulture);
        return number >= least && number <= most;
    }

    /// <summary>A rate in messages/s over all clients; a percentage stays as it is.</summary>
    public static string OverAllClients(string rate, string clients)
    {
        if (!rate.EndsWith(PerClient))
            return rate;
        return $"{long.Parse(rate[..^PerClient.Length]) * long.Parse(clients)}";
    }

    /// <summary>True where libraries are measured in turn.</summary>
    public static bool IsInTurn(Dictionary<string, string> settings) => settings["in_turn"] == "yes";

    /// <summary>Of `until`, as a share; null: as precise as the launches that are planned make it.</summary>
    public static double? Until(Dictionary<string, string> settings)
    {
        var until = settings["until"];
        if (until == "")
            return null;
        return double.Parse(until[..^1], CultureInfo.InvariantCulture) / 100;
    }

    /// <summary>Of `at_most`.</summary>
    public static double AtMostSeconds(Dictionary<string, string> settings)
    {
        var match = Duration().Match(settings["at_most"]);
        var number = double.Parse(match.Groups["number"].Value, CultureInfo.InvariantCulture);
        var unitSeconds = match.Groups["unit"].Value switch
        {
            "s" => 1,
            "min" => 60,
            _ => 3_600,
        };
        return number * unitSeconds;
    }

    // Why a sweep must be measured apart; null where it need not be.
    static string? CannotTakeTurns(Dictionary<string, string> settings)
    {
        if (settings["seconds"] == UntilStopped)
            return "seconds -1 (until stopped)";
        return settings["trace"] == "yes" ? "trace yes" : null;
    }

    // Says the plan of this machine for `auto`. Over hosts there is none.
    static void Settle(Dictionary<string, string> settings, bool isLocal)
    {
        var pin = settings.GetValueOrDefault("pin", "none");
        if (pin == "none")
            return;
        if (!isLocal && pin == "auto")
        {
            throw new Failure("pin auto plans for this machine alone: over hosts name the CPUs, as in 0/1.",
                Exit.WrongUsage);
        }
        if (!isLocal)
            return;
        var topology = new Topology(Topology.Folder, null);
        var pins = pin == "auto" ? topology.Plan() : Pins.Parse(pin)!;
        topology.AssertHas(pins);
        settings["pin"] = pins.ToString();
    }

    // What no value says alone.
    static void CheckTogether(Dictionary<string, string> settings)
    {
        if (IsInTurn(settings) && CannotTakeTurns(settings) is { } apart)
            throw new Failure($"{apart} goes with in_turn no: it is of one library at a time.", Exit.WrongUsage);
        if (!IsInTurn(settings) && settings["until"] != "")
        {
            throw new Failure("until is about ratios of libraries measured in turn: it needs in_turn yes.",
                Exit.WrongUsage);
        }
        if (!PlannedLink.IsIn(settings) && OfLink(settings) is { } lone)
            throw new Failure($"{lone} is of a link, which needs its rtt_ms.", Exit.WrongUsage);
        if ((settings["until"] == "") != (settings["at_most"] == ""))
            throw new Failure("at_most ends what until asks for: it needs until, as in 3%.", Exit.WrongUsage);
        CheckLaunches(settings);
    }

    // How many launches there are, and how much they ask for.
    static void CheckLaunches(Dictionary<string, string> settings)
    {
        var cells = Plan.Cells(settings, settings["libraries"].Split(','));
        var launches = cells.LongLength * long.Parse(settings["repeats"]);
        if (launches == 0)
        {
            throw new Failure($"only '{settings["only"]}' leaves none of clients "
                + $"'{settings["clients"]}' x parallel '{settings["parallel"]}'.", Exit.WrongUsage);
        }
        if (cells.FirstOrDefault(cell => cell.Percent == null && long.Parse(cell.Rate) > MostRate) is { } fast)
        {
            throw new Failure($"rate of {fast.Clients} clients is {fast.Rate} messages/s together, but {MostRate} "
                + "are the most.", Exit.WrongUsage);
        }
        if (settings["seconds"] == UntilStopped && launches != 1)
        {
            throw new Failure($"seconds -1 (until stopped) goes with a sweep of one launch, not of {launches}.",
                Exit.WrongUsage);
        }
    }

    // A setting of a link that is not the usual one; null where there is none.
    static string? OfLink(Dictionary<string, string> settings) =>
        PlannedLink.Defaults.FirstOrDefault(one => settings[one.Key] != one.Value).Key;

    // Those that do such works.
    static string AllLibraries(string[] works)
    {
        bool Does(string folder, string work) => File.Exists(Path.Combine(folder, "Calls.cs")) != IsOfMessages(work);
        var names = Directory.GetDirectories(".", "bench-*")
            .Where(folder => works.Any(work => Does(folder, work)))
            .Select(folder => Path.GetFileName(folder)["bench-".Length..])
            .Order(StringComparer.Ordinal);
        var libraries = string.Join(',', names);
        if (libraries == "")
            throw new Failure("There is no folder bench-* here.", Exit.WrongUsage);
        Check("libraries", "libraries", libraries);
        return libraries;
    }

    // Every key once and no other but those that may be there.
    static Dictionary<string, string> Complete(
        IEnumerable<(string Key, string Value)> given, string source, params string[] more)
    {
        var settings = new Dictionary<string, string>();
        foreach (var (key, value) in given)
        {
            if (!AllKeys.Concat(more).Contains(key) || !settings.TryAdd(key, value))
                throw new Failure($"{source}: '{key}' is there twice or no setting of a sweep.", Exit.WrongUsage);
        }
        foreach (var key in added)
            settings.TryAdd(key, defaults[key]);
        if (AllKeys.FirstOrDefault(key => !settings.ContainsKey(key)) is { } lacking)
            throw new Failure($"{source}: the sweep's setting '{lacking}' is missing.", Exit.WrongUsage);
        return settings;
    }

    /// <summary>The name of a library.</summary>
    [GeneratedRegex(@"^[a-z0-9]+(-[a-z0-9]+)*\z")]
    public static partial Regex LibraryName();

    [GeneratedRegex(@"^[a-z0-9.]+\z")]
    private static partial Regex VariantName();

    [GeneratedRegex(@"^(?<number>[0-9.]+)(?<unit>s|min|h)\z")]
    private static partial Regex Duration();

    [GeneratedRegex(@"^(0|[1-9][0-9]{0,8})(\.[0-9]{1,3})?\z")]
    private static partial Regex PlainNumber();
}
