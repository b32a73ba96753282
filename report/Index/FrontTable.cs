/// <summary>What a sweep has for the README.md beside the folder of all results: for each question that it answers the
/// libraries as they come, and only the columns that answer it. All else is in the report.</summary>
static class FrontTable
{
    /// <summary>The title of the column of what searches found.</summary>
    public const string PlayersThatFit = "players that fit";

    // A column with fewer figures than one for so many rows is left to the report: dashes answer nothing.
    const int RowsAFigure = 4;

    /// <summary>By the marks of the parts that the sweep answers; none where it is not fit for it. It is where all
    /// records were read and the figures are what an ordinary run gives.</summary>
    public static IReadOnlyDictionary<string, FrontPart> Of(
        string folder, Sweep sweep, Verdict[] verdicts, Question question)
    {
        var parts = new Dictionary<string, FrontPart>();
        if (sweep.Unreadable.Count > 0 || sweep.Machines.Length == 0 || sweep.Cells.Any(cell => cell.Traced))
        {
            return parts;
        }
        var source = new Source(folder, sweep);
        foreach (var searches in sweep.Searches.GroupBy(search => search.Sought))
        {
            var mark = Question.MarkOf(Question.PlayersThatFit, isOverLink: searches.First().Cell.Link != null);
            parts.TryAdd(mark, OfSearches(source, [.. searches]));
        }
        // One without a valid delay would hide an older one that has some.
        foreach (var verdict in verdicts.OfType<VerdictOnRooms>().Where(HasValidRows))
        {
            var mark = Question.MarkOf(WorkLayout.Of(verdict.Work).Group!, verdict.IsOverLink);
            parts[mark] = OfVerdict(source, verdict.Title, verdict);
        }
        if (parts.Count == 0 && verdicts.Where(IsFit).MaxBy(ValidRows) is { } fit)
        {
            parts[Question.MarkOf(question.Group, isOverLink: false)] = OfVerdict(source, question.Words, fit);
        }
        return parts.Where(part => part.Value.Entries.Length > 0).ToDictionary();
    }

    static bool HasValidRows(Verdict verdict) => verdict.Rows.Any(row => row.Cell.IsDrawn);

    static int ValidRows(Verdict verdict) => verdict.Rows.Count(row => row.Cell.CarriedItsLoad);

    // What went over links, or was interleaved or has intervals.
    static bool IsFit(Verdict verdict)
    {
        Cell[] valid = [.. verdict.Rows.Select(row => row.Cell).Where(cell => cell.CarriedItsLoad)];
        return valid.Any(cell => !cell.IsBaseline)
            && valid.All(cell =>
                cell is { Link: not null } or { Interleaved: true } or { Throughput.HasInterval95: true });
    }

    static FrontPart OfVerdict(Source source, string words, Verdict verdict)
    {
        Column[] columns = verdict.FrontColumns;
        FrontEntry[] all = Shown(
        [
            .. verdict.Rows
                .Where(row => row.Cell.Measured)
                .Select(row => new FrontEntry(
                    row.Cell,
                    [.. columns.Select(column => column.Of(row))],
                    verdict.FrontRatioOf(row),
                    [.. verdict.ReasonsOf(row)],
                    verdict.RatioOverSweepsOf(row))),
        ]);
        int[] told =
        [
            .. Enumerable.Range(0, columns.Length).Where(i =>
                i == 0 || RowsAFigure * all.Count(entry => entry.HasFigure(i)) >= all.Length),
        ];
        return source.Part(
            words,
            verdict.Warning,
            [.. told.Select(i => columns[i].Title)],
            [.. all.Select(entry => entry with { Figures = [.. told.Select(i => entry.Figures[i])] })],
            verdict.FrontWords,
            verdict.RatioTitle);
    }

    static FrontPart OfSearches(Source source, FoundPlayers[] searches)
    {
        FrontEntry[] entries = Shown(
        [
            .. searches.Select(search =>
                new FrontEntry(search.Cell, [search.MostInWords], Ratio: null, [], OfSweep: null, Found: search)),
        ]);
        return source.Part(searches[0].Sought, warning: null, [PlayersThatFit], entries, [], ratioTitle: "");
    }

    // A library as it comes, of the version that its bench pins, in the way that is ahead: of echoes and in rooms in
    // its first reliable delivery mode and in the unreliable one; of calls with each serializer, as most rows make
    // them, over TLS if there is a choice.
    static FrontEntry[] Shown(FrontEntry[] entries)
    {
        FrontEntry[] asTheyCome =
        [
            .. entries
                .Where(entry => !entry.Cell.Tuned && entry.Cell.Library == LibraryName.LibraryOf(entry.Cell.Library))
                .Where(entry => entry.Cell.IsUsualBaseline || !entry.Cell.IsBaseline)
                .OrderBy(entry => entry.Cell.IsEncrypted),
        ];
        if (entries.Length == 0 || entries[0].Cell.Work.DiffersByDelivery)
        {
            return [.. asTheyCome.GroupBy(entry => (entry.Row, entry.Label)).Select(same => same.First())];
        }
        var kind = asTheyCome
            .GroupBy(entry => entry.Cell.Kind)
            .MaxBy(kind => (kind.Count(), kind.First().Cell.IsEncrypted, kind.First().Cell.KindOrder));
        return kind == null ? [] : [.. kind];
    }

    // Where and when it was measured.
    sealed record Source(string Folder, Sweep Sweep)
    {
        public FrontPart Part(
            string words,
            string? warning,
            string[] titles,
            FrontEntry[] entries,
            string[] explained,
            string ratioTitle) =>
            new(
                words,
                Path,
                Text.Markdown(Text.Plain(Sweep.Machines[0].DateUtc.Split('T')[0])),
                Text.Markdown(Fingerprint.CpusOf(Sweep.Machines[0])),
                Sweep.Machines[0].CpuCount,
                // The report has the rest of a warning.
                warning == null ? null : Verdict.FirstInBold(warning),
                titles,
                entries,
                explained,
                ratioTitle);

        string Path => string.Join('/', new[]
        {
            System.IO.Path.GetFileName(System.IO.Path.GetDirectoryName(Folder)!),
            System.IO.Path.GetFileName(Folder),
            Report.FileName,
        }.Select(Uri.EscapeDataString));
    }
}
