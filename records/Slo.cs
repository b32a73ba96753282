using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>What a service is to keep to, such as p99=5ms,loss=0.1%. Latencies by quantile in ns.</summary>
sealed partial record Slo(
    string Words,
    (decimal Quantile, double Ns)[] Latencies,
    double? LossPercent,
    double? LateTicksPercent)
{
    const string Loss = "loss";
    const string LateTicks = "late-ticks";
    const string Example = "p50, p90, p99 or p99.9=<n>us, ms or s, and loss=<x>%";
    const string ExampleOfPlayers = "p50, p90, p99 or p99.9=<n>us, ms or s, late-ticks=<x>% and loss=<x>%";

    /// <summary>That of a setting, which is no empty one; name says where it stands. Late ticks are of players alone.
    /// </summary>
    public static Slo Parse(string name, string text, bool isOfPlayers = false)
    {
        var latencies = new List<(decimal, double)>();
        var shares = new Dictionary<string, double>();
        var named = new HashSet<string>();
        foreach (var term in text.Split(','))
        {
            var match = Term().Match(term);
            var number = match.Success ? double.Parse(match.Groups["number"].Value, CultureInfo.InvariantCulture) : 0;
            var quantile = match.Groups["quantile"].Value;
            var share = match.Groups["share"].Value;
            var isKnown = match.Success && (share != LateTicks || isOfPlayers);
            if (!isKnown || (quantile == "" ? number > 100 : number == 0))
            {
                throw new Failure(
                    $"{name}: '{term}' is no term of an SLO: {(isOfPlayers ? ExampleOfPlayers : Example)}.",
                    Exit.WrongUsage);
            }
            if (!named.Add(quantile + share))
                throw new Failure($"{name} names '{term.Split('=')[0]}' twice.", Exit.WrongUsage);
            if (quantile == "")
            {
                shares[share] = number;
            }
            else
            {
                var nsAUnit = match.Groups["unit"].Value switch
                {
                    "us" => 1e3,
                    "ms" => 1e6,
                    _ => 1e9,
                };
                latencies.Add((decimal.Parse(quantile, CultureInfo.InvariantCulture) / 100, number * nsAUnit));
            }
        }
        double? Share(string of) => shares.TryGetValue(of, out var share) ? share : null;
        return new(text, [.. latencies.OrderBy(latency => latency.Item1)], Share(Loss), Share(LateTicks));
    }

    /// <summary>Why figures do not keep to it: the first term that they miss; null where they do.</summary>
    /// <param name="roundTripNs">Quantile of the round trips; null, which misses, where too few lie beyond.</param>
    /// <param name="lossPercent">Messages due that were lost, not answered or not sent; null misses too.</param>
    /// <param name="lateTicksPercent">Ticks due that came late or not at all; null where there are none.</param>
    public string? Missed(Func<decimal, double?> roundTripNs, double? lossPercent, double? lateTicksPercent = null)
    {
        foreach (var (quantile, most) in Latencies)
        {
            if (roundTripNs(quantile) is not { } ns || ns > most)
                return $"p{100 * quantile:0.#} {Text.Duration(roundTripNs(quantile))}";
        }
        if (lateTicksPercent > LateTicksPercent)
            return $"late ticks {Text.Number(lateTicksPercent)} %";
        return LossPercent == null || lossPercent <= LossPercent ? null : $"loss {Text.Number(lossPercent)} %";
    }

    [GeneratedRegex(
        @"^(p(?<quantile>50|90|99|99\.9)=(?<number>[0-9]{1,9}(\.[0-9]{1,3})?)(?<unit>us|ms|s)"
            + @"|(?<share>loss|late-ticks)=(?<number>[0-9]{1,3}(\.[0-9]{1,3})?)%)\z"
    )]
    private static partial Regex Term();
}
