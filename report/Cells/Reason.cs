/// <summary>Why the figures of a launch are not to be trusted.</summary>
/// <param name="Words">With the figure that says it; not escaped.</param>
/// <param name="InShort">The same without the figure, which launches share whose figures alone differ.</param>
/// <param name="Much">How bad it is, by which those that share that are compared.</param>
sealed record Reason(string Words, string InShort, double Much)
{
    /// <summary>A reason without a figure.</summary>
    public static implicit operator Reason(string words) => new(words, words, 0);

    /// <summary>Those of several launches, of each kind the worst alone.</summary>
    public static Reason[] WorstOf(IEnumerable<Reason> ofLaunches) =>
        [.. ofLaunches.GroupBy(reason => reason.InShort).Select(kind => kind.MaxBy(reason => reason.Much)!)];
}
