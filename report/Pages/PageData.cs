/// <summary>What the page's explorer draws, as compact JSON: columns of the cells that are drawn, with the
/// metrics that are exported and the curves of their round trips.</summary>
sealed class PageData
{
    const int Digits = 6;
    const int StepsANine = 20;

    readonly Sweep sweep;
    readonly string[] sections;
    readonly Cell[] cells;
    readonly HashSet<string> varying;

    public PageData(Sweep sweep)
    {
        this.sweep = sweep;
        varying = Cell.Varying(sweep.Cells);
        cells = [.. sweep.Cells.Where(cell => cell.IsDrawn)];
        sections =
        [
            .. sweep
                .Cells.GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .SelectMany(kind =>
                    kind.Select(SectionOf).Distinct().OrderBy(Text.NumbersPadded, StringComparer.Ordinal)
                ),
        ];
    }

    /// <summary>The JSON, fit to stand within an element of HTML; without the curves, which are a large part
    /// of it, if told so.</summary>
    public string ToJson(bool curves)
    {
        var knees = Knees();
        var undrawn = sweep.Cells.Where(cell => cell.Measured && !cell.IsDrawn).ToLookup(SectionOf);
        var names = sweep.Cells.Select(cell => cell.Name).Distinct().Order(StringComparer.Ordinal).ToArray();
        var columns = new
        {
            sections = sections.Select(section => Text.Plain(section)),
            undrawn = sections.Select(section => undrawn[section].Count()),
            libraries = names.Select(name => Text.Plain(name)),
            colors = names.Select(sweep.Looks.ColorOnPage),
            shapes = names.Select(name => sweep.Looks.Of(name).Shape.ToString()),
            patterns = names.Select(name => sweep.Looks.Of(name).Pattern.ToString()),
            slo = sweep.Slo?.Latencies.SelectMany(term => new[] { term.Quantile, (decimal)(term.Ns / 1e3) }) ?? [],
            section = cells.Select(cell => Array.IndexOf(sections, SectionOf(cell))),
            library = cells.Select(cell => Array.IndexOf(names, cell.Name)),
            clients = cells.Select(cell => cell.Clients),
            parallel = cells.Select(cell => cell.Parallel),
            rate = cells.Select(cell => cell.Rate),
            clientBound = cells.Select(cell => cell.Bound == Bottleneck.Client ? 1 : 0),
            knee = cells.Select(cell => knees.Contains(cell) ? 1 : 0),
            notes = cells.Select(cell =>
                string.Join("; ", cell.Notes(sweep.Repeats).Select(note => Text.Plain(note)))),
            figures = Figures().ToDictionary(),
            stepsANine = StepsANine,
            curves = (curves ? cells : []).Select(cell => cell.DelaysByNinesNs(StepsANine).Select(ns => ns / 1e3)),
        };
        return PageJson.Of(columns, Digits);
    }

    // By metric the medians, and the bounds of their intervals where there are any.
    IEnumerable<(string Name, IEnumerable<double?>[] Columns)> Figures()
    {
        var figuresOf = CellFigures.Of(sweep, cells);
        foreach (var metric in Metrics.Exported)
        {
            var figures = figuresOf.Select(metric.Of).ToArray();
            if (figures.Any(figure => figure != null))
                yield return (metric.Name, ColumnsOf(figures));
        }
    }

    /// <summary>Their medians, and where any has bounds, all low and all high ones.</summary>
    public static IEnumerable<double?>[] ColumnsOf(Figure?[] figures)
    {
        var medians = figures.Select(figure => figure?.Median);
        return figures.All(figure => figure?.Kind == null)
            ? [medians]
            : [medians, figures.Select(figure => figure?.Low), figures.Select(figure => figure?.High)];
    }

    // The highest rates that keep to the SLO.
    HashSet<Cell> Knees()
    {
        if (sweep.Slo is not { } slo)
            return [];
        return sweep
            .Cells.Where(cell => !cell.ClosedLoop)
            .GroupBy(cell => (SectionOf(cell), cell.Name, cell.Clients, cell.Parallel))
            .Select(rungs => Ladder.Highest(rungs, slo))
            .OfType<Cell>()
            .ToHashSet();
    }

    string SectionOf(Cell cell) => Cell.Titled(cell.Kind, cell.SectionInWords(varying));
}
