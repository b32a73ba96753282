/// <summary>What a call of `run` is to measure: one library, or several under one load.</summary>
sealed class RunPlan
{
    const string Form = "LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]]";

    /// <summary>Reads the words of several libraries, in the form above and separated by commas. A member whose rate
    /// cannot be known leaves an error record.</summary>
    /// <param name="words">The libraries.</param>
    /// <param name="complete">Finds out what was not given, of a library.</param>
    /// <param name="settings">Those of all.</param>
    /// <param name="percent">The rate as a part of what the closed loop of each made; null: it is given.</param>
    /// <param name="path">The records that say what that was.</param>
    /// <param name="raw">Where error records go.</param>
    public RunPlan(
        string words,
        Func<string, LaunchSettings, LaunchSettings> complete,
        LaunchSettings settings,
        int? percent,
        string? path,
        RawFile raw)
    {
        if (percent != null && path == null)
        {
            throw new Failure("--rate-percent needs the --out of the closed loop.", Exit.WrongUsage);
        }
        Planned[] members = [.. words.Split(',').Select(word => Read(word, complete, settings))];
        LoadedLibrary.AssertDiffer(members.Select(member => member.Library).Distinct());
        if (members.Select(member => CellOf(member, percent)).Distinct().Count() < members.Length)
        {
            throw new Failure($"'{words}' names a library twice.", Exit.WrongUsage);
        }
        if (members.Length > 1 && settings.Port != 0)
        {
            throw new Failure("--port goes with one library: each takes a free one.", Exit.WrongUsage);
        }
        var cells = members.ToDictionary(member => member, member => CellOf(member, percent));
        // Alone and separately it is called as it was told; else each has an id of its own.
        if (members.Length > 1 || settings.Rounds > 0)
        {
            foreach (Planned member in members)
            {
                member.Settings = member.Settings with { RunId = $"{settings.RunId}-{cells[member].Name}" };
            }
        }
        if (settings.Rounds > 0)
        {
            BlockId = $"{settings.RunId}-{new PlannedBlock([.. cells.Values]).Name}";
        }
        All = members;
        Members = percent == null
            ? members
            : [.. members.Where(member => HasRate(member, path!, percent.Value, raw))];
    }

    /// <summary>Those that were named.</summary>
    public IReadOnlyList<Planned> All { get; }
    /// <summary>Of these, those to be measured.</summary>
    public Planned[] Members { get; }
    /// <summary>Those whose rate cannot be known, and why.</summary>
    public List<(Planned Member, string Reason)> WithoutRate { get; } = [];
    /// <summary>What their records call the block; null where they are measured separately.</summary>
    public string? BlockId { get; }

    /// <summary>A library with the settings of its launch.</summary>
    public sealed class Planned(string library, LaunchSettings settings)
    {
        public string Library => library;
        public LaunchSettings Settings { get; set; } = settings;
        /// <summary>In the progress, beside others.</summary>
        public string Title => CellOf(this, null).OwnTitle;
    }

    static Planned Read(string word, Func<string, LaunchSettings, LaunchSettings> complete, LaunchSettings settings)
    {
        string[] parts = PartsOf(word);
        if (parts.Length > 5)
        {
            throw new Failure($"'{word}' is no {Form}.", Exit.WrongUsage);
        }
        string Part(int at, string what, string given, params string[] all)
        {
            if (parts.Length <= at)
            {
                return given;
            }
            bool isKnown = all.Length == 0 || all.Contains(parts[at]);
            return isKnown ? parts[at] : throw new Failure($"'{parts[at]}' is no {what}.", Exit.WrongUsage);
        }

        LaunchSettings own = settings with
        {
            Delivery = Part(1, "delivery mode", settings.Delivery, Contract.Deliveries),
            Profile = Part(2, "profile", settings.Profile, Setting.Named("profile").Words),
            Variant = Part(3, "variant", settings.Variant),
            Security = Part(4, "security", settings.Security, Setting.Named("security").Words),
        };
        return new Planned(parts[0], complete(parts[0], own));
    }

    // What follows the @ may be a folder, up to a delivery mode.
    static string[] PartsOf(string word)
    {
        string[] parts = word.Split('/');
        if (LibraryName.BuildOf(parts[0]) == null)
        {
            return parts;
        }
        int end = Array.FindIndex(parts, 1, part => Contract.Deliveries.Contains(part));
        end = end < 0 ? parts.Length : end;
        string library = string.Join('/', parts[..end]);
        return [NamedLibraries.Built(library), .. parts[end..]];
    }

    static PlannedCell CellOf(Planned member, int? percent)
    {
        LaunchSettings settings = member.Settings;
        // Of launches that only their ids tell apart the cell is one.
        LaunchSettings own = settings with { RunId = "", Rate = percent == null ? settings.Rate : 0 };
        return new PlannedCell(member.Library, own, percent);
    }

    bool HasRate(Planned member, string path, int percent, RawFile raw)
    {
        try
        {
            int rate = OfferedRate.Of(path, member.Settings.RunId, percent);
            member.Settings = member.Settings with { Rate = rate };
            return true;
        }
        catch (Failure fault) when (fault.ExitCode == Exit.Failed)
        {
            string runId = member.Settings.RunId;
            raw.Write(ErrorRecords.Of(runId, member.Library, "run", "failed", Exit.Failed, fault.Message));
            Console.Error.WriteLine($"{member.Library} run: {fault.Message}");
            WithoutRate.Add((member, fault.Message));
            return false;
        }
    }
}
