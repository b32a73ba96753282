/// <summary>Tables of settings and of records' fields, in markdown.</summary>
static class Tables
{
    // Of a sweep, `runner run` and a bench, or of records.
    const string OfAll = "all";
    const int MostColumns = 106;

    /// <summary>Every setting that a sweep, `runner run` or a bench takes, in one row each.</summary>
    public static string OfSettings
    {
        get
        {
            var own = SweepSettings.OfPreset.Except(Setting.OfLaunch).ToLookup(setting => setting.IsAheadOfLaunches);
            Setting[] ofSide = Setting.DeclaredIn(typeof(SideSettings));
            Setting[] all = [.. own[true], .. Setting.OfLaunch, .. own[false], .. ofSide];
            var rows = all.Select(setting => new[]
            {
                $"`{setting.Flag}`",
                TakersOf(setting),
                ValuesOf(setting),
                DefaultOf(setting),
                setting.Meaning,
            });
            return Table(["flag", "of", "values", "default", "meaning"], rows);
        }
    }

    /// <summary>The fields that several records have, and which these are.</summary>
    public static string OfSharedFields
    {
        get
        {
            var shared = Contract.Kinds.Keys
                .SelectMany(Contract.FieldsOf)
                .Where(IsShared)
                .DistinctBy(one => one.Name);
            var rows = shared.Select(one => new[] { one.Name, one.Type, RecordsWith(one), MeaningOf(one) });
            return Table(["field", "type", "in", "meaning"], rows);
        }
    }

    /// <summary>The fields of a record or of a part of one, but for those that several records have.</summary>
    public static string OfFields(string table)
    {
        var type = Contract.Kinds.GetValueOrDefault(table) ?? Contract.Parts[table];
        // What means the same has one row.
        var rows = Contract.FieldsOf(table)
            .Where(field => !IsShared(field))
            .GroupBy(field => (field.Type, Meaning: MeaningOf(field)), field => field.Name)
            .Select(names => new[] { string.Join(", ", names), names.Key.Type, names.Key.Meaning });
        string summary = ScriptHelp.Wrapped(Summaries.Of(type), "", "", MostColumns);
        return $"{summary}\n{Table(["field", "type", "meaning"], rows)}";
    }

    // A type from which records derive declares it.
    static bool IsShared(Contract.Field field) => field.Property.DeclaringType!.IsAbstract;

    static string RecordsWith(Contract.Field field)
    {
        var parted = Contract.Kinds.ToLookup(
            kind => kind.Value.IsSubclassOf(field.Property.DeclaringType!), kind => kind.Key);
        string[] without = [.. parted[false]];
        return without.Length switch
        {
            0 => OfAll,
            1 => $"{OfAll} but {without[0]}",
            _ => string.Join(", ", parted[true]),
        };
    }

    // A mark says that a sweep may list several values.
    static string TakersOf(Setting setting)
    {
        string sweep = setting.IsList ? "sweep*" : "sweep";
        (string Name, bool Takes)[] takers =
        [
            (sweep, SweepSettings.OfPreset.Contains(setting)),
            ("run", Setting.OfLaunch.Contains(setting)),
            ("bench", setting.IsOfBench),
        ];
        return Array.TrueForAll(takers, taker => taker.Takes)
            ? sweep.Replace("sweep", OfAll)
            : string.Join(", ", takers.Where(taker => taker.Takes).Select(taker => taker.Name));
    }

    static string ValuesOf(Setting setting)
    {
        string[] words = setting.Type == typeof(bool) ? setting.SweepWords : setting.Words;
        return setting.BenchRange is { } range
            ? $"{(setting.Type == typeof(int) ? "int" : "number")} {range.Replace(" to ", "–")}"
            : string.Join(", ", words.Select(word => $"`{word}`"));
    }

    static string DefaultOf(Setting setting)
    {
        bool isOfSweep = SweepSettings.OfPreset.Contains(setting);
        if (isOfSweep && !Setting.OfLaunch.Contains(setting))
        {
            return DefaultInSweep(setting);
        }
        string byHand = DefaultByHand(setting);
        if (!isOfSweep || DefaultInSweep(setting) == byHand)
        {
            return byHand;
        }
        return $"{DefaultInSweep(setting)}, by hand {byHand}";
    }

    // What is found out instead the help says in brackets.
    static string DefaultByHand(Setting setting)
    {
        const string Mark = "[default: ";
        int at = setting.Help.IndexOf(Mark, StringComparison.Ordinal);
        return at >= 0 ? setting.Help[(at + Mark.Length)..].TrimEnd(']') : Setting.TextOf(setting.BenchDefault);
    }

    static string DefaultInSweep(Setting setting)
    {
        if (setting.FollowsAs != null)
        {
            return setting.FollowsAs + setting.FollowsWhen;
        }
        return setting.SweepDefault switch
        {
            null => "preset",
            "" => "none",
            var usual => usual,
        };
    }

    static string MeaningOf(Contract.Field field)
    {
        bool isByRunner = field.Property.IsDefined(typeof(ByRunnerAttribute), inherit: false);
        return (isByRunner ? "*runner*: " : "") + Summaries.Of(field.Property);
    }

    static string Table(string[] head, IEnumerable<string[]> rows)
    {
        string[] dashes = [.. head.Select(_ => "---")];
        var lines = rows.Prepend(dashes).Prepend(head);
        return string.Concat(lines.Select(cells => $"| {string.Join(" | ", cells)} |\n")).Replace("| --- ", "|---");
    }
}
