using Newtonsoft.Json.Linq;

/// <summary>Rounds with distant CPUs, in which libraries compare otherwise.</summary>
public sealed class NearnessTests
{
    const long NearNs = 78, DistantNs = 340, SliceNs = 80_000_000;
    const double AtNear = 0.5, AtDistant = 0.7;

    [Fact]
    public void A_ratio_is_of_the_rounds_in_which_both_had_near_CPUs()
    {
        long[] far = [DistantNs, DistantNs, NearNs, NearNs, NearNs, NearNs, NearNs, NearNs], late = [.. far[1..], DistantNs];
        var (one, other) = (Launch("r1-b", AtNear, far), Launch("r1-b", 1, late));
        Nearness.Tell([one, other]);
        // Of the third to the seventh both are near, and the second of one alone.
        Assert.Null(Turns.Rates([one], [other]));
        (one, other) = (Launch("r1-b", AtNear, far), Launch("r1-b", 1, far));
        Nearness.Tell([one, other]);
        var ratio = Turns.Rates([one], [other])!;
        Assert.Equal((AtNear, 6), (Math.Round(ratio.Value, 6), ratio.Rounds));
    }

    [Fact]
    public void Rates_are_of_the_same_rounds()
    {
        var launch = Launch("r1-b", 1, [DistantNs, 0, NearNs, NearNs]);
        Assert.Equal(4, Rounds.Of(launch)!.Rates.Count());
        Nearness.Tell([launch]);
        Assert.Equal([1, 1], Rounds.Of(launch)!.Rates.Select(rate => Math.Round(1000 * rate / 12_500_000)));
    }

    [Fact]
    public void Of_a_block_that_hardly_ever_had_near_CPUs_all_rounds_count()
    {
        long[] distant = [.. Enumerable.Repeat(DistantNs, 11), NearNs], near = [.. Enumerable.Repeat(NearNs, 12)];
        JObject[] launches = [Launch("r1-a", AtNear, distant), Launch("r1-a", 1, distant), Launch("r1-b", AtNear, near), Launch("r1-b", 1, near)];
        Nearness.Tell(launches);
        Assert.Equal((12, 12), (Turns.Rates([launches[0]], [launches[1]])!.Rounds, Turns.Rates([launches[2]], [launches[3]])!.Rounds));
        Assert.Equal([true, true, false, false], launches.Select(Nearness.IsDistant));
        var (of, others) = Nearness.Of(launches)!.Value;
        Assert.Equal((NearNs, DistantNs), (of.RoundTripNs, others.RoundTripNs));
        Assert.Equal(26 / 48.0, of.Share, 1e-9);
    }

    [Fact]
    public void Where_nobody_looked_all_rounds_count()
    {
        var (one, other) = (Launch("r1-b", AtNear, null, 10), Launch("r1-b", 1, null, 10));
        Nearness.Tell([one, other]);
        Assert.Equal(10, Turns.Rates([one], [other])!.Rounds);
        Assert.Null(Nearness.Of([one, other]));
        Assert.False(Nearness.IsDistant(one));
    }

    // Relative to another whose speed is 1, and which distant CPUs slow more.
    static JObject Launch(string block, double speed, long[]? cpuToCpuNs, int rounds = 0) => new()
    {
        ["block"] = block,
        ["rounds"] = new JObject
        {
            ["elapsed_ns"] = new JArray(Enumerable.Repeat(SliceNs, cpuToCpuNs?.Length ?? rounds)),
            ["completed"] = new JArray((cpuToCpuNs ?? new long[rounds]).Select(ns => (long)(1_000_000 *
                (ns <= NearNs ? speed : speed == 1 ? 0.75 : 0.75 * AtDistant)))),
            ["cpu_to_cpu_ns"] = cpuToCpuNs == null ? null : new JArray(cpuToCpuNs),
        },
    };
}
