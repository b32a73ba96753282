/// <summary>A cell with what its metrics are computed from; what takes long is computed once, when it is asked for.
/// </summary>
/// <param name="cell">The cell.</param>
/// <param name="uncharged">What the kernel does for both sides without charging it to them, see MachineLoad.</param>
/// <param name="line">The cells that differ from it in nothing but clients, itself among them; none at a rate.</param>
sealed class CellFigures(Cell cell, Func<double> uncharged, IEnumerable<Cell> line)
{
    readonly Lazy<TimedLaunch[]> launches = new(() => [.. cell.Launches.Select(launch => new TimedLaunch(launch))]);

    /// <summary>The cell.</summary>
    public Cell Cell => cell;

    /// <summary>Its launches with their times.</summary>
    public TimedLaunch[] Launches => launches.Value;

    /// <summary>See MachineLoad.</summary>
    public double Uncharged => uncharged();

    /// <summary>The cells of its line, see Slope.</summary>
    public IEnumerable<Cell> Line => line;

    /// <summary>Those of cells of a sweep, in their order.</summary>
    public static CellFigures[] Of(Sweep sweep, IEnumerable<Cell> cells) => [.. cells.Select(sweep.FiguresOf)];

    /// <summary>Makes those of a sweep's cells.</summary>
    public static Func<Cell, CellFigures> In(Sweep sweep)
    {
        HashSet<string> varying = Cell.Varying(sweep.Cells);
        var lines = Slope.Lines(sweep.Cells, varying);
        return cell =>
        {
            var line = cell.ClosedLoop ? lines[Slope.Line(cell, varying)] : [];
            return new CellFigures(cell, () => sweep.Uncharged, line);
        };
    }
}

/// <summary>A launch with its times, which its percentiles share.</summary>
sealed class TimedLaunch(Launch launch)
{
    readonly Lazy<Histogram> roundTrips = new(() => launch.RoundTrips);
    readonly Lazy<Histogram> sendLag = new(() => launch.SendLag);

    /// <summary>The launch.</summary>
    public Launch Launch => launch;

    /// <summary>Of its round trips, in µs; null where too few lie beyond.</summary>
    public double? RoundTripUs(decimal quantile) => roundTrips.Value.Quantile(quantile) / 1e3;

    /// <summary>Of how late messages were sent, likewise.</summary>
    public double? SendLagUs(decimal quantile) => sendLag.Value.Quantile(quantile) / 1e3;
}
