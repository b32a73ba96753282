/// <summary>Tables of settings and of records' fields, in markdown.</summary>
static class Tables
{
    /// <summary>The flags that each bench has.</summary>
    public static string OfBench =>
        OfFlags([.. Setting.OfLaunch.Where(setting => setting.IsOfBench), .. Setting.DeclaredIn(typeof(SideSettings))],
            setting => setting.BenchDefault, setting => setting.BenchRange);

    /// <summary>Those that `runner run` has besides.</summary>
    public static string OfRunner =>
        OfFlags(
            Setting.OfLaunch.Where(setting => !setting.IsOfBench),
            setting => setting.Default,
            setting => setting.Range);

    /// <summary>What a preset says, and a sweep by flags.</summary>
    public static string OfSweep => Table(
        ["setting", "list", "default", "meaning"],
        SweepSettings.OfPreset.Select(setting => new[]
        {
            $"`{setting.Name}`",
            setting.IsList ? "yes" : "",
            DefaultOf(setting),
            // What a flag of the tables below means is said there.
            Setting.OfLaunch.Any(flag => flag.Name == setting.Name) ? "" : setting.SweepHelp.TrimEnd('.'),
        }));

    /// <summary>The fields of a record or of a part of one; those that each record has are not among them.</summary>
    public static string OfFields(string table)
    {
        var type = Contract.Kinds.GetValueOrDefault(table) ?? Contract.Parts[table];
        var rows = Contract.FieldsOf(table)
            .Where(field => field.Property.DeclaringType != typeof(AnyRecord))
            .Select(field => new[] { field.Name, field.Type, MeaningOf(field) });
        return $"{Summaries.Of(type)}\n\n{Table(["field", "type", "meaning"], rows)}";
    }

    static string OfFlags(
        IEnumerable<Setting> settings, Func<Setting, object?> defaultOf, Func<Setting, string?> rangeOf)
    {
        var rows = settings.Select(setting => new[]
        {
            $"`{setting.Flag}`",
            DefaultOf(setting, defaultOf(setting)),
            Joined(rangeOf(setting) ?? WordsOf(setting), setting.Meaning),
        });
        return Table(["flag", "default", "values"], rows);
    }

    static string Joined(string values, string meaning) => values == "" ? meaning : $"{values}; {meaning}";

    static string WordsOf(Setting setting) =>
        string.Join(", ", setting.Words.Select(word => $"`{word}`"));

    // What is found out instead the help says in brackets.
    static string DefaultOf(Setting setting, object? value)
    {
        const string Mark = "[default: ";
        int at = setting.Help.IndexOf(Mark, StringComparison.Ordinal);
        if (at >= 0)
        {
            return setting.Help[(at + Mark.Length)..].TrimEnd(']');
        }
        return value is string or bool ? $"`{(value is bool ? "false" : value)}`" : Setting.TextOf(value);
    }

    static string DefaultOf(Setting setting)
    {
        if (setting.FollowsAs != null)
        {
            return setting.FollowsAs + setting.FollowsWhen;
        }
        return setting.SweepDefault switch
        {
            null => "each preset says it",
            "" => "none",
            var usual => $"`{usual}`",
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
