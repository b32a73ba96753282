/// <summary>A figure of a library with so many clients. Bounds: its range or interval, if it has one.</summary>
sealed record Reading(string Name, long Clients, double Figure, (double Low, double High)? Bounds, bool IsLowerBound)
{
    /// <summary>That of a statistic in a unit; null where it is nothing that a logarithm could show.</summary>
    public static Reading? Of(Cell cell, Statistic? statistic, double unit = 1, bool isLowerBound = false)
    {
        if (statistic is not { Median: > 0 })
        {
            return null;
        }
        (double, double)? bounds = statistic.Interval is var (low, high, _) ? (low / unit, high / unit) : null;
        return new(cell.Name, cell.Clients, statistic.Median / unit, bounds, isLowerBound);
    }

    /// <summary>The point that shows it.</summary>
    public Point PointAt(double x) => new(x, Figure, Bounds?.Low, Bounds?.High) { IsLowerBound = IsLowerBound };

    /// <summary>Whether the axis of some needs to be logarithmic; baseline: a level that it shows too.</summary>
    public static bool NeedLog(IEnumerable<Reading> readings, Level? baseline)
    {
        double[] figures = [.. readings.SelectMany(reading => reading.Extent).Append(baseline?.Y ?? 0)];
        return Axis.IsWide(figures.Where(figure => figure > 0));
    }

    // All that it takes room for.
    double[] Extent => Bounds is var (low, high) ? [Figure, low, high] : [Figure];
}
