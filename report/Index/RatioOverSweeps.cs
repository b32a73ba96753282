using MathNet.Numerics.Distributions;

/// <summary>A ratio over several sweeps, with the 95 % interval of their mean. It is a random-effects model: the
/// variance between sweeps is that of DerSimonian and Laird, and the interval that of Hartung and Knapp, never narrower
/// than the sweeps' own intervals make it (https://doi.org/10.1186/1471-2288-14-25).</summary>
/// <param name="Value">The ratio that sweeps scatter around.</param>
/// <param name="Low">The least that it may be.</param>
/// <param name="High">The most.</param>
/// <param name="Least">The least that a sweep had.</param>
/// <param name="Most">The most.</param>
/// <param name="Sweeps">Of how many, two or more.</param>
sealed record RatioOverSweeps(double Value, double Low, double High, double Least, double Most, int Sweeps)
{
    // Of the normal distribution: of so many standard errors are the halves of the sweeps' own intervals.
    const double StandardErrors = 1.959964;

    // A sweep whose interval has no width would outweigh all others.
    const double LeastVariance = 1e-8;

    /// <summary>Such as "2.83x, 2.61–3.07", the numbers behind being the interval; of two sweeps what they had, such
    /// as "2.40–3.57x": an interval of two says hardly anything.</summary>
    public string InWords => HasInterval ? MeanInWords : $"{Range}x";

    /// <summary>The same of any number of sweeps, of two without an interval.</summary>
    public string MeanInWords =>
        $"{Text.Number(Value)}x" + (HasInterval ? $", {Text.Number(Low)}–{Text.Number(High)}" : "");

    /// <summary>What the sweeps had, such as "2.40–3.57".</summary>
    public string Range => $"{Text.Number(Least)}–{Text.Number(Most)}";

    /// <summary>Whether there are sweeps enough for an interval that is worth telling.</summary>
    public bool HasInterval => Sweeps > 2;

    /// <summary>Of the ratios of several sweeps, in any order; null of fewer than two.</summary>
    public static RatioOverSweeps? Of(IReadOnlyCollection<RoundRatio> ratios)
    {
        if (ratios.Count < 2)
        {
            return null;
        }
        double[] logs = [.. ratios.Select(ratio => Math.Log(ratio.Value))];
        double[] variances = [.. ratios.Select(VarianceOf)];
        double between = VarianceBetween(logs, variances);
        double[] weights = [.. variances.Select(variance => 1 / (variance + between))];
        double centre = Mean(logs, weights);
        double scatter = Scatter(logs, weights, centre) / (logs.Length - 1);
        double error = Math.Sqrt(Math.Max(1, scatter) / weights.Sum());
        double half = error * StudentT.InvCDF(location: 0, scale: 1, freedom: logs.Length - 1, p: 0.975);
        return new(
            Math.Exp(centre),
            Math.Exp(centre - half),
            Math.Exp(centre + half),
            Math.Exp(logs.Min()),
            Math.Exp(logs.Max()),
            logs.Length);
    }

    // Of the logarithm of a sweep's ratio, as its interval has it.
    static double VarianceOf(RoundRatio ratio)
    {
        double error = Math.Log(ratio.High / ratio.Low) / 2 / StandardErrors;
        return Math.Max(error * error, LeastVariance);
    }

    static double VarianceBetween(double[] logs, double[] variances)
    {
        double[] weights = [.. variances.Select(variance => 1 / variance)];
        double scatter = Scatter(logs, weights, Mean(logs, weights));
        double scale = weights.Sum() - weights.Sum(weight => weight * weight) / weights.Sum();
        return Math.Max(0, (scatter - (logs.Length - 1)) / scale);
    }

    static double Mean(double[] logs, double[] weights) =>
        logs.Zip(weights, (log, weight) => log * weight).Sum() / weights.Sum();

    static double Scatter(double[] logs, double[] weights, double centre) =>
        logs.Zip(weights, (log, weight) => weight * (log - centre) * (log - centre)).Sum();
}
