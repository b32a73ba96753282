/// <summary>What a percentage of a cell's capacity is in messages/s.</summary>
static class OfferedRate
{
    /// <summary>The rate that earlier launches of the run's cell were offered, so that all launches are of one
    /// cell; else that part of the median throughput of its closed loop. Fails where neither is in the file.</summary>
    public static int Of(string raw, string runId, int percent)
    {
        var (_, cell, closedLoop) = PlannedCell.Of(runId);
        var runs = RecordFile.OfRuns(raw, closedLoop);
        // Ends where it finds one: before every launch but the first the rest need not be read.
        if (runs.Where(IsOf(cell)).Select(Offered).FirstOrDefault(rate => rate != null) is { } offered)
        {
            return offered;
        }
        AnyRecord[] ofClosedLoop = [.. runs.Where(IsOf(closedLoop))];
        var windows = ofClosedLoop
            .OfType<SliceRecord>()
            .Where(slice => slice.Phase == "window")
            .ToLookup(slice => slice.RunId);
        // Of its window where it was measured separately, if it has one.
        double RateOf(LaunchRecord launch) =>
            Interleaved(launch) ?? new WindowSummary([.. windows[launch.RunId]], launch.Settings).Rate;
        double[] rates = [.. ofClosedLoop.OfType<LaunchRecord>().Select(RateOf).Where(rate => rate > 0)];
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

    static Func<AnyRecord, bool> IsOf(string cell) => record => PlannedCell.Of(record.RunId).Cell == cell;
}
