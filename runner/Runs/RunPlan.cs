/// <summary>What a call of `run` is to measure: one library, or several under one load.</summary>
sealed class RunPlan
{
    /// <summary>Reads the words LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]],…; percent: of what the closed loop of each made, by the
    /// records in a file. A member whose rate cannot be known leaves an error record.</summary>
    public RunPlan(string words, Func<string, RunSettings, RunSettings> complete, RunSettings settings, int? percent, string? path,
        RawFile raw)
    {
        if (percent != null && path == null) throw new Failure("--rate-percent needs the --out of the closed loop.", Exit.WrongUsage);
        var members = words.Split(',').Select(word => Read(word, complete, settings)).ToArray();
        if (members.Select(member => CellOf(member, percent)).Distinct().Count() < members.Length)
            throw new Failure($"'{words}' names a library twice.", Exit.WrongUsage);
        if (members.Length > 1 && settings.Port != 0)
            throw new Failure("--port goes with one library: each takes a free one.", Exit.WrongUsage);
        var cells = members.ToDictionary(member => member, member => CellOf(member, percent));
        // Alone and apart it is called as it was told; else each has an id of its own.
        if (members.Length > 1 || settings.Rounds > 0)
            foreach (var member in members)
                member.Settings = member.Settings with { RunId = $"{settings.RunId}-{cells[member].Name}" };
        if (settings.Rounds > 0)
            BlockId = $"{settings.RunId}-{new PlannedBlock([.. cells.Values]).Name}";
        All = members;
        Members = percent == null ? members : [.. members.Where(member => HasRate(member, path!, percent.Value, raw))];
    }

    /// <summary>Those that were named.</summary>
    public IReadOnlyList<Planned> All { get; }
    /// <summary>Of these, those to be measured.</summary>
    public Planned[] Members { get; }
    /// <summary>Those whose rate cannot be known, and why.</summary>
    public List<(Planned Member, string Reason)> WithoutRate { get; } = [];
    /// <summary>What their records call the block; null where they are measured apart.</summary>
    public string? BlockId { get; }

    /// <summary>A library with the settings of its launch.</summary>
    public sealed class Planned(string library, RunSettings settings)
    {
        public string Library => library;
        public RunSettings Settings { get; set; } = settings;
        /// <summary>In the progress, beside others.</summary>
        public string Title => CellOf(this, null).OwnTitle;
    }

    static Planned Read(string word, Func<string, RunSettings, RunSettings> complete, RunSettings settings)
    {
        var parts = word.Split('/');
        if (parts.Length > 5) throw new Failure($"'{word}' is no LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]].", Exit.WrongUsage);
        string Part(int at, string what, string given, params string[] all) => parts.Length <= at ? given
            : all.Length == 0 || all.Contains(parts[at]) ? parts[at] : throw new Failure($"'{parts[at]}' is no {what}.", Exit.WrongUsage);
        return new(parts[0], complete(parts[0], settings with
        {
            Delivery = Part(1, "delivery mode", settings.Delivery, Contract.Deliveries),
            Profile = Part(2, "profile", settings.Profile, "default", "tuned"),
            Variant = Part(3, "variant", settings.Variant),
            Security = Part(4, "security", settings.Security, "none", "tls"),
        }));
    }

    static PlannedCell CellOf(Planned member, int? percent)
    {
        var settings = member.Settings;
        return new(settings.Work, member.Library, settings.Delivery, settings.Variant, settings.Security, settings.Profile,
            $"{settings.Clients}", $"{settings.Parallel}", $"{settings.PayloadBytes}", percent == null ? $"{settings.Rate}" : $"{percent}%", settings.PlannedLink);
    }

    bool HasRate(Planned member, string path, int percent, RawFile raw)
    {
        try
        {
            member.Settings = member.Settings with { Rate = OfferedRate.Of(path, member.Settings.RunId, percent) };
            return true;
        }
        catch (Failure fault) when (fault.ExitCode == Exit.Failed)
        {
            raw.Write(ErrorRecord.Of(member.Settings.RunId, member.Library, "run", "failed", Exit.Failed, fault.Message));
            Console.Error.WriteLine($"{member.Library} run: {fault.Message}");
            WithoutRate.Add((member, fault.Message));
            return false;
        }
    }
}
