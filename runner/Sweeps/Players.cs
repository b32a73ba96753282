/// <summary>The searches of a sweep for the most players that keep to an SLO, one for each library, mode and load. Each
/// launch is of one library by itself.</summary>
static class Players
{
    // A line of a record of a search's launch.
    const string RunOfSearch = "\"run_id\":\"s";

    /// <summary>The next launches of each search, and how far they are; where all are over none, and what they found.
    /// </summary>
    public static (PlannedLaunch[] Launches, string Why) Of(
        PlannedBlock[] blocks, SweepSettings settings, string raw)
    {
        if (settings.SloOfPlayers is not { } slo)
        {
            return ([], "");
        }
        var results = ResultsIn(raw, slo);
        PlannedCell[] cells = SearchedCells(blocks);
        int machines = Math.Max(1, Hosts.From(settings).Clients.Length);
        PlayerSearch[] searches = [.. cells.Select(cell => SearchOf(cell, machines, results[cell.Name]))];
        var next =
            from at in cells.Zip(searches)
            where at.Second.Next != null
            from number in at.Second.NextLaunches
                // Not all of one library in a row, as a machine's speed drifts.
            orderby number
            select new PlannedLaunch(new PlannedBlock([StepOf(at.First, at.Second.Next!.Value)]), number);
        PlannedLaunch[] launches = [.. next];
        int open = searches.Count(search => search.Next != null);
        return launches.Length > 0
            ? (launches, $"{Text.Count(open, "search", "es")} for players to go on with")
            : ([], string.Join('\n', cells.Zip(searches, (cell, search) => InWords(cell, search, slo))));
    }

    /// <summary>Those with which searches begin: the one with the fewest clients of those that differ in these
    /// alone.</summary>
    public static PlannedCell[] SearchedCells(IEnumerable<PlannedBlock> blocks) =>
    [
        .. blocks
            .SelectMany(block => block.Members)
            .Where(cell => cell.Percent == null && cell.SearchOf == null)
            .Distinct()
            .GroupBy(cell => (
                cell.Library,
                cell.Settings with { Clients = 1, Rate = 0 },
                (double)cell.Settings.Rate / cell.Settings.Clients))
            .Select(cells => cells.MinBy(cell => cell.Settings.Clients)!),
    ];

    static PlayerSearch SearchOf(PlannedCell cell, int machines, IEnumerable<SearchedLaunch> launches) =>
        PlayerSearch.Of(cell.Settings with { ClientMachines = machines }, launches);

    // Each player goes on to send as often.
    static PlannedCell StepOf(PlannedCell cell, int players)
    {
        double rate = Math.Round((double)cell.Settings.Rate * players / cell.Settings.Clients);
        int least = Math.Min(1, cell.Settings.Rate);
        return cell with
        {
            SearchOf = cell.Name,
            Settings = cell.Settings with
            {
                Clients = players,
                Rate = (int)Math.Clamp(rate, least, LaunchSettings.MostRate),
            },
        };
    }

    // What came of the launches of searches so far, by the names of the cells with which they began.
    static ILookup<string, SearchedLaunch> ResultsIn(string raw, Slo slo)
    {
        var windows = RecordFile.OfKind<SliceRecord>(raw, RunOfSearch)
            .Where(slice => slice.Phase == "window")
            .ToLookup(slice => slice.RunId);
        var all =
            from record in RecordFile.OfRuns(raw, SearchRuns.OfPlayers)
            where record is LaunchRecord or ErrorRecord { Kind: not "retried" }
            let step = SearchRuns.Of(record.RunId)
            where step != null
            group record by (record.RunId, step.Value.Cell, step.Value.Players) into run
            select (run.Key.Cell, Result: ResultOf([.. run], run.Key.Players, [.. windows[run.Key.RunId]], slo));
        return all.ToLookup(one => one.Cell, one => one.Result);
    }

    // The first of a run's faults counts, if it has any.
    static SearchedLaunch ResultOf(AnyRecord[] run, int players, SliceRecord[] windows, Slo slo)
    {
        if (run.OfType<ErrorRecord>().FirstOrDefault() is { } error)
        {
            return new SearchedLaunch(players, error.Reason.TrimEnd('.'), error.Kind == "unsupported", WallS: 0);
        }
        var launch = (LaunchRecord)run[0];
        var figures = new ServiceFigures(launch.Settings, windows);
        return new SearchedLaunch(players, figures.Missed(slo), IsFinal: false, launch.WallS);
    }

    static string InWords(PlannedCell cell, PlayerSearch search, Slo slo)
    {
        string most = search.Most == 0
            ? $"no number of players {(search.IsBounded ? "keeps" : "is known to keep")}"
            : $"{(search.IsBounded ? "" : "at least ")}{search.Most:N0} players keep";
        return $"{cell.Title}: {most} {slo.Words} ({search.StepsInWords})";
    }
}
