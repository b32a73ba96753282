/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the run's cell were offered, so that all launches are of one
    /// cell; else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, string runId, int percent)
    {
        var (_, cell, closedLoop) = PlannedCell.Of(runId);
        var windows = new Dictionary<string, List<SliceRecord>>();
        var launches = new List<LaunchRecord>();
        foreach (var record in RecordFile.OfRuns(raw, closedLoop))
        {
            var id = record.RunId;
            var name = PlannedCell.Of(id).Cell;
            if (name == cell && Offered(record) is { } rate)
            {
                return rate;
            }
            if (name != closedLoop)
            {
                continue;
            }
            if (record is LaunchRecord launch)
            {
                launches.Add(launch);
            }
            if (record is not SliceRecord { Phase: "window" } window)
            {
                continue;
            }
            if (!windows.TryGetValue(id, out var sides))
            {
                sides = [];
                windows[id] = sides;
            }
            sides.Add(window);
        }
        var all = launches.Select(one => Interleaved(one) ?? Separately(one, windows));
        double[] rates = [.. all.Where(rate => rate > 0)];
        if (rates.Length == 0)
        {
            throw new Failure($"No closed-loop launch of this cell measured, of which {percent} % is to be offered.");
        }
        return (int)Math.Clamp(Math.Round(Medians.Of(rates) * percent / 100), 1, LaunchSettings.MostRate);
    }

    // The rate that a launch's settings say; null where they say none.
    static int? Offered(AnyRecord record)
    {
        var settings = record switch
        {
            LaunchRecord launch => launch.Settings,
            ErrorRecord error => error.Settings,
            _ => null,
        };
        return settings?.Rate is > 0 and <= LaunchSettings.MostRate and var rate ? rate : null;
    }

    // Of its rounds; null where it was measured separately.
    static double? Interleaved(LaunchRecord launch)
    {
        if (Rounds.Of(launch) is not { Count: > 0 } rounds)
        {
            return null;
        }
        return Medians.Of(Enumerable.Range(0, rounds.Count).Select(rounds.Rate));
    }

    // Of its window; 0 where it has none.
    static double Separately(LaunchRecord launch, Dictionary<string, List<SliceRecord>> windows)
    {
        if (!windows.TryGetValue(launch.RunId, out var sides))
        {
            return 0;
        }
        return new WindowSummary([.. sides], launch.Settings).Rate;
    }
}
