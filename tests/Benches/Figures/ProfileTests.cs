using Newtonsoft.Json.Linq;

/// <summary>The profiles: a library as it comes, and with the knobs that it has for the load.</summary>
[Collection(Measured.Name)]
public sealed class ProfileTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_library_as_it_comes_has_no_knob_turned(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        Assert.All(Measured.Sides, side => Assert.Empty((JObject)run.Ready(side)["tuning"]!));
    }

    // What decides it is the same in every bench, of which each tells whether it has knobs: see InfoTests.
    [Fact]
    public void One_that_has_nothing_to_tune_says_so()
    {
        const string bench = "bench-websocket";
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        Assert.Equal(
            $"{Bench.LibraryOf(bench)} has no tuned profile.", Bench.RefusalOf(bench, "--profile tuned"));
    }
}
