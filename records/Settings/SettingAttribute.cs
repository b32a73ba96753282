/// <summary>What a sweep may say of a setting of its launches.</summary>
enum InSweep
{
    /// <summary>Nothing: whoever plans the launches decides.</summary>
    Not,
    /// <summary>One value, which all launches have.</summary>
    One,
    /// <summary>A list of values, each of which makes loads of its own.</summary>
    List,
}

/// <summary>Declares a setting where its property is. The flags of runner and of the scripts with their help, what
/// presets may say, what is checked, what a bench is told and what records hold follow from it; see Setting.</summary>
/// <param name="help">What it means, as a sentence.</param>
[AttributeUsage(AttributeTargets.Property)]
sealed class SettingAttribute(string help) : Attribute
{
    /// <summary>What it means, as a sentence.</summary>
    public string Help => help;

    /// <summary>Of `runner run`; null: none, and nothing stands for it.</summary>
    public object? Default { get; init; }

    /// <summary>Of a number.</summary>
    public double Least { get; init; }

    /// <summary>Of a number.</summary>
    public double Most { get; init; }

    /// <summary>A number outside of the range that has a meaning of its own; NaN: none.</summary>
    public double Besides { get; init; } = double.NaN;

    /// <summary>What may stand behind a number; null: nothing.</summary>
    public string? Unit { get; init; }

    /// <summary>The works that it is of; none: all.</summary>
    public string[] OfWorks { get; init; } = [];

    /// <summary>Of a text that is not one of a few words.</summary>
    public string? Pattern { get; init; }

    /// <summary>Whether the sides are told; of the others the runner alone knows.</summary>
    public bool IsOfBench { get; init; }

    /// <summary>Of a bench by hand, where it is another.</summary>
    public object? BenchDefault { get; init; }

    /// <summary>Of a number of a bench by hand, where it is another; NaN: the same.</summary>
    public double BenchLeast { get; init; } = double.NaN;

    /// <summary>Words among others that a sweep may say, which a shell completes.</summary>
    public string[] Suggests { get; init; } = [];

    /// <summary>Whether it says what an emulated link is.</summary>
    public bool IsOfLink { get; init; }

    /// <summary>What a sweep may say of it.</summary>
    public InSweep InSweep { get; init; }

    /// <summary>Of a sweep; null: that of a launch.</summary>
    public string? SweepDefault { get; init; }

    /// <summary>What people read of its default in a sweep, where that follows from other settings; null: it does
    /// not.</summary>
    public string? FollowsAs { get; init; }

    /// <summary>When that is so: tables say it too, behind it.</summary>
    public string FollowsWhen { get; init; } = "";

    /// <summary>Whether each preset must say it.</summary>
    public bool IsOfEachPreset { get; init; }

    /// <summary>What it means to a sweep, where that is more; null: the same.</summary>
    public string? SweepHelp { get; init; }

    /// <summary>Whether libraries of one block may differ in it.</summary>
    public bool IsOfMember { get; init; }

    /// <summary>Whether it is of libraries that are interleaved.</summary>
    public bool IsOfTurns { get; init; }

    /// <summary>What stands before its value in the ids of launches and in the words of a launch where the value is
    /// not the usual one; null: each says it.</summary>
    public string? IdWord { get; init; }

    /// <summary>Whether a sweep's own setting stands before those of its launches, rather than behind them.</summary>
    public bool IsAheadOfLaunches { get; init; }

    /// <summary>Whether a sweep may leave it empty.</summary>
    public bool MayBeEmpty { get; init; }

    /// <summary>What the help of the scripts calls its value; null: N, a list LIST.</summary>
    public string? ValueName { get; init; }
}
