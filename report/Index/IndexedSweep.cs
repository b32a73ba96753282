/// <summary>What the index of results says of one sweep.</summary>
/// <param name="Name">Of its folder.</param>
/// <param name="Machine">The first of its machines; null: no record says it.</param>
/// <param name="MachineInWords">Its CPUs, and how many machines there are; not escaped.</param>
/// <param name="Question">What it answers.</param>
/// <param name="Row">Of the index, in markdown.</param>
/// <param name="FrontParts">What it tells on the front page, by the marks of its parts; none where it is not fit
/// for it.</param>
/// <param name="HasRooms">Whether it measured what rooms do.</param>
/// <param name="FromUsualRooms">How far what it measured in rooms is from what most ask for, as VerdictOnRooms has it.
/// </param>
/// <param name="IsFirstLook">So few launches that its intervals are of rounds alone.</param>
/// <param name="Libraries">Of how many it has figures.</param>
/// <param name="Readings">What it says of libraries, to be held against other sweeps.</param>
/// <param name="Cells">What it measured, for the page of all sweeps.</param>
sealed record IndexedSweep(
    string Name,
    MachineRecord? Machine,
    string MachineInWords,
    Question Question,
    string[] Row,
    IReadOnlyDictionary<string, FrontPart> FrontParts,
    bool HasRooms,
    double FromUsualRooms,
    bool IsFirstLook,
    int Libraries,
    Past[] Readings,
    IndexedCell[] Cells
)
{
    /// <summary>The columns of a row.</summary>
    public static readonly string[] Columns =
        ["date", "preset", "launches", "machine", "report", "first result"];

    /// <summary>When it began, as recorded; empty where nothing says it.</summary>
    public string Date => Machine?.DateUtc ?? "";

    /// <summary>The day and the minute of its date, UTC; not escaped.</summary>
    public string Minute => string.Join(':', Date.Replace('T', ' ').Split(':')[..^1]);

    /// <summary>The day of its date; not escaped.</summary>
    public string Day => Date.Split('T')[0];

    /// <summary>Of the suite that measured it; not escaped.</summary>
    public string Commit => Machine == null ? Text.Missing : Fingerprint.CommitOf(Machine);

    /// <summary>Where its report is, from the folder of all results; of one that is not rendered its records.</summary>
    public required string Link { get; init; }

    /// <summary>Reads the sweep in a folder under that of all results.</summary>
    public static IndexedSweep In(string folder)
    {
        var sweep = Sweep.Silently(folder);
        var name = Path.GetFileName(folder);
        var verdicts = Verdict.Of(sweep);
        var machine = sweep.Machines.FirstOrDefault();
        var isRendered = File.Exists(Path.Combine(folder, Report.FileName));
        var link = LinkTo(name, isRendered ? Report.FileName : Path.GetFileName(RecordFile.In(folder)));
        var question = Question.Of(sweep);
        return new(
            name,
            machine,
            machine == null ? Text.Missing : CpusOf(sweep),
            question,
            [
                DayOf(machine?.DateUtc ?? ""),
                Text.Markdown(machine == null ? name : PresetOf(machine)),
                LaunchesOf(sweep),
                machine == null ? Text.Missing : Text.Markdown(CpusOf(sweep)),
                $"[{Text.Markdown(question.Words)}]({link})",
                Text.LongMarkdown(FirstResultOf(sweep, verdicts)),
            ],
            isRendered ? FrontTable.Of(folder, sweep, verdicts, question) : new Dictionary<string, FrontPart>(),
            sweep.Cells.Any(cell => cell.Work.HasRooms),
            verdicts.OfType<VerdictOnRooms>().Select(rooms => rooms.FromUsual).DefaultIfEmpty().Max(),
            sweep.Cells.Where(cell => cell.Measured).All(cell => cell.Launches.Length < RoundRatio.LeastLaunches),
            sweep.Cells.Where(cell => cell.IsDrawn).Select(cell => cell.Library).Distinct().Count(),
            Past.Of(sweep),
            IndexedCell.Of(sweep)
        )
        {
            Link = link,
        };
    }

    static string FirstResultOf(Sweep sweep, Verdict[] verdicts)
    {
        if (sweep.Unreadable.Count > 0)
            return $"{Text.Count(sweep.Unreadable.Count, "line")} could not be read.";
        if (new VersionSection(sweep).Sentences is [var ofVersions, ..])
            return ofVersions;
        if (sweep.Searches.OrderBy(search => search.Cell.IsBaseline).FirstOrDefault() is { } found)
            return $"{found.Cell.Name}, {found.Cell.Kind}: {found.MostInWords} players keep {found.Slo.Words}.";
        var headline = verdicts.SelectMany(verdict => verdict.Headlines()).FirstOrDefault();
        return headline == null ? "Nothing was measured." : Verdict.FirstSentence(headline);
    }

    static string LaunchesOf(Sweep sweep)
    {
        var counts = sweep.Cells.Where(cell => cell.Measured).Select(cell => cell.Launches.Length).ToArray();
        if (counts.Length == 0)
            return Text.Missing;
        return counts.Min() == counts.Max() ? $"{counts.Min():N0}" : $"{counts.Min():N0}–{counts.Max():N0}";
    }

    static string PresetOf(MachineRecord machine) =>
        machine.Preset + (machine.Changed is { Length: > 0 } ? " (changed)" : "");

    static string CpusOf(Sweep sweep) =>
        Fingerprint.CpusOf(sweep.Machines[0])
        + (sweep.Machines.Length > 1 ? $", {sweep.Machines.Length:N0} machines" : "");

    static string DayOf(string date) => date == "" ? Text.Missing : Text.Markdown(date.Split('T')[0]);

    static string LinkTo(params string[] parts) => string.Join('/', parts.Select(Uri.EscapeDataString));
}
