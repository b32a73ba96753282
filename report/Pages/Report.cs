/// <summary>report.md and report.html: what a sweep measured. The same records give the same bytes.</summary>
sealed class Report
{
    /// <summary>Of the text, in the folder of its sweep.</summary>
    public const string FileName = "report.md";

    static readonly string[] marksOfSpread = ["wide", "noisy", "unstable"];

    readonly Sweep sweep;
    readonly Page page = new();
    readonly ChartList list = new();
    readonly Section[] sections;
    readonly LinkSection[] overLinks;

    public Report(Sweep sweep)
    {
        this.sweep = sweep;
        overLinks =
        [
            .. sweep
                .Cells.Where(cell => cell.Link != null)
                .GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .Select(kind => new LinkSection(sweep, kind.Key, [.. kind], list)),
        ];
        sections =
        [
            .. sweep
                .Cells.Where(cell => cell.Link == null)
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
        Summary(list.All.Count > 0);
        Verdicts();
        WriteCharts(noPictures);
        if (sweep.Cells.Length > 0)
            page.Line("\n## Cells");
        foreach (var section in sections)
            section.WriteTables(page);
        foreach (var section in overLinks)
            section.WriteTables(page);
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
    }

    void Verdicts()
    {
        var tables = new Verdict(sweep).Tables;
        var ofLinks = LinkVerdict.Of(sweep);
        if (tables.Length > 0 || ofLinks.Length > 0)
            page.Line("\n## Verdict");
        foreach (var verdict in ofLinks)
            verdict.Write(page);
        if (tables.Length == 0)
            return;
        foreach (var table in tables)
        {
            var headlines = table.Headlines().ToArray();
            var by = table.Rows[0].Work.RowsDifferIn;
            var fastest = headlines.Length == 0 ? "" : $", the fastest library by {by}";
            page.Line($"\n{Text.Markdown(table.Settings)}{fastest}:\n");
            foreach (var headline in headlines)
                page.Line($"- {Text.Markdown(headline)}");
            if (headlines.Length > 0)
                page.Line("");
            table.Write(page);
        }
        page.Line($"\n{VerdictTable.HowToRead} {VerdictTable.HowToReadOn}");
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

    // How closely the ratios are known, and what stays open.
    void Precision()
    {
        var rows = sweep
            .Cells.Where(cell => cell.IsDrawn && cell.HalfWidth != null)
            .OrderBy(cell => cell.HalfWidth)
            .ToArray();
        if (rows.Length == 0)
            return;
        var median = Statistic.Of(rows.Select(cell => cell.HalfWidth))!.Median;
        var widest = rows[^1];
        var within = sweep.Until is { } until
            ? $" {rows.Count(cell => cell.HalfWidth <= until):N0} of {Text.Count(rows.Length, "row")}"
                + $" are within the {Ratios.HalfWidth(until)} asked for."
            : "";
        var launches = rows.Min(cell => cell.ToBaseline!.Launches);
        var ofRounds =
            launches < RoundRatio.LeastLaunches
                ? $", by the rounds of {Text.Count(launches, "launch", "es")} alone"
                : "";
        page.Line(
            $"Ratios to the baseline of the same rounds are known within {Ratios.HalfWidth(median)} (median of "
                + $"{Text.Count(rows.Length, "row")}; widest {Ratios.HalfWidth(widest.HalfWidth!.Value)}, "
                + $"{Text.Markdown(widest.Name)} {widest.Kind} {widest.Clients:N0} x {widest.Parallel:N0}), "
                + $"at 95 %{ofRounds}.{within}"
        );
        if (Mode.Of(sweep.Cells.SelectMany(cell => cell.CpuToCpuNs)) is { Length: > 0 } distances)
        {
            var times = distances.Select(mode =>
                $"{Text.Duration(mode.RoundTripNs)} ({100 * mode.Share:F0} % of slices)"
            );
            page.Line(
                $"A hypervisor moved the two CPUs: a line of the cache took {string.Join(" or ", times)} "
                    + "from one to the other and back."
            );
        }
        var rankings = new Rankings(sweep.Cells);
        if (rankings.Pairs.Length > 0)
            page.Line(Text.LongMarkdown(rankings.Unranked()));
    }

    void Summary(bool hasCharts)
    {
        var measured = sweep.Cells.Where(cell => cell.Measured).ToArray();
        var benches = measured.Select(cell => cell.Library).Distinct().Count();
        var launches = measured.Sum(cell => cell.Launches.Length);
        var failed = sweep.Cells.Length - measured.Length;
        var unavailable = sweep
            .Errors.Where(error => error.Kind == "unavailable")
            .Select(error => error.Library)
            .Distinct()
            .Count();
        int Marked(Func<Cell, bool> mark) => measured.Count(mark);

        page.Line("");
        if (measured.Length == 0)
        {
            page.Line("Nothing was measured.");
        }
        else
        {
            var kind = measured.All(cell => cell.Work.DiffersByDelivery) ? "delivery mode" : "what is done";
            var planned = sweep.Repeats is { } repeats ? $", {repeats:N0} planned for each cell." : ".";
            var works = Works.InWords(measured.Select(cell => cell.Work));
            page.Line(
                $"{works} of {Text.Count(benches, "bench", "es")} were measured: "
                    + $"{Text.Count(measured.Length, "cell")} (library, {kind}, clients, messages in flight), "
                    + $"{Text.Count(launches, "launch", "es")}{planned}"
            );
        }
        page.Line(
            $"Without figures: {Text.Count(failed, "failed cell")}, "
                + $"{Text.Count(unavailable, "unavailable bench", "es")}."
        );
        Precision();
        var spread = marksOfSpread
            .Select(mark => (Mark: mark, Cells: Marked(cell => cell.Mark == mark)))
            .Where(mark => mark.Cells > 0)
            .Select(mark => $"{mark.Cells} {mark.Mark}, ");
        page.Line(
            $"Marked: {string.Concat(spread)}"
                + $"{Marked(cell => cell.Launches.Any(launch => launch.NotWarm))} not warm, "
                + $"{Marked(cell => cell.Invalid.Length > 0)} invalid, "
                + $"{Marked(cell => cell.InvalidForLatency.Length > 0)} invalid for latency."
        );
        if (Marked(cell => cell.MixesVersions) is > 0 and var mixed)
            page.Line($"Not of one version of the library: the launches of {Text.Count(mixed, "cell")}.");
        var undrawn = measured.Where(cell => !cell.IsDrawn).ToArray();
        if (hasCharts && undrawn.Length > 0)
            page.Line($"Not drawn, as invalid: {Text.Count(undrawn.Length, "row")}.");
        if (sweep.Unreadable.Count == 0)
            return;
        page.Line($"\n{Text.Count(sweep.Unreadable.Count, "line")} could not be read:\n");
        foreach (var fault in sweep.Unreadable)
            page.Line($"- {Text.Markdown(fault)}");
    }
}
