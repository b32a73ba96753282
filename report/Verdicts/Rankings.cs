/// <summary>Each two libraries that were interleaved under the same load: which is faster, and by how
/// much.</summary>
sealed class Rankings
{
    const int MostLoads = 12;
    const int MostPairs = 6;

    /// <summary>Two cells of the same rounds, by name, and how many times the second's rate the first's is.</summary>
    public sealed record Pair(Cell First, Cell Second, RoundRatio Ratio)
    {
        public string Names => $"{First.Name} / {Second.Name}";
    }

    /// <summary>Of these cells, but for baselines, those at given rates and those that are not valid.</summary>
    public Rankings(IEnumerable<Cell> cells)
    {
        var loads = cells
            .Where(cell => cell is { Interleaved: true, IsBaseline: false, ClosedLoop: true, IsDrawn: true })
            .GroupBy(cell => (cell.Kind, cell.Load));
        Pairs = [.. loads.SelectMany(PairsOf)];
    }

    public Pair[] Pairs { get; }

    static IEnumerable<Pair> PairsOf(IEnumerable<Cell> load)
    {
        var byName = load.OrderBy(cell => cell.Name, StringComparer.Ordinal).ToArray();
        for (var i = 0; i < byName.Length; i++)
        {
            for (var j = i + 1; j < byName.Length; j++)
            {
                if (byName[i].ToOther(byName[j]) is { } ratio)
                    yield return new(byName[i], byName[j], ratio);
            }
        }
    }

    /// <summary>Which of them are not told apart, in a sentence; not escaped.</summary>
    public string NotTold()
    {
        var open = Pairs.Where(pair => !pair.Ratio.Ranks).ToArray();
        if (open.Length == 0)
            return $"Told apart under the same load: all of {Text.Count(Pairs.Length, "pair")} of libraries.";
        var loads = open.GroupBy(pair => (pair.First.Kind, pair.First.Clients, pair.First.Parallel))
            .Select(load =>
            {
                var names = string.Join(", ", load.Take(MostPairs).Select(pair => pair.Names));
                var more = load.Count() > MostPairs ? $" and {load.Count() - MostPairs:N0} more" : "";
                return $"{load.Key.Kind} {load.Key.Clients:N0} x {load.Key.Parallel:N0} {names}{more}";
            })
            .ToArray();
        return $"Of {Text.Count(Pairs.Length, "pair")} of libraries under the same load, {open.Length:N0} "
            + $"{(open.Length == 1 ? "is" : "are")} not told apart: {string.Join("; ", loads.Take(MostLoads))}"
            + (loads.Length > MostLoads ? $"; and those of {loads.Length - MostLoads} more loads" : "")
            + ".";
    }
}
