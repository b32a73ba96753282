/// <summary>How much of something each method has, and in how many samples it was seen.</summary>
sealed class MethodSums
{
    readonly Dictionary<Method, (double Amount, long Samples)> sums = [];

    /// <summary>Of all methods.</summary>
    public double Total { get; private set; }

    /// <summary>Of all methods.</summary>
    public long Samples { get; private set; }

    /// <summary>All methods, in no order.</summary>
    public IEnumerable<Method> Methods => sums.Keys;

    /// <summary>Those with most, the first of which has the most.</summary>
    public IEnumerable<Method> Largest(int most) => sums
        .OrderByDescending(sum => sum.Value.Amount)
        .ThenBy(sum => sum.Key.Name, StringComparer.Ordinal)
        .ThenBy(sum => sum.Key.Owner, StringComparer.Ordinal)
        .Select(sum => sum.Key)
        .Take(most);

    /// <summary>What a method has.</summary>
    public (double Amount, long Samples) Of(Method method) => sums.GetValueOrDefault(method);

    /// <summary>The share of all that methods have of which something holds; null where there is nothing.</summary>
    public double? ShareOf(Func<Method, bool> holds) =>
        Launch.Ratio(sums.Where(sum => holds(sum.Key)).Sum(sum => sum.Value.Amount), Total);

    /// <summary>Adds to what a method has.</summary>
    public void Add(Method method, double amount, long samples = 1)
    {
        var (before, samplesBefore) = sums.GetValueOrDefault(method);
        sums[method] = (before + amount, samplesBefore + samples);
        Total += amount;
        Samples += samples;
    }

    /// <summary>Adds all that another has, as so much together.</summary>
    public void AddAll(MethodSums other, double together)
    {
        // In one order, as sums of the same in another one may differ.
        foreach (var method in other.Largest(int.MaxValue))
        {
            var (amount, samples) = other.Of(method);
            Add(method, together * amount / other.Total, samples);
        }
    }
}
