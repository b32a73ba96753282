/// <summary>report.md, of one screen, its appendix and report.html, which is both: what a sweep measured. The same
/// records give the same bytes.</summary>
sealed class Report
{
    /// <summary>Of the first screen, in the folder of its sweep.</summary>
    public const string FileName = "report.md";

    /// <summary>Of all else.</summary>
    public const string AppendixName = "appendix.md";

    /// <summary>What the words and marks of a report mean, from the folder of a sweep.</summary>
    public const string Glossary = "../../docs/reading-a-report.md";

    const string Fairness = "../../docs/fairness.md";

    const int ChartsOnFront = 2;

    // Of report.md alone.
    const string More =
        $"\nMore: [all tables, charts, settings and notes]({AppendixName}), "
        + $"[what the words and marks mean]({Glossary}), [what each library got, and how to object]({Fairness}).\n";

    readonly Sweep sweep;
    readonly ChartList list = new();
    readonly CellSection[] cells;
    readonly CellSection[] searches;
    readonly ReleasesSection releases;
    readonly VersionSection versions;

    public Report(Sweep sweep)
    {
        this.sweep = sweep;
        var kinds = sweep.Cells
            .GroupBy(cell => (cell.Kind, cell.Work.HasRooms, IsOverLink: cell.Link != null))
            .OrderBy(kind => kind.Key.HasRooms)
            .ThenBy(kind => kind.Key.IsOverLink)
            .ThenBy(kind => kind.First().KindOrder);
        cells = [.. kinds.SelectMany(kind => SectionsOf(kind.Key.Kind, [.. kind]))];
        searches = SearchSection.Of(sweep, list);
        releases = new ReleasesSection(sweep, list);
        versions = new VersionSection(sweep);
    }

    /// <summary>Which version of a library is faster, a sentence each; not escaped.</summary>
    public string[] VersionSentences => versions.Sentences;

    /// <summary>What its charts show.</summary>
    public IReadOnlyList<Chart> Charts => list.All;

    /// <summary>Writes all and the pictures of their charts; charts: auto or none.</summary>
    public void Write(string folder, string charts)
    {
        var noPictures = ChartFiles.Write(folder, list.All, charts);
        var front = FirstScreen(noPictures);
        var appendix = AppendixText(noPictures);
        WholeFile.Write(Path.Combine(folder, FileName), path => File.WriteAllText(path, front + More));
        WholeFile.Write(Path.Combine(folder, AppendixName), path => File.WriteAllText(path, appendix));
        HtmlPage.Write(folder, front, appendix, sweep, hasPictures: noPictures == null);
    }

    /// <summary>The text of report.md; noPictures: why there are none, or null.</summary>
    public string FrontText(string? noPictures) => FirstScreen(noPictures) + More;

    string FirstScreen(string? noPictures)
    {
        Page page = new();
        page.Line($"# {Title}\n");
        new Provenance(sweep).Write(page);
        SearchSection.WriteFound(page, sweep);
        Verdict[] verdicts = Verdict.Of(sweep);
        // Of what is measured by few launches all tables below say the same; a search repeats what it finds.
        if (verdicts.Select(verdict => verdict.Warning).OfType<string>().FirstOrDefault() is { } warning)
            page.Line($"\n{(searches.Length > 0 ? "Of all below: " : "")}{Verdict.InBold(warning)}");
        versions.WriteSentences(page);
        foreach (var verdict in verdicts)
            verdict.Write(page);
        if (!sweep.Cells.Any(cell => cell.Measured))
            page.Line("\nNothing was measured.");
        if (Certainty.InWords(sweep) is { } sure)
            page.Line($"\n{Text.LongMarkdown(sure)}");
        WriteFrontCharts(page, noPictures);
        return page.ToString();
    }

    /// <summary>The text of appendix.md.</summary>
    public string AppendixText(string? noPictures)
    {
        Page page = new();
        page.Line($"# Appendix: {Title}\n");
        page.Line($"[The report]({FileName}) has the verdict, [reading a report]({Glossary}) explains the words.");
        versions.Write(page);
        if (list.All.Count > 0 && noPictures == null)
        {
            page.Line($"\n## {HtmlPage.OfAllCharts}");
            foreach (var section in cells.Concat(searches).Append(releases))
                section.WriteCharts(page);
        }
        if (searches.Length > 0)
            page.Line("\n## Steps of the searches for the most players");
        foreach (var section in searches)
            section.WriteTables(page);
        if (cells.Length > 0)
            page.Line($"\n## {HtmlPage.OfCells}");
        foreach (var section in cells)
            section.WriteTables(page);
        TraceSection.Write(sweep, page);
        new Certainty(sweep, page, list.All.Count > 0).Write();
        new Appendix(sweep, page).Write();
        return page.ToString();
    }

    // Which preset, and what was measured.
    string Title
    {
        get
        {
            var machine = sweep.Machines.FirstOrDefault();
            var preset = machine == null ? "Network benchmark" : $"Preset {machine.Preset}";
            var day = machine == null ? "date n/a" : machine.DateUtc.Split('T')[0];
            return Text.LongMarkdown($"{preset}: {Question.Of(sweep).Words}, {day}");
        }
    }

    // That of most rows stands first, behind what was searched for or compared.
    void WriteFrontCharts(Page page, string? noPictures)
    {
        if (list.All.Count == 0)
            return;
        page.Line($"\n## {HtmlPage.OfCharts}");
        if (noPictures != null)
        {
            page.Line($"\nThere are no pictures, because {noPictures}.");
            return;
        }
        var sections = searches.Append(releases).Concat(cells.OrderByDescending(section => section.Rows));
        foreach (var line in sections.SelectMany(section => section.ShownCharts).Take(ChartsOnFront))
            page.Line($"\n{line}");
    }

    IEnumerable<CellSection> SectionsOf(string kind, Cell[] some)
    {
        if (some[0].Work.HasRooms)
            return [new RoomSection(sweep, kind, some, list)];
        if (some[0].Link != null)
            return [new LinkSection(sweep, kind, some, list)];
        // One for each choice of the settings that the rows of a table share.
        var varying = Cell.Varying(sweep.Cells);
        return some
            .GroupBy(cell => cell.SectionInWords(varying))
            .OrderBy(table => Text.NumbersPadded(table.Key), StringComparer.Ordinal)
            .Select(table => new Section(sweep, kind, table.Key, [.. table], list));
    }
}
