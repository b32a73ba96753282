/// <summary>What a search for the most players found of a library in one mode under one load.</summary>
/// <param name="Cell">Of the settings with which it began: it is none of the sweep's cells, and says what the row is
/// called.</param>
/// <param name="Slo">What players ask for.</param>
/// <param name="Search">Its steps.</param>
/// <param name="Launches">Those that measured, of all steps.</param>
sealed record FoundPlayers(Cell Cell, Slo Slo, PlayerSearch Search, Launch[] Launches)
{
    /// <summary>Those of the runs of searches.</summary>
    public static FoundPlayers[] In(IEnumerable<Run> runs, Slo slo) =>
    [
        .. runs
            .Where(run => run.Settings != null)
            .GroupBy(run => SearchRuns.Of(run.Id)!.Value.Cell)
            .Select(search => Of([.. search], slo))
            .OrderBy(search => search.Cell.KindOrder)
            .ThenByDescending(search => search.Search.Most)
            .ThenBy(search => search.Cell.Name, StringComparer.Ordinal),
    ];

    /// <summary>What was searched for, such as "the most players at 30 Hz that keep p99=50ms"; not escaped.</summary>
    public string Sought
    {
        get
        {
            string over = Cell.Link is { } link ? $" over a link of {link}" : "";
            return $"the most {RoomLoad.OfAnyNumber(Cell)}, that keep {Slo.Words}{over}";
        }
    }

    /// <summary>The most players, such as 690; with ≥ where more may fit.</summary>
    public string MostInWords => MostOf([this]);

    /// <summary>The most players that searches for the same found, such as 575–690 where they differ; with ≥ where more
    /// may fit.</summary>
    public static string MostOf(FoundPlayers[] searches)
    {
        PlayerSearch[] told = [.. searches.Select(found => found.Search).Where(IsTold)];
        if (told.Length == 0)
            return Text.Missing;
        int least = told.Min(search => search.Most);
        int most = told.Max(search => search.Most);
        if (most == 0)
            return "none";
        string bound = told.All(search => search.IsBounded) ? "" : "≥ ";
        return least == most ? $"{bound}{most:N0}" : $"{bound}{least:N0}–{most:N0}";
    }

    /// <summary>By players a quantile of the delays in ns, of several launches the median; without those of which it is
    /// not known.</summary>
    public IEnumerable<(int Players, double Ns)> DelaysNs(decimal quantile) =>
        Launches
            .GroupBy(launch => launch.Record.Settings.Clients)
            .OrderBy(step => step.Key)
            .Select(step => (step.Key, Ns: Statistic.Of(step.Select(launch => DelayNs(launch, quantile)))?.Median))
            .Where(step => step.Ns > 0)
            .Select(step => (step.Key, step.Ns!.Value));

    // That none fit is known only where a server could not do it.
    static bool IsTold(PlayerSearch search) => search.Most > 0 || search.IsBounded;

    static double? DelayNs(Launch launch, decimal quantile) =>
        FiguresOf(launch).Delays.Quantile(quantile, leastBeyond: 1);

    static FoundPlayers Of(Run[] runs, Slo slo)
    {
        Launch[] launches = [.. runs.Select(run => run.Launch).OfType<Launch>()];
        var results = runs.Select(run => ResultOf(run, slo));
        var first = runs[0];
        // The first that measured: of one that failed the library's version is not known.
        return new(
            new Cell(first.Library, first.Settings!, [.. launches.Take(1)], []),
            slo,
            PlayerSearch.Of(first.Settings!, results),
            launches);
    }

    static SearchedLaunch ResultOf(Run run, Slo slo)
    {
        int players = SearchRuns.Of(run.Id)!.Value.Players;
        return run.Launch is { } launch
            ? new(players, FiguresOf(launch).Missed(slo), IsFinal: false, launch.Record.WallS)
            : new(players, run.Failure!.TrimEnd('.'), run.IsUnsupported, WallS: 0);
    }

    static ServiceFigures FiguresOf(Launch launch) => new RoomFigures(launch).Service;
}
