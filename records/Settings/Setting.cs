using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Serialization;

/// <summary>A setting as its property declares it.</summary>
sealed partial class Setting
{
    static readonly SnakeCaseNamingStrategy naming = new();

    readonly PropertyInfo property;
    readonly SettingAttribute declared;

    Setting(PropertyInfo property, SettingAttribute declared)
    {
        this.property = property;
        this.declared = declared;
        Name = naming.GetPropertyName(property.Name, hasSpecifiedName: false);
        Words = property.GetCustomAttribute<OneOfAttribute>()?.Values ?? [];
        Type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
    }

    /// <summary>Those of a launch, in the order of their declaration.</summary>
    public static IReadOnlyList<Setting> OfLaunch { get; } = DeclaredIn(typeof(LaunchSettings));

    /// <summary>Of these, those that say what a link is.</summary>
    public static IReadOnlyList<Setting> OfLink { get; } = [.. OfLaunch.Where(setting => setting.IsOfLink)];

    /// <summary>As records and presets have it.</summary>
    public string Name { get; }

    /// <summary>As command lines have it.</summary>
    public string Flag => FlagOf(Name);

    /// <summary>The only values of one that is a word; else none.</summary>
    public string[] Words { get; }

    /// <summary>Of its value: int, double, bool or string; of a list string[].</summary>
    public Type Type { get; }

    /// <summary>What it means to a launch.</summary>
    public string Help => declared.Help;

    /// <summary>What it means to a sweep.</summary>
    public string SweepHelp => declared.SweepHelp ?? declared.Help;

    /// <summary>Of a launch; null: nothing stands for it.</summary>
    public object? Default => declared.Default;

    /// <summary>Of a bench by hand.</summary>
    public object? BenchDefault => declared.BenchDefault ?? declared.Default;

    /// <summary>The numbers that it takes, as in "1 to 10000"; null: it is no number.</summary>
    public string? Range => Type == typeof(int) || Type == typeof(double)
        ? $"{TextOf(declared.Least)} to {TextOf(declared.Most)}"
        : null;

    /// <summary>The same of a bench by hand.</summary>
    public string? BenchRange => double.IsNaN(declared.BenchLeast)
        ? Range
        : $"{TextOf(declared.BenchLeast)} to {TextOf(declared.Most)}";

    /// <summary>What a sweep may say of it, in whole sentences.</summary>
    public string Allowed
    {
        get
        {
            if (SweepWords.Length > 0 && (Words.Length > 0 || Type == typeof(bool)))
            {
                return $"It takes {string.Join(", ", SweepWords)}.";
            }
            string numbers = Type == typeof(int) ? "a whole number" : "a number";
            return Range == null ? SweepHelp : $"It takes {numbers} from {Range}. {declared.SweepHelp}".TrimEnd();
        }
    }

    /// <summary>What the documents say of it, beside its range and its words.</summary>
    public string Meaning => Summaries.Of(property);

    /// <summary>Of a sweep; null: each preset says it.</summary>
    public string? SweepDefault => declared.IsOfEachPreset ? null : declared.SweepDefault ?? TextOf(Default);

    /// <summary>What people read of that where it follows from other settings; null: it does not.</summary>
    public string? FollowsAs => declared.FollowsAs;

    /// <summary>When that is so.</summary>
    public string FollowsWhen => declared.FollowsWhen;

    /// <summary>What a sweep may say of it.</summary>
    public InSweep InSweep => declared.InSweep;

    /// <summary>Whether a sweep may list several values of it.</summary>
    public bool IsList => InSweep == InSweep.List || Type == typeof(string[]);

    /// <summary>Whether the sides are told.</summary>
    public bool IsOfBench => declared.IsOfBench;

    /// <summary>Whether it says what an emulated link is.</summary>
    public bool IsOfLink => declared.IsOfLink;

    /// <summary>The works that it is of, in words; null: all.</summary>
    public string? OfWorks => declared.OfWorks.Length == 0 ? null : Text.Or(declared.OfWorks);

    /// <summary>Whether it has a part in a work.</summary>
    public bool IsOf(string work) => declared.OfWorks.Length == 0 || declared.OfWorks.Contains(work);

