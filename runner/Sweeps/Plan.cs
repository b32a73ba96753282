/// <summary>The cells of a sweep and the order in which it runs them.</summary>
static class Plan
{
    static readonly string[] rungs = ["10%", "25%", "50%", "75%", "90%"];

    /// <summary>The cells of these settings, each once.</summary>
    public static PlannedCell[] Cells(SweepSettings settings, string[] libraries) =>
    [
        .. libraries
            .SelectMany(library => settings.OfLoads.SelectMany(load => CellsOf(load, library)))
            .Distinct(),
    ];

    // All combinations of the values of all settings of which there are lists.
    static IEnumerable<PlannedCell> CellsOf(SweepSettings settings, string library)
    {
        IEnumerable<PlannedCell> cells = [new PlannedCell(library, LaunchSettings.Default, null)];
        foreach (Setting axis in SweepSettings.Axes.Where(axis => axis.Name is not ("rate" or "variant")))
        {
            object?[] values = [.. settings.ListOf(axis.Name).Select(axis.Read)];
            cells = cells.SelectMany(cell => values, (cell, value) => With(cell, axis, value)).ToArray();
        }
        string[] variants = Variants(settings, library);
        return
            from cell in cells
            where settings.Only.Length == 0
                || settings.Only.Contains($"{cell.Settings.Clients}x{cell.Settings.Parallel}")
            from variant in variants
            from rate in Rates(settings, cell.Settings)
            select cell with
            {
                Settings = WithoutIdle((cell.Settings with { Variant = variant, Rate = rate.Number }).Settled),
                Percent = rate.Percent,
            };
    }

    static PlannedCell With(PlannedCell cell, Setting axis, object? value)
    {
        var settings = LaunchSettings.Made(setting =>
            setting == axis ? value : setting.ValueIn(cell.Settings));
        return cell with { Settings = settings };
    }

    // What has no part in a load is not told apart: without a link there is nothing of one, without loss no bursts,
    // without a rate no queue.
    static LaunchSettings WithoutIdle(LaunchSettings settings)
    {
        LaunchSettings usual = LaunchSettings.Default;
        if (settings.Link == null)
        {
            return LaunchSettings.Made(setting =>
                setting.ValueIn(setting.IsOfLink ? usual : settings));
        }
        return settings with
        {
            LossBurstPackets = settings.LossPercent == 0 ? usual.LossBurstPackets : settings.LossBurstPackets,
            Queue = settings.RateMbit == 0 ? usual.Queue : settings.Queue,
        };
    }

    /// <summary>What is measured together of all that the libraries can do, those that are not built taken at their
    /// word; and what they cannot do, once each reason.</summary>
    public static (PlannedBlock[] Blocks, (string Library, string Reason)[] Refused) Possible(
        SweepSettings settings, string[] libraries)
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
        PlannedBlock[] blocks = settings.Interleaved
            ? PlannedBlock.Interleaved(possible)
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
            {
                yield return new(block, repeat);
            }
        }
    }

    // The ways of a library that are asked for; of one that is not built only the usual one is known. Those beside
    // the first are asked only of who has them.
    static string[] Variants(SweepSettings settings, string library)
    {
        string[] asked = settings.ListOf("variant");
        if (!asked.Contains(SweepSettings.FirstVariant) && asked is not [SweepSettings.AllVariants])
        {
            return asked;
        }
        string[] all = BenchFiles.IsBuilt(library)
            ? [.. BenchInfo.Of(library).Variants.Keys]
            : [LaunchSettings.UsualVariant];
        return asked is [SweepSettings.AllVariants] ? all : [.. all[..1], .. all[1..].Intersect(asked)];
    }

    // A ladder is the closed loop and the rungs below it; any percentage needs the closed loop.
    // What has no closed loop has no percentages.
    static IEnumerable<OfferedLoad> Rates(SweepSettings settings, LaunchSettings ofCell)
    {
        IEnumerable<string> rates = settings.ListOf("rate");
        if (settings.Ladder)
        {
            rates = [.. rungs, .. rates];
        }
        var loads = rates.Select(rate => OfferedLoad.Of(rate, ofCell.Clients)).ToArray();
        if (Works.Of(ofCell.Work).IsAlwaysPaced)
        {
            return loads.Where(load => load.Percent == null).Distinct();
        }
        if (loads.Any(load => load.Percent != null))
        {
            loads = [new OfferedLoad(0, null), .. loads];
        }
        return loads.Distinct();
    }
}
