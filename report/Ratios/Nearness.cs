using Newtonsoft.Json.Linq;

/// <summary>Which rounds of a sweep count: those in which its two CPUs were near each other, as far as records say how near
/// they were (CONTRACT.md, "In turn").</summary>
static class Nearness
{
    const string List = "cpu_to_cpu_ns";
    const double Apart = 1.5, Nearest = 0.05;
    const int LeastRounds = 12;

    sealed record Limit(double Ns);

    /// <summary>Lets each `launch` record of a sweep know up to where CPUs are near. Of blocks in which
    /// all libraries hardly ever had them so, all rounds count.</summary>
    public static void Tell(IReadOnlyCollection<JObject> launches)
    {
        double[] known = [.. launches.SelectMany(Distances).Order()];
        if (known.Length == 0) return;
        var limit = new Limit(Apart * known[(int)(Nearest * known.Length)]);
        foreach (var block in launches.Where(launch => launch["block"] is JValue { Value: string }).GroupBy(Precision.BlockOf))
            if (block.GroupBy(launch => (string)launch["block"]!).Sum(members => NearRounds([.. members], limit.Ns)) >= LeastRounds)
                foreach (var launch in block) launch.AddAnnotation(limit);
    }

    /// <summary>True of a round that counts; ns: how far apart the CPUs were, 0 where that is not known.</summary>
    public static bool Counts(JObject launch, double ns) => launch.Annotation<Limit>() is not { } limit || ns > 0 && ns <= limit.Ns;

    /// <summary>The median distance in ns and the share of the slices with near CPUs, and with distant ones; null where that is
    /// not known of any.</summary>
    public static (Mode Near, Mode Distant)? Of(IReadOnlyCollection<JObject> launches)
    {
        if (launches.Select(launch => launch.Annotation<Limit>()).OfType<Limit>().FirstOrDefault() is not { } limit) return null;
        double[] known = [.. launches.SelectMany(Distances).Order()];
        Mode Part(double[] some) => new((double)some.Length / known.Length, some.Length == 0 ? 0 : Medians.OfSorted(some));
        return (Part([.. known.Where(ns => ns <= limit.Ns)]), Part([.. known.Where(ns => ns > limit.Ns)]));
    }

    /// <summary>True of a launch of a block that hardly ever had near CPUs.</summary>
    public static bool IsDistant(JObject launch) => launch.Annotation<Limit>() == null && Distances(launch).Any();

    static int NearRounds(JObject[] members, double mostNs)
    {
        var all = Array.ConvertAll(members, member => All(member).ToArray());
        return Enumerable.Range(0, all.Min(some => some.Length)).Count(round => Array.TrueForAll(all, some => some[round] > 0 && some[round] <= mostNs));
    }

    static IEnumerable<double> Distances(JObject launch) => All(launch).Where(ns => ns > 0);

    static IEnumerable<double> All(JObject launch) => ((launch["rounds"] as JObject)?[List] as JArray ?? [])
        .Select(entry => entry is JValue { Value: long ns } ? (double)ns : 0);
}
