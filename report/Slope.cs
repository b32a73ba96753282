using MathNet.Numerics;

/// <summary>Memory that each further connection takes: how steady resident memory grows with the
/// clients, by least squares over the cells that differ in nothing else.</summary>
static class Slope
{
    const double LeastRange = 10; // most over fewest clients; within less, chance decides

    /// <summary>Bytes a connection; null where the cells span too few counts of clients.</summary>
    public static double? Of(IEnumerable<Cell> cells, Func<Launch, double?> rssBytes)
    {
        var points = cells.Select(cell => (Clients: (double)cell.Clients, Rss: cell.Median(rssBytes)))
            .Where(point => point.Rss != null).ToArray();
        if (points.Length < 2
            || points.Max(point => point.Clients) < LeastRange * points.Min(point => point.Clients)) return null;
        return Fit.Line([.. points.Select(point => point.Clients)],
            [.. points.Select(point => point.Rss!.Value)]).B;
    }
}
