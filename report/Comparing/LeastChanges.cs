using Newtonsoft.Json.Linq;

/// <summary>The least changes of figures in turn, which are ratios to the plain socket, and of those measured
/// apart.</summary>
sealed record LeastChanges(LeastChange InTurn, LeastChange Apart)
{
    /// <summary>Those of machines without a noise floor of their own.</summary>
    public static LeastChanges Of(params IEnumerable<JObject> machines) =>
        new(LeastChange.InTurn, LeastChange.Apart(machines));

    /// <summary>With a machine's noise floor, which is one of either.</summary>
    public LeastChanges Or(double noiseFloor, bool isInTurn, string source) =>
        isInTurn
            ? this with
            {
                InTurn = InTurn.Or(noiseFloor, source),
            }
            : this with
            {
                Apart = Apart.Or(noiseFloor, source),
            };

    /// <summary>That of one kind.</summary>
    public LeastChange For(bool isInTurn) => isInTurn ? InTurn : Apart;

    /// <summary>Those of the kinds that there are, in words; not escaped.</summary>
    public string InWords(bool[] kinds) =>
        kinds.Distinct().Count() < 2 ? For(kinds.Contains(true)).ToString() : $"{InTurn} in turn, {Apart} apart";
}
