/// <summary>The cells of a sweep and the order in which it runs them.</summary>
static class Plan
{
    static readonly string[] rungs = ["10%", "25%", "50%", "75%", "90%"];

    /// <summary>The cells of these settings, each once.</summary>
    public static PlannedCell[] Cells(Dictionary<string, string> settings, string[] libraries)
    {
        string[] List(string key) => settings[key].Split(',');
        var links = PlannedLink.In(settings);
        var only = settings["only"] == "" ? null : List("only");
        return
        [
            .. from work in List("work")
               from library in libraries
               from delivery in List("delivery")
               from clients in List("clients")
               from parallel in List("parallel")
               where only == null || only.Contains($"{clients}x{parallel}")
               from bytes in List("payload_bytes")
               from profile in List("profile")
               from variant in Variants(settings, library)
               from security in List("security")
               from link in links
               from rate in Rates(settings, clients)
               select new PlannedCell(
                   work, library, delivery, variant, security, profile, clients, parallel, bytes, rate, link),
        ];
    }

    /// <summary>What is measured together of all that the libraries can do, those that are not built taken at their
    /// word; and what they cannot do, once each reason.</summary>
    public static (PlannedBlock[] Blocks, (string Library, string Reason)[] Refused) Possible(
        Dictionary<string, string> settings, string[] libraries)
    {
        var possible = new List<PlannedCell>();
        var refused = new List<(string, string)>();
        foreach (var library in libraries)
        {
            var cells = Cells(settings, [library]);
            var refusals = BenchFiles.IsBuilt(library)
                ? BenchInfo.RefusalsOf(library, cells.Select(cell => cell.FlagsOfBench))
                : new string?[cells.Length];
            for (var i = 0; i < cells.Length; i++)
            {
                refusals[i] ??= cells[i].Refusal;
            }
            possible.AddRange(cells.Where((_, i) => refusals[i] == null));
            refused.AddRange(refusals.OfType<string>().Distinct().Select(reason => (library, reason)));
        }
        PlannedBlock[] blocks = SweepSettings.IsInTurn(settings)
            ? PlannedBlock.InTurn(possible)
            : [.. possible.Select(cell => new PlannedBlock([cell]))];
        return (blocks, [.. refused]);
    }

    /// <summary>Every launch of the blocks. A percentage of the capacity needs the capacity, so those come when all
    /// others are over.</summary>
    public static IEnumerable<PlannedLaunch> Order(PlannedBlock[] blocks, int repeats, int seed) =>
        blocks.GroupBy(block => block.Percent != null).OrderBy(group => group.Key)
            .SelectMany(group => Shuffled([.. group], repeats, seed));

    // Every block in every repeat, repeats outermost; within one the order is shuffled, so that a drift of the
    // machine hits all alike. The same seed gives the same order.
    static IEnumerable<PlannedLaunch> Shuffled(PlannedBlock[] blocks, int repeats, int seed)
    {
        for (var repeat = 1; repeat <= repeats; repeat++)
        {
            var shuffled = blocks.ToArray();
            // A seeded Random gives the same numbers on every machine; Fisher and Yates' shuffle.
            var random = new Random(unchecked(seed + repeat));
            for (var left = shuffled.Length; left > 1; left--)
            {
                var picked = random.Next(left);
                (shuffled[left - 1], shuffled[picked]) = (shuffled[picked], shuffled[left - 1]);
            }
            foreach (var block in shuffled)
                yield return new(block, repeat);
        }
    }

    // The ways of a library that are asked for; of one that is not built only the usual one is known.
    static string[] Variants(Dictionary<string, string> settings, string library)
    {
        var asked = settings["variant"];
        if (asked is not (SweepSettings.AllVariants or SweepSettings.FirstVariant))
            return asked.Split(',');
        var all = BenchFiles.IsBuilt(library) ? BenchInfo.VariantsOf(library) : [SweepSettings.UsualVariant];
        return asked == SweepSettings.AllVariants ? all : all[..1];
    }

    // A ladder is the closed loop and the rungs below it; any percentage needs the closed loop.
    static IEnumerable<string> Rates(Dictionary<string, string> settings, string clients)
    {
        IEnumerable<string> rates = settings["rate"].Split(',');
        if (settings["ladder"] == "yes")
            rates = [.. rungs, .. rates];
        if (rates.Any(rate => rate.EndsWith('%')))
            rates = rates.Prepend("0");
        return rates.Select(rate => SweepSettings.OverAllClients(rate, clients)).Distinct();
    }
}
