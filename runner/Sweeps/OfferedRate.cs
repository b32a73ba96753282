using Newtonsoft.Json.Linq;

/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the run's cell were offered, so that all launches are of one
    /// cell; else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, string runId, int percent)
    {
        var (_, cell, closedLoop) = PlannedCell.Of(runId);
        var windows = new Dictionary<string, List<JObject>>();
        var launches = new List<JObject>();
        foreach (var record in RecordFile.OfRuns(raw, closedLoop))
        {
            var id = (string)record["run_id"]!;
            var name = PlannedCell.Of(id).Cell;
            if (name == cell && Offered(record) is { } rate)
                return rate;
            if (name != closedLoop)
                continue;
            if ((string?)record["record"] == "launch")
                launches.Add(record);
            if ((string?)record["phase"] != "window")
                continue;
            if (!windows.TryGetValue(id, out var sides))
            {
                sides = [];
                windows[id] = sides;
            }
            sides.Add(record);
        }
        var all = launches.Select(launch => InTurn(launch) ?? Apart(launch, windows));
        double[] rates = [.. all.Where(rate => rate > 0)];
        if (rates.Length == 0)
            throw new Failure($"No closed-loop launch of this cell measured, of which {percent} % is to be offered.");
        return (int)Math.Clamp(Math.Round(Medians.Of(rates) * percent / 100), 1, LaunchSettings.MostRate);
    }

    // The rate that a launch's settings say; null where they say none.
    static int? Offered(JObject record)
    {
        var rate = (long?)(record["settings"] as JObject)?["rate"];
        return rate is > 0 and <= LaunchSettings.MostRate ? (int)rate : null;
    }

    // Of its rounds; null where it was measured apart.
    static double? InTurn(JObject launch)
    {
        if (Rounds.Of(launch) is not { Count: > 0 } rounds)
            return null;
        return Medians.Of(Enumerable.Range(0, rounds.Count).Select(rounds.Rate));
    }

    // Of its window; 0 where it has none.
    static double Apart(JObject launch, Dictionary<string, List<JObject>> windows)
    {
        if (!windows.TryGetValue((string)launch["run_id"]!, out var sides))
            return 0;
        return new WindowSummary([.. sides]).Rate;
    }
}
