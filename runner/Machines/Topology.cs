/// <summary>The CPUs that this process may use and what they share, as Linux tells it.</summary>
sealed class Topology
{
    /// <summary>Where Linux tells it.</summary>
    public const string Folder = "/sys/devices/system/cpu";

    // In place of a list.
    const string All = "all";

    // One for each side and one for the link.
    const int LeastForLink = 3;

    sealed record Core(int[] Cpus, string L3, string Node);

    readonly int[] allowed;
    readonly Core[] cores;

    /// <summary>Reads it; allowed: the CPUs to plan with, null for those of this process.</summary>
    public Topology(string folder, int[]? allowed)
    {
        this.allowed = allowed ?? Allowed();
        cores =
        [
            .. this.allowed
                .GroupBy(cpu => Machine.Read($"{folder}/cpu{cpu}/topology/thread_siblings_list") ?? $"{cpu}")
                .Select(core => CoreOf(folder, [.. core])),
        ];
    }

    static Core CoreOf(string folder, int[] cpus)
    {
        var first = $"{folder}/cpu{cpus[0]}";
        return new(cpus, L3(first), Node(first));
    }

    /// <summary>Two sides with equally many cores each. What shares a core, then a NUMA node, then a third-level
    /// cache, is on one side where that can be; an odd core is left out. Of a sweep with a link one CPU at least is
    /// left for its emulator, where there are three.</summary>
    public Pins Plan(bool hasLink = false)
    {
        if (allowed.Length < 2)
        {
            throw new Failure("Server and clients cannot be pinned apart: this process may use one CPU only.",
                Exit.WrongUsage);
        }
        // One core alone: then its threads are the sides.
        Core[] units = cores.Length > 1
            ? cores
            : [.. allowed.Select(cpu => new Core([cpu], cores[0].L3, cores[0].Node))];
        var half = units.Length / 2;
        var sides = Sides([.. units.GroupBy(core => core.Node)], half)
            ?? Sides([.. units.GroupBy(core => (core.Node, core.L3))], half)
            ?? Cut(units, half);
        Core[][] both = [[.. sides.One.Take(half)], [.. sides.Other.TakeLast(half)]];
        // Both give up as much, so that they are alike.
        if (hasLink && both.Sum(side => Cpus(side).Length) == allowed.Length)
        {
            both = [GivingUp(both[0]), GivingUp(both[1])];
        }
        var one = Cpus(both[0]);
        var other = Cpus(both[1]);
        return one[0] < other[0] ? new(one, other) : new(other, one);
    }

    /// <summary>The CPUs of a launch over a link, as its settings have them. Where there are three or more the emulator
    /// has one that no pinned side has, and a side that may use all keeps off it. Link: null where there is none.
    /// </summary>
    public (string Server, string Clients, int? Link) BesideLink(string server, string clients)
    {
        string[] pinned = [.. new[] { server, clients }.Where(side => side != All)];
        int[] taken = [.. pinned.SelectMany(side => Pins.List(side) ?? [])];
        if (allowed.Length < LeastForLink || Free(taken) is not { } link)
        {
            return (server, clients, null);
        }
        string others = Pins.InWords([.. allowed.Where(cpu => cpu != link)]);
        return (server == All ? others : server, clients == All ? others : clients, link);
    }

    // The last that is not taken, of a core without one that is where there is such a core; null: all are.
    int? Free(int[] taken)
    {
        bool IsFree(int cpu) => !taken.Contains(cpu);
        return cores
            .Where(core => core.Cpus.Any(IsFree))
            .OrderBy(core => core.Cpus.All(IsFree))
            .ThenBy(core => core.Cpus.Last(IsFree))
            .Select(core => (int?)core.Cpus.Last(IsFree))
            .LastOrDefault();
    }

    /// <summary>Refuses CPUs that this process may not use.</summary>
    public void AssertHas(Pins pins)
    {
        int[] lacking = [.. pins.Server.Concat(pins.Clients).Except(allowed)];
        if (lacking.Length > 0)
        {
            throw new Failure($"pin names CPU {lacking[0]}, but this process may use {Pins.InWords(allowed)}.",
                Exit.WrongUsage);
        }
    }

    // Its last core, or of one core the last CPU; what has one CPU alone keeps it.
    static Core[] GivingUp(Core[] side)
    {
        if (side.Length > 1)
        {
            return side[..^1];
        }
        int[] cpus = side[0].Cpus;
        return cpus.Length > 1 ? [side[0] with { Cpus = cpus[..^1] }] : side;
    }

    // Whole groups on either side; null where none add up to half, or half and the one that is left out.
    static (Core[] One, Core[] Other)? Sides<TKey>(IGrouping<TKey, Core>[] groups, int half)
    {
        var sums = new Dictionary<int, IGrouping<TKey, Core>[]> { [0] = [] };
        foreach (var group in groups)
        {
            foreach (var (sum, chosen) in sums.ToArray())
            {
                sums.TryAdd(sum + group.Count(), [.. chosen, group]);
            }
        }
        var total = groups.Sum(group => group.Count());
        if (!sums.TryGetValue(half, out var one) && !sums.TryGetValue(total - half, out one))
        {
            return null;
        }
        return ([.. one.SelectMany(group => group)], [.. groups.Except(one).SelectMany(group => group)]);
    }

    // In the order of what they share, so that only what lies across the middle is parted.
    static (Core[] One, Core[] Other) Cut(Core[] units, int half)
    {
        var ordered = units
            .OrderBy(core => Text.NumbersPadded(core.Node), StringComparer.Ordinal)
            .ThenBy(core => Text.NumbersPadded(core.L3), StringComparer.Ordinal)
            .ThenBy(core => core.Cpus[0])
            .ToArray();
        return (ordered[..half], ordered[half..]);
    }

    static int[] Cpus(IEnumerable<Core> cores) => [.. cores.SelectMany(core => core.Cpus).Order()];

    /// <summary>The CPUs that this process may use.</summary>
    public static int[] Allowed() =>
        Machine.Find("/proc/self/status", @"^Cpus_allowed_list:\s*(\S+)$") is { } list && Pins.List(list) is { } cpus
            ? cpus
            : throw new Failure("Pinning needs Linux: this system does not tell which CPUs a process may use.",
                Exit.WrongUsage);

    // The CPUs that share it; without one all are alike.
    static string L3(string cpu)
    {
        if (!Directory.Exists($"{cpu}/cache"))
        {
            return "";
        }
        var cache = Directory.GetDirectories($"{cpu}/cache", "index*")
            .FirstOrDefault(cache => Machine.Read($"{cache}/level") == "3");
        return cache == null ? "" : Machine.Read($"{cache}/shared_cpu_list") ?? "";
    }

    static string Node(string cpu)
    {
        if (!Directory.Exists(cpu))
        {
            return "";
        }
        return Directory.GetDirectories(cpu, "node*").Select(Path.GetFileName).FirstOrDefault() ?? "";
    }
}
