/// <summary>The round figures that are marked on a logarithmic axis: some at least have a label, however short the
/// axis is.</summary>
static class LogTicks
{
    /// <summary>So many.</summary>
    public const int Least = 3;

    const int MostDecades = 9; // whose labels have room
    const int FinestSteps = 12; // sizes of steps that are tried

    // The digits that have a label: the first of which there are enough.
    static readonly int[][] sets = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 8]];

    static readonly int[] steps = [5, 2, 1];

    /// <summary>All from the least figure to the most, ascending; what has no label is a line of the grid.</summary>
    public static (double Figure, bool IsLabelled)[] Between(double least, double most)
    {
        var first = (int)Math.Floor(Math.Log10(least));
        int[] decades = [.. Enumerable.Range(first, (int)Math.Floor(Math.Log10(most)) - first + 1)];
        var apart = (decades.Length + MostDecades - 1) / MostDecades;
        if (apart > 1)
        {
            var powers = decades.Where(decade => decade % apart == 0).Select(decade => FigureOf(1, decade));
            return [.. powers.Where(IsWithin).Select(figure => (figure, true))];
        }
        var all =
            from decade in decades
            from digit in Enumerable.Range(1, 9)
            select (Figure: FigureOf(digit, decade), Digit: digit);
        var within = all.Where(tick => IsWithin(tick.Figure)).ToArray();
        var labelled = sets.FirstOrDefault(set => within.Count(tick => set.Contains(tick.Digit)) >= Least);
        return labelled == null
            ? [.. Even(least, most).Select(figure => (figure, true))]
            : [.. within.Select(tick => (tick.Figure, labelled.Contains(tick.Digit)))];

        bool IsWithin(double figure) => least <= figure && figure <= most;
    }

    // Over less than a doubling or so a logarithmic axis is much like a linear one.
    static double[] Even(double least, double most)
    {
        var decade = (int)Math.Floor(Math.Log10(most - least));
        var sizes = Enumerable
            .Range(0, FinestSteps)
            .Select(i => FigureOf(steps[i % steps.Length], decade - i / steps.Length));
        foreach (var step in sizes)
        {
            var from = (long)Math.Ceiling(least / step);
            var count = (int)((long)Math.Floor(most / step) - from + 1);
            if (count >= Least)
            {
                return [.. Enumerable.Range(0, count).Select(i => Math.Round((from + i) * step, FinestSteps))];
            }
        }
        return [];
    }

    // Exactly, as it is written.
    static double FigureOf(int digit, int decade) => double.Parse($"{digit}e{decade}");
}
