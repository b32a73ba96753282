/// <summary>The newest version of a library that a sweep has against one older, in all that both did alike but for the
/// load.</summary>
sealed class VersionChange
{
    readonly string subject;
    readonly string old;
    readonly string now;

    VersionChange(string subject, string old, string now, VersionPair[] pairs)
    {
        this.subject = subject;
        this.old = old;
        this.now = now;
        Pairs = pairs;
    }

    /// <summary>One for each load.</summary>
    public VersionPair[] Pairs { get; }

    /// <summary>What both are called, the older first; not escaped.</summary>
    public (string Old, string New) Labels => (old, now);

    /// <summary>What is measured, such as "litenetlib, reliable-ordered"; not escaped.</summary>
    public string Subject => subject;

    /// <summary>Those of a sweep: of each library that it has in several versions the newest against each other.
    /// </summary>
    public static VersionChange[] In(Sweep sweep) => [.. LibrariesIn(sweep).SelectMany(Of)];

    /// <summary>The libraries that a sweep has in several versions.</summary>
    public static IEnumerable<VersionsOfLibrary> LibrariesIn(Sweep sweep)
    {
        string[] named = ((string?)sweep.Machines.LastOrDefault()?.Sweep["libraries"] ?? "").Split(',');
        return sweep.Cells
            .Where(cell => !LibraryName.IsPair(cell.Library))
            .GroupBy(cell => LibraryName.LibraryOf(cell.Library))
            .Where(library => library.Select(cell => cell.Library).Distinct().Count() > 1)
            .OrderBy(library => library.Key, StringComparer.Ordinal)
            .Select(library => VersionsOfLibrary.Of(library.Key, [.. library], named));
    }

    static IEnumerable<VersionChange> Of(VersionsOfLibrary library)
    {
        string newestName = library.Versions[^1];
        var varying = Varying(library.Cells);
        Cell[] newest = library.Of(newestName);
        foreach (string version in library.Versions[..^1])
        {
            var older = library.Of(version).ToDictionary(WorkOf);
            var pairs = newest
                .Where(cell => older.ContainsKey(WorkOf(cell)))
                .GroupBy(cell => SubjectOf(library.Name, cell, varying))
                .OrderBy(subject => subject.First().KindOrder)
                .ThenBy(subject => Text.NumbersPadded(subject.Key), StringComparer.Ordinal);
            foreach (var subject in pairs)
            {
                yield return new(
                    subject.Key,
                    library.LabelOf(version),
                    library.LabelOf(newestName),
                    [.. subject.Select(cell => new VersionPair(older[WorkOf(cell)], cell))]);
            }
        }
    }

    static string WorkOf(Cell cell) => cell.WorkWithout([]);

    // Of the settings that a load does not say, those that differ.
    static HashSet<string> Varying(Cell[] cells) =>
        [
            .. cells
                .SelectMany(cell => cell.Shared)
                .Distinct()
                .GroupBy(setting => setting.Key)
                .Where(setting => setting.Key != "rate" && setting.Count() > 1)
                .Select(setting => setting.Key),
        ];

    static string SubjectOf(string library, Cell cell, HashSet<string> varying)
    {
        string[] parts = [library + cell.Name[cell.Library.Length..], cell.Kind, cell.InWords(varying)];
        return string.Join(", ", parts.Where(part => part != ""));
    }

    /// <summary>The answer, in a sentence; not escaped.</summary>
    public string InWords
    {
        get
        {
            string[] parts =
            [
                .. Differing(isOfRates: true, "is", "as fast as"),
                .. Differing(isOfRates: false, "takes", "the CPU per message of"),
                .. OfAlike(),
                .. Pairs.Where(pair => pair.Doubt != null)
                    .Select(pair => $"nothing is known at {pair.Load}, because {pair.Doubt}"),
                .. Few(),
            ];
            return $"{subject}: {string.Join("; ", parts)}.";
        }
    }

    // Those that are judged by rates, or else by what a message costs, in one sentence; empty where none differ.
    IEnumerable<string> Differing(bool isOfRates, string verb, string what)
    {
        VersionPair[] known =
        [
            .. Pairs.Where(pair => pair.IsKnown && pair.Judged.Differs && pair.Cell.ClosedLoop == isOfRates)
                .OrderByDescending(pair => pair.Cell.Clients * pair.Cell.Parallel),
        ];
        return known.Length == 0
            ? []
            : [$"{now} {verb} {known[0].Judged.InWords} times {what} {old} at {known[0].Load}"
                + string.Concat(known[1..].Select(pair => $", {pair.Judged.InWords} times at {pair.Load}"))];
    }

    IEnumerable<string> OfAlike()
    {
        var alike = Pairs.Where(pair => pair.IsKnown && !pair.Judged.Differs).ToArray();
        if (alike.Length == 0)
        {
            return [];
        }
        var between = alike.Length == Pairs.Length ? $" between {now} and {old}" : "";
        var loads = alike.Select(pair => $"at {pair.Load} ({pair.Judged.BoundsInWords}{WhyNot(pair.Judged)})");
        return [$"no difference{between} is known {string.Join(", ", loads)}"];
    }

    // Why a ratio is not called one whose interval is all on one side.
    static string WhyNot(VersionRatio ratio)
    {
        if (ratio.Interval is not { } interval || interval is { Low: <= 1, High: >= 1 })
        {
            return "";
        }
        return interval.IsOfRoundsAlone
            ? $", of {Text.Count(interval.Launches, "launch", "es")}, and it takes {RoundRatio.LeastLaunches} to tell"
            : $", and under {100 * VersionRatio.Least:0} % is none";
    }

    IEnumerable<string> Few() =>
        Pairs.Where(pair => pair.Doubt == null && !pair.IsKnown)
            .Select(pair =>
                $"nothing is known at {pair.Load}, as it takes {RoundRatio.LeastLaunches} launches to tell");
}
