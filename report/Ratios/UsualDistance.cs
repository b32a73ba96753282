using Newtonsoft.Json.Linq;

/// <summary>Which rounds of a sweep count: those in which its two CPUs were as far apart as they mostly were, as far as records
/// say how far that was (CONTRACT.md, "In turn").</summary>
static class UsualDistance
{
    const string List = "cpu_to_cpu_ns";
    const double MostTimes = 1.5;
    const int LeastRounds = 12;

    sealed record Usual(double LeastNs, double MostNs)
    {
        public bool Has(double ns) => ns >= LeastNs && ns <= MostNs;
    }

    /// <summary>Lets each `launch` record of a sweep know the usual distance. Of blocks in which all libraries hardly ever
    /// had it, all rounds count.</summary>
    public static void Tell(IReadOnlyCollection<JObject> launches)
    {
        if (Find([.. launches.SelectMany(Known).Order()]) is not { } usual) return;
        foreach (var block in launches.Where(launch => launch["block"] is JValue { Value: string }).GroupBy(Precision.BlockOf))
            if (block.GroupBy(launch => (string)launch["block"]!).Sum(members => CommonRounds([.. members], usual)) >= LeastRounds)
                foreach (var launch in block) launch.AddAnnotation(usual);
    }

    /// <summary>True of a round that counts; ns: how far apart the CPUs were, 0 where that is not known.</summary>
    public static bool Counts(JObject launch, double ns) => launch.Annotation<Usual>() is not { } usual || usual.Has(ns);

    /// <summary>The median distance in ns and the share of the slices at the usual distance, and of all others; null where that is
    /// not known of any.</summary>
    public static (Mode Usual, Mode Others)? Of(IReadOnlyCollection<JObject> launches)
    {
        if (launches.Select(launch => launch.Annotation<Usual>()).OfType<Usual>().FirstOrDefault() is not { } usual) return null;
        double[] known = [.. launches.SelectMany(Known).Order()];
        Mode Part(double[] some) => new((double)some.Length / known.Length, some.Length == 0 ? 0 : Medians.OfSorted(some));
        return (Part([.. known.Where(usual.Has)]), Part([.. known.Where(ns => !usual.Has(ns))]));
    }

    /// <summary>True of a launch of a block that hardly ever had it.</summary>
    public static bool IsRareFor(JObject launch) => launch.Annotation<Usual>() == null && Known(launch).Any();

    // What most are within; sorted.
    static Usual? Find(double[] known)
    {
        var (from, most) = (0, 0);
        for (int first = 0, end = 0; first < known.Length; first++)
        {
            while (end < known.Length && known[end] <= MostTimes * known[first]) end++;
            if (end - first > most) (from, most) = (first, end - first);
        }
        return most == 0 ? null : new(known[from], MostTimes * known[from]);
    }

    static int CommonRounds(JObject[] members, Usual usual)
    {
        var all = Array.ConvertAll(members, member => All(member).ToArray());
        return Enumerable.Range(0, all.Min(some => some.Length)).Count(round => Array.TrueForAll(all, some => usual.Has(some[round])));
    }

    static IEnumerable<double> Known(JObject launch) => All(launch).Where(ns => ns > 0);

    static IEnumerable<double> All(JObject launch) => ((launch["rounds"] as JObject)?[List] as JArray ?? [])
        .Select(entry => entry is JValue { Value: long ns } ? (double)ns : 0);
}
