using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>Ratios of the same rounds, against made-up launches of known truth.</summary>
public sealed class RoundRatiosTests
{
    const double Truth = 1.25;
    const long SliceNs = 80_000_000;

    [Theory]
    [InlineData(0.03, 0.08)]
    [InlineData(0.02, 0.05)]
    [InlineData(0.1, 0.05)]
    public void The_interval_of_five_launches_holds_the_truth_in_90_to_99_of_100_sweeps(
        double launchSpread, double roundSpread)
    {
        var held = Enumerable.Range(0, 200).Count(seed =>
        {
            var (one, other) = Sweep(new Random(seed), launches: 5, rounds: 40, launchSpread, roundSpread);
            return RoundRatios.Rates(one, other)! is { Low: < Truth, High: > Truth };
        });
        Assert.InRange(held, 180, 198);
    }

    [Fact]
    public void Drift_that_hits_both_alike_does_not_widen_the_interval()
    {
        var (one, other) = Sweep(new Random(1), launches: 5, rounds: 40, launchSpread: 0, roundSpread: 0.02, drift: 2);
        var ratio = RoundRatios.Rates(one, other)!;
        Assert.InRange(ratio.Value, 0.99 * Truth, 1.01 * Truth);
        Assert.InRange(ratio.HalfWidth, 0.001, 0.01);
        Assert.True(ratio.Ranks);
    }

    [Fact]
    public void A_library_and_itself_are_1_and_not_ranked()
    {
        var (one, _) = Sweep(new Random(1), launches: 5, rounds: 40, launchSpread: 0.05, roundSpread: 0.1);
        Assert.Equal(new RoundRatio(1, 1, 1, 5, 200), RoundRatios.Rates(one, one));
        Assert.Equal(new RoundRatio(1, 1, 1, 5, 200), RoundRatios.Cpu(one, one));
        Assert.False(RoundRatios.Rates(one, one)!.Ranks);
    }

    [Fact]
    public void The_same_launches_in_any_order_give_the_same_and_the_other_way_round_the_inverse()
    {
        var (one, other) = Sweep(new Random(2), launches: 5, rounds: 30, launchSpread: 0.05, roundSpread: 0.1);
        var ratio = RoundRatios.Rates(one, other)!;
        Assert.Equal(ratio, RoundRatios.Rates(one.Reverse(), other.Reverse()));
        var inverse = RoundRatios.Rates(other, one)!;
        Assert.Equal(1, ratio.Value * inverse.Value, 1e-12);
        Assert.Equal(1, ratio.Low * inverse.High, 1e-12);
        Assert.Equal(1, ratio.High * inverse.Low, 1e-12);
    }

    [Fact]
    public void CPU_is_of_both_sides_over_what_was_completed()
    {
        var one = Launch("b", [.. Enumerable.Repeat(100.0, 6)], clientCpuNs: 40_000, serverCpuNs: 20_000);
        var other = Launch("b", [.. Enumerable.Repeat(50.0, 6)], clientCpuNs: 10_000, serverCpuNs: 10_000);
        Assert.Equal(3, RoundRatios.Cpu([one], [other])!.Value, 1e-12);
    }

    [Fact]
    public void Launches_are_matched_by_their_block_and_rounds_without_a_figure_are_none()
    {
        double[] steady = [.. Enumerable.Repeat(200.0, 8)];
        double[] half = [.. Enumerable.Repeat(100.0, 8)];
        LaunchRecord[] one = [Launch("r1-a", steady), Launch("r2-a", steady), Launch("r9-a", steady), Separately()];
        LaunchRecord[] other = [Launch("r2-a", half), Launch("r1-a", [0, 0, .. half[2..]]), Separately()];
        var ratio = RoundRatios.Rates(one, other)!;
        Assert.Equal(2, Math.Round(ratio.Value, 9));
        Assert.Equal(2, ratio.Launches);
        Assert.Equal(14, ratio.Rounds);
        Assert.Null(RoundRatios.Rates([Separately()], [Separately()]));
        Assert.Null(RoundRatios.Rates([Launch("r1-a", steady)], [Launch("r2-a", steady)]));
        // Five rounds do not tell a 95 % interval.
        Assert.Null(RoundRatios.Rates([Launch("r1-a", steady[..5])], [Launch("r1-a", steady)]));
        Assert.NotNull(RoundRatios.Rates([Launch("r1-a", steady[..6])], [Launch("r1-a", steady)]));
    }

