/// <summary>The ticks of logarithmic axes, of whatever length.</summary>
public sealed class LogTicksTests
{
    [Theory]
    [InlineData(1, 1_000, "1 10 100 1000")]
    [InlineData(0.3, 40, "0.5 1 2 5 10 20")]
    [InlineData(8, 14, "8 10 12 14")]
    [InlineData(95, 130, "100 110 120 130")]
    [InlineData(4, 25, "5 10 20")]
    [InlineData(3, 9, "3 4 5 6 8")]
    public void Labels_are_at_powers_of_ten_or_closer_where_these_are_few(double least, double most, string labels)
    {
        var labelled = LogTicks.Between(least, most).Where(tick => tick.IsLabelled);
        Assert.Equal(labels, string.Join(' ', labelled.Select(tick => $"{tick.Figure:0.##}")));
    }

    [Fact]
    public void Every_axis_has_three_labels_at_least_and_not_too_many()
    {
        for (var least = 1e-3; least < 1e6; least *= 1.07)
        {
            // The shortest is that of a single figure, with room on both sides.
            for (var length = 1.05; length < 1e12; length *= 1.17)
            {
                var ticks = LogTicks.Between(least, least * length);
                var labelled = ticks.Count(tick => tick.IsLabelled);
                Assert.True(labelled is >= LogTicks.Least and <= 12, $"{least} to {least * length}: {labelled}");
                Assert.All(ticks, tick => Assert.InRange(tick.Figure, least, least * length));
                Assert.Equal(ticks.OrderBy(tick => tick.Figure), ticks);
            }
        }
    }
}
