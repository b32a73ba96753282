/// <summary>Ratios and intervals in words.</summary>
static class Ratios
{
    /// <summary>The bounds of a cell's ratio to the baseline, such as 0.752–0.789 (95 %); it has none to itself.
    /// </summary>
    public static string Interval(Cell cell, RoundRatio? ratio)
    {
        if (cell.Baseline == cell)
            return "–";
        if (ratio == null)
            return Text.Missing;
        var of = ratio.IsOfRoundsAlone ? "rounds" : "95 %";
        return $"{Text.Number(ratio.Low)}–{Text.Number(ratio.High)} ({of})";
    }

    /// <summary>The bounds of a figure of several launches, in a unit.</summary>
    public static string Interval(Figure? figure, double unit = 1)
    {
        if (figure?.Kind == null)
            return Text.Missing;
        var of = figure.Kind == Statistic.Range ? "" : " (95 %)";
        return $"{Text.Number(figure.Low / unit)}–{Text.Number(figure.High / unit)}{of}";
    }

    /// <summary>True where two figures have 95 % intervals that do not meet.</summary>
    public static bool AreTold(Figure? one, Figure? other) =>
        one is { Kind: not (null or Statistic.Range) }
        && other is { Kind: not (null or Statistic.Range) }
        && (one.Low > other.High || one.High < other.Low);

    /// <summary>One with its half-width, such as 0.770 ±2.4 %.</summary>
    public static string WithHalfWidth(RoundRatio ratio) => $"{Text.Number(ratio.Value)} {HalfWidth(ratio.HalfWidth)}";

    /// <summary>A half-width in words.</summary>
    public static string HalfWidth(double share) => $"±{Text.Number(100 * share)} %";
}
