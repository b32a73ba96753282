/// <summary>What it costs a thread of this machine to be woken: the baselines make one round trip at a time blocking in
/// the system, and spinning. Of what these differ by most is that two threads are woken.</summary>
static class WakeUp
{
    const int InRoundTrip = 2;
    const double UsASecond = 1e6;

    /// <summary>A sentence, not escaped; null where a sweep has no such pair.</summary>
    public static string? InWords(Sweep sweep)
    {
        var lone = sweep
            .Cells.Where(cell =>
                cell is { IsBaseline: true, IsDrawn: true, Interleaved: true, ClosedLoop: true, Link: null }
                && cell is { Clients: 1, Parallel: 1 }
                && !cell.IsEncrypted
                && !cell.Tuned
                && cell.Median(RoundTripUs) != null)
            .ToArray();
        var pairs =
            from blocking in lone
            from spinning in lone
            where blocking.Waits == "blocks" && spinning.Waits == "polls"
                && blocking.Library == spinning.Library
                && blocking.Work == spinning.Work
                && blocking.Settings.PayloadBytes == spinning.Settings.PayloadBytes
            orderby blocking.Library descending
            select (blocking, spinning);
        if (pairs.FirstOrDefault() is not ({ } blocks, { } spins))
            return null;
        var blockingUs = blocks.Median(RoundTripUs)!.Value;
        var spinningUs = spins.Median(RoundTripUs)!.Value;
        if (blockingUs <= spinningUs)
            return null;
        return $"A thread is woken within {Text.Number((blockingUs - spinningUs) / InRoundTrip)} µs on this machine: "
            + $"a round trip of plain {blocks.Library} at 1 x 1 takes {Text.Number(blockingUs)} µs where both sides "
            + $"block and {Text.Number(spinningUs)} µs where both spin.";
    }

    static double? RoundTripUs(Launch launch) => UsASecond * launch.MeanRoundTripS;
}
