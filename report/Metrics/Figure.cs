/// <summary>What is exported of a metric. Kind: what low and high are; null where there are none. Cv: standard
/// deviation over mean.</summary>
sealed record Figure(double Median, double? Low, double? High, string? Kind, double? Cv)
{
    /// <summary>That of launches or slices.</summary>
    public static Figure? Of(Statistic? statistic)
    {
        if (statistic == null)
            return null;
        var interval = statistic.Interval;
        return new(statistic.Median, interval?.Low, interval?.High, interval?.Kind, statistic.Cv);
    }

    /// <summary>A cell's ratio to the baseline of the same rounds, which is 1 of itself.</summary>
    public static Figure? Of(Cell cell, RoundRatio? toBaseline)
    {
        if (toBaseline == null)
            return null;
        if (cell.Baseline == cell)
            return new(1, null, null, null, null);
        var kind = toBaseline.IsOfRoundsAlone ? "rounds95" : "hierarchical95";
        return new(toBaseline.Value, toBaseline.Low, toBaseline.High, kind, null);
    }
}
