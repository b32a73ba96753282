using MathNet.Numerics.Distributions;

/// <summary>A ratio over several sweeps, against made-up sweeps of known truth.</summary>
public sealed class RatioOverSweepsTests
{
    const double Truth = 3.2;
    const int Simulations = 2_000;

    // By how much hours differ, and by how much a sweep is off its own hour, as shares of the ratio. Sweeps
    // of one load contradicted each other by up to 0.35 with intervals of 0.06.
    [Theory]
    [InlineData(2, 0.1, 0.03)]
    [InlineData(2, 0, 0.03)]
    [InlineData(3, 0.1, 0.03)]
    [InlineData(3, 0.35, 0.06)]
    [InlineData(5, 0.1, 0.03)]
    [InlineData(5, 0.02, 0.03)]
    public void The_interval_holds_the_truth_in_93_of_100_though_the_sweeps_own_intervals_may_not(
        int sweeps, double ofHours, double ofSweep)
    {
        var random = new Random(1);
        double Off(double by) => by == 0 ? 0 : Normal.Sample(random, 0, by);
        RoundRatio Sweep()
        {
            var log = Math.Log(Truth) + Off(ofHours) + Off(ofSweep);
            return new(Math.Exp(log), Math.Exp(log - 1.96 * ofSweep), Math.Exp(log + 1.96 * ofSweep), 5, 125);
        }
        var held = 0;
        var heldByFirst = 0;
        for (var simulation = 0; simulation < Simulations; simulation++)
        {
            RoundRatio[] ratios = [.. Enumerable.Range(0, sweeps).Select(_ => Sweep())];
            held += RatioOverSweeps.Of(ratios)! is { Low: <= Truth, High: >= Truth } ? 1 : 0;
            heldByFirst += ratios[0] is { Low: <= Truth, High: >= Truth } ? 1 : 0;
        }
        Assert.InRange(held, 0.93 * Simulations, Simulations);
        if (ofHours > ofSweep)
        {
            Assert.InRange(heldByFirst, 0, 0.6 * Simulations);
        }
    }

    [Fact]
    public void Sweeps_that_agree_are_known_more_closely_than_those_that_do_not_and_one_alone_is_not_pooled()
    {
        RoundRatio first = new(2.0, 1.9, 2.1, 5, 125);
        RoundRatio same = new(2.02, 1.92, 2.12, 5, 125);
        RoundRatio other = new(3.0, 2.9, 3.1, 5, 125);
        Assert.Null(RatioOverSweeps.Of([first]));
        var agreed = RatioOverSweeps.Of([first, same, first])!;
        var contradicted = RatioOverSweeps.Of([first, other, first])!;
        Assert.InRange(agreed.Value, 2.0, 2.02);
        Assert.True(agreed.High / agreed.Low < contradicted.High / contradicted.Low);
        // Of three sweeps of a closely known ratio: 4.303 standard errors of 0.0255 / sqrt(3).
        Assert.InRange(agreed.High / agreed.Value, 1.06, 1.07);
        Assert.Equal(RatioOverSweeps.Of([other, first])!.Value, RatioOverSweeps.Of([first, other])!.Value, 1e-9);
    }
}
