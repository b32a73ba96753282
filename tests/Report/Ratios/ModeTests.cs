/// <summary>Speeds between which rounds jump.</summary>
public sealed class ModeTests
{
    [Fact]
    public void Two_speeds_are_told_apart_with_their_shares_and_medians()
    {
        var modes = Mode.Of([.. Around(106_000, 30), .. Around(14_000, 70)]);
        Assert.Equal([0.7, 0.3], modes.Select(mode => mode.Share));
        Assert.Equal([14.0, 106.0], modes.Select(mode => Math.Round(mode.RoundTripNs / 1000)));
        Assert.Equal(3, Mode.Of([.. Around(14_000, 30), .. Around(50_000, 30), .. Around(200_000, 40)]).Length);
    }

    [Fact]
    public void Rounds_in_which_both_speeds_were_had_do_not_join_the_two()
    {
        double[] between = [30_000, 45_000, 60_000, 80_000];
        Assert.Equal(2, Mode.Of([.. Around(106_000, 46), .. Around(14_000, 50), .. between]).Length);
    }

    [Theory]
    [InlineData(1.45, 0)]
    [InlineData(1.6, 2)]
    public void They_are_a_factor_of_one_and_a_half_apart(double factor, int modes)
    {
        double[] rounds = [.. Enumerable.Repeat(10_000.0, 50), .. Enumerable.Repeat(10_000 * factor, 50)];
        Assert.Equal(modes, Mode.Of(rounds).Length);
    }

    [Theory]
    [InlineData(8, 0)]
    [InlineData(10, 2)]
    public void Each_has_a_tenth_of_the_rounds(int slow, int modes) =>
        Assert.Equal(modes, Mode.Of([.. Around(14_000, 100 - slow), .. Around(106_000, slow)]).Length);

    [Fact]
    public void What_only_spreads_has_no_modes()
    {
        Assert.Empty(Mode.Of(Around(14_000, 100)));
        // Even the long tail of an exponential.
        Assert.Empty(Mode.Of(Enumerable.Range(1, 100).Select(i => 10_000 - 10_000 * Math.Log(1 - i / 101.0))));
        Assert.Empty(Mode.Of([.. Around(14_000, 10), .. Around(106_000, 9)]));
        Assert.Empty(Mode.Of([]));
    }

    // Within a tenth.
    static IEnumerable<double> Around(double ns, int count) =>
        Enumerable.Range(0, count).Select(i => ns * (0.9 + 0.2 * (i + 0.5) / count));
}
