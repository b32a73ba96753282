/// <summary>Where figures of an axis stand in a plot, whose own axes are linear, and the limits between which they
/// stand.</summary>
sealed record AxisScale(bool IsLog, double Min, double Max)
{
    const double LogRoom = 0.12; // decades
    const double HeadRoom = 0.12; // of the height, as words can stand above a point
    const double EndRoom = 0.05; // of the length, on either side
    const double SingleRoom = 0.5; // where all is at one place

    /// <summary>That of an axis of places, with room at both ends.</summary>
    public static AxisScale Between(Axis axis, IEnumerable<double> figures)
    {
        double[] at = [.. figures.DefaultIfEmpty(1).Select(figure => Place(axis.IsLog, figure))];
        var room = at.Max() > at.Min() ? EndRoom * (at.Max() - at.Min()) : SingleRoom;
        return new(axis.IsLog, at.Min() - room, at.Max() + room);
    }

    /// <summary>That of an axis of heights, from zero unless it is logarithmic.</summary>
    public static AxisScale Upward(Axis axis, IEnumerable<double> figures)
    {
        double[] shown = [.. figures.Where(figure => figure > 0).DefaultIfEmpty(1)];
        if (!axis.IsLog)
        {
            return new(false, 0, (1 + HeadRoom) * shown.Max());
        }
        var (low, high) = (Place(true, shown.Min()), Place(true, shown.Max()));
        return new(true, low - LogRoom, high + Math.Max(LogRoom, HeadRoom * (high - low)));
    }

    /// <summary>The place of a figure; of one that a logarithm has no place for below all else.</summary>
    public double At(double figure) => IsLog && figure <= 0 ? Min - 1 : Place(IsLog, figure);

    /// <summary>The same of one that may be missing.</summary>
    public double? At(double? figure) => figure == null ? null : At(figure.Value);

    static double Place(bool isLog, double figure) => isLog ? Math.Log10(figure) : figure;
}
