using Newtonsoft.Json.Linq;

/// <summary>Rounds with CPUs at another distance, in which libraries compare otherwise.</summary>
public sealed class UsualDistanceTests
{
    const long NearNs = 78, DistantNs = 340, SliceNs = 80_000_000, Completed = 1_000_000;
    const double AtNear = 0.5, AtDistant = 0.7;

    [Fact]
    public void A_ratio_is_of_the_rounds_in_which_both_had_the_usual_distance()
    {
        long[] first = Slices(DistantNs, 2, 14), later = Slices(DistantNs, 3, 13);
        var (one, other) = (Launch("r1-b", AtNear, first), Launch("r1-b", 1, later));
        UsualDistance.Tell([one, other]);
        var ratio = Turns.Rates([one], [other])!;
        Assert.Equal((AtNear, 13), (Math.Round(ratio.Value, 6), ratio.Rounds));
    }

    [Fact]
    public void Rates_are_of_the_rounds_at_the_usual_distance()
    {
        var launch = Launch("r1-b", 1, [0, .. Slices(DistantNs, 2, 12)]);
        Assert.Equal(15, Rounds.Of(launch)!.Rates.Count());
        UsualDistance.Tell([launch]);
        Assert.All(Rounds.Of(launch)!.Rates, rate => Assert.Equal(1e9 * Completed / SliceNs, rate));
        Assert.Equal(12, Rounds.Of(launch)!.Rates.Count());
    }

    [Fact]
    public void Of_a_block_with_few_rounds_at_the_usual_distance_all_count()
    {
        long[] distant = Slices(DistantNs, 4, 11), near = Slices(DistantNs, 3, 12);
        JObject[] launches = [Launch("r1-a", AtNear, distant), Launch("r1-a", 1, distant), Launch("r1-b", AtNear, near), Launch("r1-b", 1, near)];
        UsualDistance.Tell(launches);
        Assert.Equal((15, 12), (Turns.Rates([launches[0]], [launches[1]])!.Rounds, Turns.Rates([launches[2]], [launches[3]])!.Rounds));
        Assert.Equal([true, true, false, false], launches.Select(UsualDistance.IsRareFor));
        var (of, others) = UsualDistance.Of(launches)!.Value;
        Assert.Equal((NearNs, DistantNs), (of.RoundTripNs, others.RoundTripNs));
        Assert.Equal(46 / 60.0, of.Share, 1e-9);
    }

    [Fact]
    public void Launches_of_a_block_are_counted_together()
    {
        JObject[] launches = [.. new[] { "r1-b", "r2-b" }.SelectMany(block => new[] { Launch(block, AtNear, Slices(DistantNs, 4, 6)), Launch(block, 1, Slices(DistantNs, 4, 6)) })];
        UsualDistance.Tell(launches);
        Assert.DoesNotContain(launches, UsualDistance.IsRareFor);
        Assert.Equal(12, Turns.Rates([launches[0], launches[2]], [launches[1], launches[3]])!.Rounds);
    }

    [Fact]
    public void What_most_slices_have_is_usual_be_it_the_longer()
    {
        const long Sibling = 46;
        var (one, other) = (Launch("r1-b", AtNear, [Sibling, Sibling, .. Slices(DistantNs, 13, 5)]), Launch("r1-b", 1, [Sibling, Sibling, .. Slices(DistantNs, 13, 5)]));
        UsualDistance.Tell([one, other]);
        var ratio = Turns.Rates([one], [other])!;
        Assert.Equal((AtDistant, 13), (Math.Round(ratio.Value, 6), ratio.Rounds));
        Assert.Equal(DistantNs, UsualDistance.Of([one, other])!.Value.Usual.RoundTripNs);
    }

    [Fact]
    public void Where_nobody_looked_all_rounds_count()
    {
        var (one, other) = (Launch("r1-b", AtNear, null), Launch("r1-b", 1, null));
        UsualDistance.Tell([one, other]);
        Assert.Equal(10, Turns.Rates([one], [other])!.Rounds);
        Assert.Null(UsualDistance.Of([one, other]));
        Assert.False(UsualDistance.IsRareFor(one));
    }

    static long[] Slices(long ns, int many, int near) => [.. Enumerable.Repeat(ns, many), .. Enumerable.Repeat(NearNs, near)];

    // Of a speed relative to one of 1, which distant CPUs slow more. Null: ten rounds of which it is not known.
    static JObject Launch(string block, double speed, long[]? cpuToCpuNs) => new()
    {
        ["block"] = block,
        ["rounds"] = new JObject
        {
            ["elapsed_ns"] = new JArray(Enumerable.Repeat(SliceNs, cpuToCpuNs?.Length ?? 10)),
            ["completed"] = new JArray((cpuToCpuNs ?? new long[10]).Select(ns => (long)(Completed * (ns <= NearNs ? speed : speed == 1 ? 0.75 : 0.75 * AtDistant)))),
            ["cpu_to_cpu_ns"] = cpuToCpuNs == null ? null : new JArray(cpuToCpuNs),
        },
    };
}
