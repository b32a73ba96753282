/// <summary>When clients count as warm.</summary>
public sealed class WarmthTests
{
    // A look each 0.3 s, at so many round trips/s.
    static Warmth After(double leastSeconds, params double[] rates) => After(leastSeconds, _ => 0, rates);

    // Each of which compiles so many methods.
    static Warmth After(double leastSeconds, Func<int, long> compiled, params double[] rates)
    {
        var warmth = new Warmth(leastSeconds);
        foreach (var (rate, look) in rates.Select((rate, look) => (rate, look)))
        {
            if (warmth.IsOver)
            {
                break;
            }
            warmth.Add(Warmth.LookSeconds, (long)(rate * Warmth.LookSeconds), compiled(look));
        }
        return warmth;
    }

    static double[] Times(int count, Func<int, double> rate) => [.. Enumerable.Range(0, count).Select(rate)];

    [Fact]
    public void A_steady_rate_is_warm_after_the_least_time() =>
        Assert.Equal((3.0, true), Of(After(2.9, Times(40, _ => 100_000))));

    [Fact]
    public void A_rate_that_rises_is_not_warm_until_it_no_longer_does()
    {
        var (seconds, isWarm) = Of(After(3, Times(40, look => 50_000 + 6_000 * Math.Min(look, 15))));
        Assert.True(isWarm);
        Assert.InRange(seconds, 4.5, 6);
        Assert.Equal((10.2, false), Of(After(3, Times(40, look => 10_000 * Math.Pow(1.1, look)))));
    }

    [Fact]
    public void A_single_look_that_is_off_changes_nothing() =>
        Assert.Equal((3.0, true), Of(After(2.9, Times(40, look => look == 8 ? 300_000 : 100_000))));

    [Fact]
    public void Few_round_trips_take_twice_the_least_time() =>
        Assert.Equal((6.0, true), Of(After(2.9, Times(40, _ => 1_000))));

    [Fact]
    public void A_steady_rate_is_not_warm_while_much_is_compiled()
    {
        Assert.Equal((6.0, true), Of(After(2.9, look => look < 18 ? 300 : 20, Times(40, _ => 30_000))));
        Assert.Equal((3.0, true), Of(After(2.9, look => look == 9 ? 300 : 20, Times(40, _ => 100_000))));
        Assert.Equal((9.9, false), Of(After(2.9, _ => 300, Times(40, _ => 100_000))));
    }

    [Fact]
    public void At_a_given_rate_what_comes_says_nothing_and_what_is_compiled_all()
    {
        double Rate(int look) => look % 2 == 0 ? 300 : 900;
        Warmth Paced(Func<int, long> compiled)
        {
            var warmth = new Warmth(0.5, isPaced: true);
            for (var look = 0; !warmth.IsOver; look++)
            {
                warmth.Add(Warmth.LookSeconds, (long)(Rate(look / 3) * Warmth.LookSeconds), compiled(look));
            }
            return warmth;
        }

        Assert.Equal((1.2, true), Of(Paced(_ => 0)));
        Assert.Equal((2.4, true), Of(Paced(look => look < 6 ? 300 : 20)));
        Assert.Equal((5.1, false), Of(Paced(_ => 300)));
        Assert.Equal((1.8, false), Of(After(0.5, Times(40, look => Rate(look / 3)))));
    }

    [Fact]
    public void Of_millions_of_slots_each_has_come_round_or_it_is_not_warm()
    {
        static Warmth After(long slots, long rate)
        {
            var warmth = new Warmth(2, slots: slots);
            while (!warmth.IsOver)
            {
                warmth.Add(1, rate, 0);
            }
            return warmth;
        }

        Assert.Equal((6.0, true), Of(After(50_000, 1_000_000)));
        Assert.Equal((9.0, true), Of(After(9_000_000, 1_000_000)));
        Assert.Equal((13.0, false), Of(After(3_000_000, 100_000)));
    }

    [Fact]
    public void No_warm_up_asked_for_is_over_at_once_and_not_warm() => Assert.Equal((0.0, false), Of(After(0, 1_000)));

    static (double, bool) Of(Warmth warmth) => (Math.Round(warmth.Seconds, 6), warmth.IsWarm);
}
