/// <summary>How many players fit, in one mode: a table for each load, and a chart of the delays against players.
/// </summary>
sealed class SearchSection
{
    const decimal UsualQuantile = 0.99m;

    readonly FoundPlayers[][] loads;
    readonly string title;
    readonly string? chart;

    SearchSection(Sweep sweep, FoundPlayers[] searches, ChartList list)
    {
        var kind = searches[0].Cell.Kind;
        title = $"The most players, {kind}";
        loads = [.. searches.GroupBy(LoadOf).Select(load => load.ToArray())];
        Panel[] panels = [.. loads.Select(load => PanelOf(load, sweep.Looks)).OfType<Panel>()];
        panels = Charts.Evenly(panels, Charts.MostPanels);
        chart = panels.Length == 0 ? null : list.Add($"players-{kind}", $"Delays against players, {title}", panels);
    }

    /// <summary>Those of a sweep, one for each mode.</summary>
    public static SearchSection[] Of(Sweep sweep, ChartList list) =>
    [
        .. sweep.Searches
            .GroupBy(search => search.Cell.Kind)
            .Select(kind => new SearchSection(sweep, [.. kind], list)),
    ];

    /// <summary>Writes the tables under a heading.</summary>
    public void WriteTable(Page page)
    {
        foreach (var load in loads)
        {
            page.Line($"\n### {Text.Markdown($"{load[0].Cell.Kind}: {LoadOf(load[0])}")}\n");
            page.Line(Text.Markdown(
                $"The most players that keep {load[0].Slo.Words}. Each step was confirmed by two launches that agree, "
                + "and the number is known to 5 % or one room.") + "\n");
            page.Table(
                ["library", "most players", "steps"],
                load.Select(search => (string[])
                [
                    Text.Markdown(search.Cell.Title),
                    search.MostInWords,
                    Text.LongMarkdown(search.StepsInWords),
                ]),
                figures: true);
        }
    }

    /// <summary>Writes the chart, if there is any.</summary>
    public void WriteChart(Page page)
    {
        if (chart == null)
            return;
        page.Line($"\n### {Text.Markdown(title)}");
        page.Line($"\n![Delays against players, {Text.Markdown(title)}]({chart}{ChartFiles.Ending})");
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
