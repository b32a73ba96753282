/// <summary>Each two libraries that were interleaved under the same load: which is faster, and by how
/// much.</summary>
sealed class Rankings
{
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

    /// <summary>How many of them are told apart, in a sentence; not escaped.</summary>
    public string InWords()
    {
        var open = Pairs.Count(pair => !pair.Ratio.Ranks);
        var all = $"{Text.Count(Pairs.Length, "pair")} of libraries under the same load";
        return open == 0
            ? $"Told apart: all of {all}."
            : $"Of {all} {open:N0} {(open == 1 ? "is" : "are")} not told apart.";
    }
}
