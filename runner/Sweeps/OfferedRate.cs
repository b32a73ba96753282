using Newtonsoft.Json.Linq;

/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the cell were offered, so that all launches are of one cell;
    /// else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, PlannedCell cell, int percent)
    {
        var (closedLoop, sides) = (cell.ClosedLoop, new List<JObject>());
        string? unsupported = null;
        foreach (var record in RecordFile.OfRuns(raw, closedLoop.Name))
        {
            var runId = (string)record["run_id"]!;
            if (cell.IsRun(runId) && (long?)(record["settings"] as JObject)?["rate"]
                is > 0 and <= SweepSettings.MostRate and var rate) return (int)rate;
            if (!closedLoop.IsRun(runId)) continue;
            if ((string?)record["kind"] == "unsupported") unsupported = (string)record["reason"]!;
            if ((string?)record["kind"] != "retried") sides.Add(record);
        }
        if (unsupported != null) throw new Failure(unsupported, Program.Unsupported);
        var capacity = Statistic.Of(sides.GroupBy(side => Attempt.Run((string)side["run_id"]!))
            .Select(run => Throughput([.. run])))?.Median
            ?? throw new Failure($"No closed-loop launch of this cell measured, of which {percent} % is to be offered.");
        return (int)Math.Clamp(Math.Round(capacity * percent / 100), 1, SweepSettings.MostRate);
    }

    // Of the last attempt; null where it failed.
    static double? Throughput(JObject[] run)
    {
        var last = run.Max(record => Attempt.Number((string)record["run_id"]!));
        var attempt = run.Where(record => Attempt.Number((string)record["run_id"]!) == last).ToLookup(
            record => (string)record["record"]!);
        JObject[] clients = [.. attempt["client"]];
        return attempt["error"].Any() || Launch.Missing(clients) != null ? null
            : new Launch(clients, attempt["server"].FirstOrDefault(), Session.None).Throughput;
    }
}
