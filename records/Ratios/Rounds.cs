using Newtonsoft.Json.Linq;

/// <summary>The rounds of a `launch` record of libraries measured in turn.</summary>
sealed class Rounds
{
    readonly JObject lists;

    Rounds(JObject launch, JObject lists)
    {
        Block = (string)launch["block"]!;
        this.lists = lists;
        Count = (lists["elapsed_ns"] as JArray)?.Count ?? 0;
    }

    /// <summary>Those of a launch; null where it was measured apart.</summary>
    public static Rounds? Of(JObject launch) =>
        launch["rounds"] is JObject lists && launch["block"] is JValue { Value: string } ? new(launch, lists) : null;

    /// <summary>The same in all launches that had their slices in the same rounds.</summary>
    public string Block { get; }

    public int Count { get; }

    /// <summary>An entry of one of its lists; 0 where there is none.</summary>
    public double At(string list, int round) =>
        lists[list] is JArray entries && round < entries.Count && entries[round] is JValue { Value: long number }
            ? number
            : 0;

    /// <summary>Messages answered a second; 0: it is no round of a ratio.</summary>
    public double Rate(int round) =>
        At("completed", round) > 0 && At("elapsed_ns", round) > 0
            ? 1e9 * At("completed", round) / At("elapsed_ns", round)
            : 0;

    /// <summary>Messages answered a second in each round that took any time.</summary>
    public IEnumerable<double> Rates => Enumerable.Range(0, Count).Where(i => At("elapsed_ns", i) > 0).Select(Rate);

    /// <summary>CPU time of both sides in ns a message answered; 0: it is no round of a ratio.</summary>
    public double CpuNs(int round) =>
        Rate(round) == 0
            ? 0
            : Math.Max(0, At("client_cpu_ns", round) + At("server_cpu_ns", round)) / At("completed", round);
}
