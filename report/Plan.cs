/// <summary>The order in which a sweep runs its cells.</summary>
static class Plan
{
    /// <summary>The run id and the cell of every run: every cell in every repeat, repeats outermost;
    /// within one the order is shuffled, so that a drift of the machine hits all alike. The same
    /// seed gives the same order. A cell is: library delivery clients parallel payload.</summary>
    public static IEnumerable<(string RunId, string Cell)> Order(string[] cells, int repeats, int seed)
    {
        for (var repeat = 1; repeat <= repeats; repeat++)
        {
            var shuffled = cells.ToArray();
            // A seeded Random gives the same numbers on every machine; Fisher and Yates' shuffle.
            var random = new Random(unchecked(seed + repeat));
            for (var left = shuffled.Length; left > 1; left--)
            {
                var picked = random.Next(left);
                (shuffled[left - 1], shuffled[picked]) = (shuffled[picked], shuffled[left - 1]);
            }
            foreach (var cell in shuffled) yield return (RunId(repeat, cell), cell);
        }
    }

    static string RunId(int repeat, string cell) =>
        cell.Split(' ') is [var library, var delivery, var clients, var parallel, var payload]
            ? $"r{repeat}-{library}-{delivery}-{clients}x{parallel}-{payload}"
            : throw new Failure($"'{cell}' is no cell: library delivery clients parallel payload.",
                Program.WrongUsage);
}
