/// <summary>How a field of several slices of one phase becomes one.</summary>
enum Merge
{
    /// <summary>Added up.</summary>
    Sum,
    /// <summary>The greatest counts.</summary>
    Greatest,
    /// <summary>What came last counts.</summary>
    Last,
}

/// <summary>How a field merges. Every number of a slice has one.</summary>
[AttributeUsage(AttributeTargets.Property)]
sealed class MergesAttribute(Merge how) : Attribute
{
    /// <summary>How it merges.</summary>
    public Merge How => how;
}

/// <summary>The only values that a text may have.</summary>
[AttributeUsage(AttributeTargets.Property)]
sealed class OneOfAttribute(params string[] values) : Attribute
{
    /// <summary>The values.</summary>
    public string[] Values => values;
}

/// <summary>Marks a field that the runner adds; a bench by hand writes the others.</summary>
[AttributeUsage(AttributeTargets.Property)]
sealed class ByRunnerAttribute : Attribute;
