/// <summary>The order in which a sweep runs its cells.</summary>
static class Plan
{
    /// <summary>Every cell in every repeat, repeats outermost; within one the order is shuffled, so
    /// that a drift of the machine hits all alike. The same seed gives the same order.</summary>
    public static IEnumerable<(int Repeat, string Cell)> Order(string[] cells, int repeats, int seed)
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
            foreach (var cell in shuffled) yield return (repeat, cell);
        }
    }
}
