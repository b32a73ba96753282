using Newtonsoft.Json.Linq;

/// <summary>The least changes of interleaved figures, which are ratios to the baseline, and of those measured
/// separately.</summary>
sealed record LeastChanges(LeastChange Interleaved, LeastChange Separately)
{
    /// <summary>Those of machines without a noise floor of their own.</summary>
    public static LeastChanges Of(params IEnumerable<JObject> machines) =>
        new(LeastChange.Interleaved, LeastChange.Separately(machines));

    /// <summary>With a machine's noise floor, which is one of either.</summary>
    public LeastChanges Or(double noiseFloor, bool isInterleaved, string source) =>
        isInterleaved
            ? this with
            {
                Interleaved = Interleaved.Or(noiseFloor, source),
            }
            : this with
            {
                Separately = Separately.Or(noiseFloor, source),
            };

    /// <summary>That of one kind.</summary>
    public LeastChange For(bool isInterleaved) => isInterleaved ? Interleaved : Separately;

    /// <summary>Those of the kinds that there are, in words; not escaped.</summary>
    public string InWords(bool[] kinds) =>
        kinds.Distinct().Count() < 2
            ? For(kinds.Contains(true)).ToString()
            : $"{Interleaved} interleaved, {Separately} separately";
}
