using Newtonsoft.Json.Linq;

/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the run's cell were offered, so that all launches are of one
    /// cell; else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, string runId, int percent)
    {
        var (cell, closedLoop) = PlannedCell.NamesOf(runId);
        var windows = new Dictionary<string, List<JObject>>();
        var measured = new HashSet<string>();
        foreach (var record in RecordFile.OfRuns(raw, closedLoop))
        {
            var id = (string)record["run_id"]!;
            var name = PlannedCell.NamesOf(id).Cell;
            if (name == cell && (long?)(record["settings"] as JObject)?["rate"] is > 0 and <= SweepSettings.MostRate and var rate)
                return (int)rate;
            if (name != closedLoop) continue;
            if ((string?)record["record"] == "launch") measured.Add(id);
            if ((string?)record["phase"] != "window" || (string?)record["side"] != "client") continue;
            if (!windows.TryGetValue(id, out var sides)) windows[id] = sides = [];
            sides.Add(record);
        }
        double[] rates = [.. measured.Where(windows.ContainsKey).Select(id => new Outcome([.. windows[id]]).Rate).Order()];
        if (rates.Length == 0)
            throw new Failure($"No closed-loop launch of this cell measured, of which {percent} % is to be offered.");
        var median = (rates[(rates.Length - 1) / 2] + rates[rates.Length / 2]) / 2;
        return (int)Math.Clamp(Math.Round(median * percent / 100), 1, SweepSettings.MostRate);
    }
}
