/// <summary>report.md and report.html: what a sweep measured. The same records give the same bytes.</summary>
sealed class Report
{
    /// <summary>Of the text, in the folder of its sweep.</summary>
    public const string FileName = "report.md";

    readonly Sweep sweep;
    readonly Page page = new();
    readonly ChartList list = new();
    readonly Section[] sections;
    readonly LinkSection[] overLinks;
    readonly RoomSection[] inRooms;
    readonly SearchSection[] searches;
    readonly ReleasesSection releases;

    public Report(Sweep sweep)
    {
        this.sweep = sweep;
        overLinks =
        [
            .. sweep
                .Cells.Where(cell => cell is { Link: not null, Work.HasRooms: false })
                .GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .Select(kind => new LinkSection(sweep, kind.Key, [.. kind], list)),
        ];
        inRooms =
        [
            .. sweep
                .Cells.Where(cell => cell.Work.HasRooms)
                .GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .Select(kind => new RoomSection(sweep, kind.Key, [.. kind], list)),
        ];
        searches = SearchSection.Of(sweep, list);
        releases = new ReleasesSection(sweep, list);
        sections =
        [
            .. sweep
                .Cells.Where(cell => cell is { Link: null, Work.HasRooms: false })
                .GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .SelectMany(kind => Sections(kind.Key, [.. kind])),
        ];
    }

    /// <summary>What its charts show.</summary>
    public IReadOnlyList<Chart> Charts => list.All;

    /// <summary>Writes both and the pictures of their charts; charts: auto or none.</summary>
    public void Write(string folder, string charts)
    {
        var noPictures = ChartFiles.Write(folder, list.All, charts);
        var markdown = Markdown(noPictures);
        WholeFile.Write(Path.Combine(folder, FileName), path => File.WriteAllText(path, markdown));
        HtmlPage.Write(folder, markdown, sweep, hasPictures: noPictures == null);
    }

    /// <summary>The text of report.md, once; noPictures: why there are none, or null.</summary>
    public string Markdown(string? noPictures)
    {
        Heading();
        Measured();
        new VersionSection(sweep).Write(page);
        Verdicts();
        WriteCharts(noPictures);
        if (searches.Length > 0)
            page.Line("\n## How many players fit");
        foreach (var search in searches)
            search.WriteTable(page);
        if (sweep.Cells.Length > 0)
            page.Line("\n## Cells");
        foreach (var section in sections)
            section.WriteTables(page);
        foreach (var section in overLinks)
            section.WriteTables(page);
        foreach (var section in inRooms)
            section.WriteTables(page);
        TraceSection.Write(sweep, page);
        new Certainty(sweep, page, list.All.Count > 0).Write();
        new Appendix(sweep, page).Write();
        return page.ToString();
    }

    void WriteCharts(string? noPictures)
    {
        if (list.All.Count == 0)
        {
            return;
        }
        page.Line("\n## Charts");
        if (noPictures != null)
        {
            page.Line($"\nThere are no pictures, because {noPictures}.");
            return;
        }
        foreach (var section in sections)
        {
            section.WriteCharts(page);
        }
        foreach (var section in overLinks)
        {
            section.WriteCharts(page);
        }
        foreach (var section in inRooms)
        {
            section.WriteCharts(page);
        }
        foreach (var search in searches)
        {
            search.WriteChart(page);
        }
        releases.WriteCharts(page);
    }

    void Verdicts()
    {
        VerdictTable[] tables = [.. new Verdict(sweep).Groups.SelectMany(group => group.Tables)];
        var ofLinks = LinkVerdict.Of(sweep);
        var ofRooms = RoomVerdict.Of(sweep);
        if (tables.Length == 0 && ofLinks.Length == 0 && ofRooms.Length == 0)
            return;
        page.Line("\n## Verdict");
        // What holds of all tables is said once.
        string?[] warnings =
        [
            .. ofRooms.Select(verdict => verdict.Warning)
                .Concat(ofLinks.Select(verdict => verdict.Warning))
                .Concat(tables.Select(table => table.Warning))
                .Distinct(),
        ];
        var isWarned = warnings.Length == 1;
        if (isWarned && warnings[0] is { } warning)
            page.Line($"\n{VerdictTable.InBold(warning)}");
        foreach (var verdict in ofRooms)
            verdict.Write(page, isWarned);
        foreach (var verdict in ofLinks)
            verdict.Write(page, isWarned);
        foreach (var table in tables)
            table.Write(page, isWarned);
        var words = tables.Select(table => table.HowToRead).Concat(tables.SelectMany(table => table.Meanings));
        string[] howToRead = [.. words.Distinct()];
        if (howToRead.Length > 0)
            page.Line($"\n{string.Join(" ", howToRead)} *How to read this*, at the end, explains every word and mark.");
    }

    // One for each choice of the settings that the rows of a table share.
    IEnumerable<Section> Sections(string kind, Cell[] cells)
    {
        var varying = Cell.Varying(sweep.Cells);
        return cells
            .GroupBy(cell => cell.SectionInWords(varying))
            .OrderBy(table => Text.NumbersPadded(table.Key), StringComparer.Ordinal)
            .Select(table => new Section(sweep, kind, table.Key, [.. table], list));
    }

    void Heading()
    {
        var machine = sweep.Machines.FirstOrDefault();
        var date = machine == null ? "date n/a" : machine.DateUtc.Split('T')[0];
        var name =
            machine == null
                ? "machine n/a"
                : Fingerprint.CpusOf(machine);
        var more = sweep.Machines.Length > 1 ? $", {sweep.Machines.Length:N0} machines" : "";
        page.Line($"# Network benchmark, {Text.Markdown(date)}, {Text.Markdown(name)}{more}");
    }

    // What was measured, and what was not.
    void Measured()
    {
        Cell[] measured = [.. sweep.Cells.Where(cell => cell.Measured)];
        page.Line("");
        if (measured.Length == 0)
        {
            page.Line("Nothing was measured." + Missing(measured));
            return;
        }
        var benches = measured.Select(cell => cell.Library).Distinct().Count();
        var launches = measured.Sum(cell => cell.Launches.Length);
        var kind = measured.All(cell => cell.Work.DiffersByDelivery) ? "delivery mode" : "what is done";
        var planned = sweep.Repeats is { } repeats ? $", {repeats:N0} planned for each cell." : ".";
        var works = Works.InWords(measured.Select(cell => cell.Work));
        page.Line(
            $"{works} of {Text.Count(benches, "bench", "es")} were measured: "
                + $"{Text.Count(measured.Length, "cell")} (library, {kind} and load), "
                + $"{Text.Count(launches, "launch", "es")}{planned}{Missing(measured)}"
        );
        if (WakeUp.InWords(sweep) is { } wakeUp)
            page.Line($"\n{Text.LongMarkdown(wakeUp)}");
    }

    string Missing(Cell[] measured)
    {
        var failed = sweep.Cells.Length - measured.Length;
        var unavailable = sweep
            .Errors.Where(error => error.Kind == "unavailable")
            .Select(error => error.Library)
            .Distinct()
            .Count();
        return failed + unavailable == 0
            ? ""
            : $" Without figures: {Text.Count(failed, "failed cell")}, "
                + $"{Text.Count(unavailable, "unavailable bench", "es")}.";
    }
}
