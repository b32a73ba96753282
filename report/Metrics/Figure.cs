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

    /// <summary>A cell's ratio to the plain socket of the same rounds, which is 1 of itself.</summary>
    public static Figure? Of(Cell cell, TurnRatio? toPlain)
    {
        if (toPlain == null)
            return null;
        if (cell.PlainSocket == cell)
            return new(1, null, null, null, null);
        var kind = toPlain.IsOfRoundsAlone ? "rounds95" : "hierarchical95";
        return new(toPlain.Value, toPlain.Low, toPlain.High, kind, null);
    }
}
