/// <summary>What else went on while the launches of a sweep were measured, as far as the machines tell.
/// It is told and judged nowhere.</summary>
static class NoiseSection
{
    // Their rates, that no library has a part in, are what the machine itself did.
    static void Plain(Cell[] cells, Page page)
    {
        string Share(double? cv) => cv is { } share ? $"{Text.Number(100 * share)} %" : Text.Missing;
        double? MedianOf(IEnumerable<double?> cvs) => Statistic.Of(cvs)?.Median;
        if (cells.Length == 0)
            return;
        var rounds = MedianOf(
            cells
                .SelectMany(cell => cell.Launches)
                .Select(launch => launch.Rounds)
                .OfType<Rounds>()
                .Select(launch => Statistic.OfSlices(launch.Rates).Cv)
        );
        var launches = MedianOf(
            cells.Select(cell =>
                Statistic
                    .Of(cell.Launches.Where(launch => launch.Rounds != null).Select(launch => launch.Throughput))
                    ?.Cv
            )
        );
        page.Line(
            $"The baselines' own rate differed by {Share(rounds)} between the rounds of a launch and by "
                + $"{Share(launches)} between launches (CV, median of {Text.Count(cells.Length, "row")}): "
                + "drift that is not in the ratios."
        );
    }

    // Of two CPUs, between which a hypervisor moves the virtual ones.
    static void Distances(Sweep sweep, Page page)
    {
        var distances = Mode.Of(sweep.Cells.SelectMany(cell => cell.CpuToCpuNs));
        if (distances.Length == 0)
            return;
        var times = distances.Select(mode => $"{Text.Duration(mode.RoundTripNs)} ({100 * mode.Share:F0} % of slices)");
        page.Line(
            $"A hypervisor moved the two CPUs: a line of the cache took {string.Join(" or ", times)} "
                + "from one to the other and back."
        );
    }

    /// <summary>Writes it.</summary>
    public static void Write(Sweep sweep, Page page)
    {
        var launches = sweep.Cells.SelectMany(cell => cell.Launches).ToArray();
        string Spread(Func<Launch, double?> share) =>
            Statistic.Of(launches.Select(share)) is { } shares
                ? $"{Text.Number(100 * shares.Median)} %, {Text.Number(100 * shares.Most)} %"
                : Text.Missing;
        page.Line(
            $"Of the machine's CPU time in a launch's window (median, most): steal {Spread(launch => launch.Steal)}, "
                + $"other load {Spread(launch => launch.OtherLoad(sweep.Uncharged))}; some task waited for a CPU (PSI) "
                + $"{Spread(launch => launch.Pressure)} of the time."
        );
        var baselines = sweep
            .Cells.Where(cell => cell is { IsBaseline: true, Interleaved: true, IsDrawn: true, ClosedLoop: true });
        Plain([.. baselines], page);
        Distances(sweep, page);
        var rounds = launches.Select(launch => launch.Rounds).OfType<Rounds>().ToArray();
        if (Launch.Ratio(rounds.Sum(of => of.MeasuredNs), 1e6 * rounds.Sum(of => of.SpentMs)) is { } measured)
        {
            page.Line(
                $"Of the time in which a library had its turn {Text.Number(100 * (1 - measured))} % went by around "
                    + "its slice: going on, settling, coming to rest and standing still."
            );
        }
    }
}
