using MathNet.Numerics;

/// <summary>Memory that each further connection takes: how resident memory, when all are connected and
/// nothing was sent, grows with the clients, by least squares over the cells that differ in nothing
/// else.</summary>
static class Slope
{
    const double LeastRange = 10; // most over fewest clients; within less, chance decides

    /// <summary>The cells of closed loops by what they have in common with those that differ from them
    /// in nothing but clients.</summary>
    public static ILookup<object, Cell> Lines(IEnumerable<Cell> cells, HashSet<string> varying) =>
        cells.Where(cell => cell.ClosedLoop).ToLookup(cell => Line(cell, varying));

    /// <summary>What a cell has in common with the others of its line.</summary>
    public static object Line(Cell cell, HashSet<string> varying) =>
        (cell.Name, cell.Kind, cell.Parallel, cell.SectionInWords(varying));

    /// <summary>Bytes per connection; null where the cells span too few counts of clients.</summary>
    public static double? Of(IEnumerable<Cell> cells, Func<Launch, double?> rssBytes)
    {
        var points = cells
            .Select(cell => (Clients: (double)cell.Clients, Rss: cell.Median(rssBytes)))
            .Where(point => point.Rss != null)
            .ToArray();
        if (points.Length < 2 || points.Max(point => point.Clients) < LeastRange * points.Min(point => point.Clients))
            return null;
        double[] clients = [.. points.Select(point => point.Clients)];
        double[] bytes = [.. points.Select(point => point.Rss!.Value)];
        // Where connections take next to nothing, chance lets the line fall.
        return Math.Max(0, Fit.Line(clients, bytes).B);
    }
}