    /// <summary>Whether libraries of one block may differ in it.</summary>
    public bool IsOfMember => declared.IsOfMember;

    /// <summary>Whether it is of libraries that are interleaved.</summary>
    public bool IsOfTurns => declared.IsOfTurns;

    /// <summary>Whether a sweep's own stands before those of its launches.</summary>
    public bool IsAheadOfLaunches => declared.IsAheadOfLaunches;

    /// <summary>Whether a sweep may leave it empty.</summary>
    public bool MayBeEmpty => declared.MayBeEmpty;

    /// <summary>What stands before an unusual value in the ids of launches; null: each id says it, or none.</summary>
    public string? IdWord => declared.IdWord;

    /// <summary>What the help of the scripts calls its value.</summary>
    public string ValueName
    {
        get
        {
            if (declared.ValueName != null)
            {
                return declared.ValueName;
            }
            if (Type == typeof(bool))
            {
                return "yes|no";
            }
            return IsList ? "LIST" : "N";
        }
    }

    /// <summary>The words that a sweep may say, for completion; none where any number or name may be.</summary>
    public string[] SweepWords
    {
        get
        {
            if (Type == typeof(bool))
            {
                return ["yes", "no"];
            }
            return Words.Length > 0 ? Words : declared.Suggests;
        }
    }

    /// <summary>The flag of a setting of this name.</summary>
    public static string FlagOf(string name) => "--" + name.Replace('_', '-');

    /// <summary>That of a launch with this name.</summary>
    public static Setting Named(string name) => OfLaunch.Single(setting => setting.Name == name);

    /// <summary>The settings that a type declares.</summary>
    public static Setting[] DeclaredIn(Type type)
    {
        var all =
            from property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            let declared = property.GetCustomAttribute<SettingAttribute>()
            where declared != null
            select new Setting(property, declared);
        return [.. all];
    }

    /// <summary>Sets its value in settings that nobody else has yet.</summary>
    public void Set(object settings, object? value) => property.SetValue(settings, value);

    /// <summary>Its value in a record of settings.</summary>
    public object? ValueIn(object settings) => property.GetValue(settings);

    /// <summary>The same as a text.</summary>
    public string TextIn(object settings) => TextOf(ValueIn(settings));

    /// <summary>Reads a value of a launch; null: it is none.</summary>
    public object? Read(string text)
    {
        if (Type == typeof(string) || Type == typeof(string[]))
        {
            return IsText(text) ? text : null;
        }
        if (Type == typeof(bool))
        {
            return text switch
            {
                "yes" => true,
                "no" => false,
                _ => null,
            };
        }
        if (declared.Unit is { } unit && text.EndsWith(unit, StringComparison.Ordinal))
        {
            text = text[..^unit.Length];
        }
        if (!IsNumber(text) || Type == typeof(int) && text.Contains('.'))
        {
            return null;
        }
        double number = double.Parse(text, CultureInfo.InvariantCulture);
        if ((number < declared.Least || number > declared.Most) && number != declared.Besides)
        {
            return null;
        }
        return Type == typeof(int) ? (object)(int)number : number;
    }

    /// <summary>What it takes, as a sentence that begins with its name and ends with what was given.</summary>
    public string Refusal(string text)
    {
        if (Type == typeof(string))
        {
            return $"'{text}' is no value for {Flag}. {Help}";
        }
        string besides = double.IsNaN(declared.Besides) ? "" : $"{TextOf(declared.Besides)} or ";
        return $"{Flag} takes {besides}a number from {Range}, not '{text}'.";
    }

    /// <summary>Whether a text is a number, plainly written and with three decimals at most.</summary>
    public static bool IsNumber(string text) => Number().IsMatch(text);

    /// <summary>A value as command lines, presets and ids of launches have it.</summary>
    public static string TextOf(object? value) => value switch
    {
        null => "",
        true => "yes",
        false => "no",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    bool IsText(string text) =>
        Words.Length > 0 ? Words.Contains(text) : Regex.IsMatch(text, declared.Pattern!);

    [GeneratedRegex(@"^-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,3})?\z")]
    private static partial Regex Number();
}
