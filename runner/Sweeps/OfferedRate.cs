using Newtonsoft.Json.Linq;

/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the run's cell were offered, so that all launches are of one
    /// cell; else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, string runId, int percent)
    {
        var (_, cell, closedLoop) = PlannedCell.Of(runId);
        var (windows, launches) = (new Dictionary<string, List<JObject>>(), new List<JObject>());
        foreach (var record in RecordFile.OfRuns(raw, closedLoop))
        {
            var id = (string)record["run_id"]!;
            var name = PlannedCell.Of(id).Cell;
            if (name == cell && (long?)(record["settings"] as JObject)?["rate"] is > 0 and <= SweepSettings.MostRate and var rate)
                return (int)rate;
            if (name != closedLoop)
                continue;
            if ((string?)record["record"] == "launch")
                launches.Add(record);
            if ((string?)record["phase"] != "window")
                continue;
            if (!windows.TryGetValue(id, out var sides))
                windows[id] = sides = [];
            sides.Add(record);
        }
        double[] rates = [.. launches.Select(launch => InTurn(launch)
            ?? (windows.TryGetValue((string)launch["run_id"]!, out var sides) ? new Outcome([.. sides]).Rate : 0)).Where(rate => rate > 0)];
        if (rates.Length == 0)
            throw new Failure($"No closed-loop launch of this cell measured, of which {percent} % is to be offered.");
        return (int)Math.Clamp(Math.Round(Medians.Of(rates) * percent / 100), 1, SweepSettings.MostRate);
    }

    // Of its rounds; null where it was measured apart.
    static double? InTurn(JObject launch) => Rounds.Of(launch) is { Count: > 0 } rounds
        ? Medians.Of(Enumerable.Range(0, rounds.Count).Select(rounds.Rate)) : null;
}
