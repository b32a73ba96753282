/// <summary>How many players fit, in one mode: a table for each load, and a chart of the delays against players.
/// </summary>
sealed class SearchSection : CellSection
{
    const decimal UsualQuantile = 0.99m;

    readonly FoundPlayers[][] loads;

    SearchSection(Sweep sweep, string kind, FoundPlayers[] searches, ChartList list) : base($"The most players, {kind}")
    {
        loads = [.. searches.GroupBy(LoadOf).Select(load => load.ToArray())];
        Panel[] panels = [.. loads.Select(load => PanelOf(load, sweep.Looks)).OfType<Panel>()];
        Add(list, $"players-{kind}", "Delays against players", Charts.Evenly(panels, Charts.MostPanels));
    }

    /// <summary>Those of a sweep, one for each mode.</summary>
    public static SearchSection[] Of(Sweep sweep, ChartList list) =>
    [
        .. sweep.Searches
            .GroupBy(search => search.Cell.Kind)
            .Select(kind => new SearchSection(sweep, kind.Key, [.. kind], list)),
    ];

    /// <summary>Writes what was found of a sweep, without the steps.</summary>
    public static void WriteFound(Page page, Sweep sweep)
    {
        if (sweep.Searches.Length == 0)
            return;
        page.Line($"\n## The most players that keep {Text.Markdown(sweep.Searches[0].Slo.Words)}");
        foreach (var load in sweep.Searches.GroupBy(LoadOf))
        {
            page.Line($"\nOf {Text.Markdown(load.Key)}:\n");
            page.Table(
                ["library", "delivery", "most players"],
                load.Select(search => (string[])
                    [Text.Markdown(search.Cell.Title), search.Cell.Kind, search.MostInWords]),
                column => column == 2);
        }
    }

    /// <inheritdoc/>
    public override void WriteTables(Page page)
    {
        foreach (var load in loads)
        {
            page.Line($"\n### {Text.Markdown($"{load[0].Cell.Kind}: {LoadOf(load[0])}")}\n");
            page.Line(Text.Markdown(
                $"The most players that keep {load[0].Slo.Words}. Each step was confirmed by two launches that agree, "
                + "and the number is known to 10 % or one room.") + "\n");
            page.Table(
                ["library", "most players", "steps"],
                load.Select(search => (string[])
                [
                    Text.Markdown(search.Cell.Title),
                    search.MostInWords,
                    Text.LongMarkdown(search.Search.StepsInWords),
                ]),
                figures: true);
        }
    }

    static string LoadOf(FoundPlayers search)
    {
        Cell cell = search.Cell;
        return RoomLoad.OfAnyNumber(cell) + (cell.Link == null ? "" : $", over a link of {cell.Link}");
    }

    static LinePanel? PanelOf(FoundPlayers[] load, Looks looks)
    {
        var slo = load[0].Slo;
        var terms = slo.Latencies.Where(term => term.Quantile == UsualQuantile).Concat(slo.Latencies).Take(1).ToArray();
        var quantile = terms.Length > 0 ? terms[0].Quantile : UsualQuantile;
        var lines = load
            .Select(search => (search, Points: PointsOf(search, quantile)))
            .Where(line => line.Points.Length > 0)
            .Select(line => LibraryLine.Of(line.search.Cell.Name, looks, line.Points))
            .ToArray();
        if (lines.Length == 0)
            return null;
        Level[] levels =
        [
            .. terms.Select(term => new Level(
                term.Ns, $"SLO: p{100 * quantile:0.#} {Charts.Time(term.Ns)}", Neutrals.Ink, IsBaseline: false)),
        ];
        var all = lines.SelectMany(line => line.Points).ToArray();
        var ticks = all.Select(point => new Tick(point.X, $"{point.X:N0}"));
        return new(
            Charts.Title(load[0].Cell.Kind, "delays against players", LoadOf(load[0])),
            new("players", IsLog: true, Ticks: TicksOf(ticks)),
            new($"delay: p{100 * quantile:0.#}", Axis.IsWide(all.Select(point => point.Y)), TickFormat.Time),
            LinePanel.Ordered(lines),
            levels,
            "the most that keep to the SLO");
    }

    // Steps crowd where the search ends, so that round numbers are marked.
    static Tick[] TicksOf(IEnumerable<Tick> steps)
    {
        Tick[] all = [.. steps.Distinct().OrderBy(tick => tick.At)];
        return Axis.LogTicksOf(all.Length <= 2 ? all : [all[0], all[^1]]);
    }

    static Point[] PointsOf(FoundPlayers search, decimal quantile) =>
    [
        .. search.DelaysNs(quantile).Select(step =>
            new Point(step.Players, step.Ns) { IsRinged = step.Players == search.Search.Most }),
    ];
}
