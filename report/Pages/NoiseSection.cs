/// <summary>What else went on while the launches of a sweep were measured, as far as the machines tell.
/// It is told and judged nowhere.</summary>
static class NoiseSection
{
    /// <summary>Writes it.</summary>
    public static void Write(Sweep sweep, Page page)
    {
        page.Line("\n## Noise\n");
        var launches = sweep.Cells.SelectMany(cell => cell.Launches).ToArray();
        string Spread(Func<Launch, double?> share) => Statistic.Of(launches.Select(share)) is { } shares
            ? $"{Text.Number(100 * shares.Median)} %, {Text.Number(100 * shares.Most)} %" : Text.Missing;
        page.Line($"Of the machine's CPU time in a launch's window (median, most): steal {Spread(launch => launch.Steal)}, "
            + $"other load {Spread(launch => launch.OtherLoad(sweep.Uncharged))}; some task waited for a CPU (PSI) "
            + $"{Spread(launch => launch.Pressure)} of the time.");
    }
}