    [Fact]
    public void Lists_that_are_too_short_have_no_more_rounds()
    {
        var launch = Launch("r1-a", [.. Enumerable.Repeat(100.0, 8)]);
        var damaged = launch with { Rounds = launch.Rounds! with { Completed = [long.MaxValue, -5] } };
        Assert.Null(RoundRatios.Rates([damaged], [damaged]));
    }

    [Fact]
    public void Few_launches_say_so()
    {
        var (one, other) = Sweep(new Random(3), launches: 5, rounds: 20, launchSpread: 0.01, roundSpread: 0.02);
        Assert.False(RoundRatios.Rates(one, other)!.IsOfRoundsAlone);
        Assert.True(RoundRatios.Rates(one[..4], other)!.IsOfRoundsAlone);
        var single = RoundRatios.Rates(one[..1], other)!;
        Assert.Equal(1, single.Launches);
        Assert.Equal(20, single.Rounds);
    }

    [Theory]
    [InlineData(1.09, 1, false)]
    [InlineData(1.12, 1, true)]
    [InlineData(0.89, 1, true)]
    [InlineData(0.93, 1, false)]
    [InlineData(1.04, 4, false)]
    [InlineData(1.07, 4, true)]
    [InlineData(0.93, 2, true)]
    [InlineData(1.03, 5, true)]
    [InlineData(1.005, 5, false)]
    public void Few_launches_rank_only_what_differs_by_more_than_equals_do(double value, int launches, bool ranks) =>
        Assert.Equal(ranks, new RoundRatio(value, value - 0.01, value + 0.01, launches, 100).Ranks);

    [Fact]
    public void Two_hundred_pairs_take_seconds_at_most()
    {
        var (one, other) = Sweep(new Random(4), launches: 5, rounds: 50, launchSpread: 0.03, roundSpread: 0.08);
        var watch = Stopwatch.StartNew();
        for (var i = 0; i < 200; i++)
            RoundRatios.Rates(one, other);
        Assert.InRange(watch.Elapsed.TotalSeconds, 0, 4);
    }

    // The first is Truth times the second, whatever the drift. Launches and rounds differ by normal shares.
    static (LaunchRecord[] One, LaunchRecord[] Other) Sweep(
        Random random, int launches, int rounds, double launchSpread, double roundSpread, double drift = 1)
    {
        double Normal()
        {
            var distance = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble()));
            return distance * Math.Cos(2 * Math.PI * random.NextDouble());
        }
        double[] speed = [.. Enumerable.Range(0, rounds).Select(i => 100_000 * (i % 7 < 3 ? 1 : drift))];
        var one = new LaunchRecord[launches];
        var other = new LaunchRecord[launches];
        for (var launch = 0; launch < launches; launch++)
        {
            var ofLaunch = Truth * Math.Exp(launchSpread * Normal());
            double[] rates = [.. speed.Select(rate => rate * ofLaunch * Math.Exp(roundSpread * Normal()))];
            one[launch] = Launch($"r{launch}-a", rates);
            other[launch] = Launch($"r{launch}-a", speed);
        }
        return (one, other);
    }

    static LaunchRecord Launch(string block, double[] rates, long clientCpuNs = 1_000, long serverCpuNs = 1_000)
    {
        var completed = rates.Select(rate => (long)(rate * SliceNs / 1e9 * 1_000)).ToArray();
        return RecordFile.As<LaunchRecord>(new JObject
        {
            ["block"] = block,
            ["rounds"] = new JObject
            {
                ["elapsed_ns"] = new JArray(rates.Select(_ => SliceNs * 1_000)),
                ["completed"] = new JArray(completed),
                ["client_cpu_ns"] = new JArray(completed.Select(count => count * clientCpuNs)),
                ["server_cpu_ns"] = new JArray(completed.Select(count => count * serverCpuNs)),
            },
        });
    }

    static LaunchRecord Separately() => RecordFile.As<LaunchRecord>(new JObject());
}
