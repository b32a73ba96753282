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

    // One that is set in vain would be shown as in force, so that nothing runs without it; info tells of it all the
    // same.
    [Theory, MemberData(nameof(Measured.Tuned), MemberType = typeof(Measured))]
    public void A_knob_of_the_environment_is_demanded_by_hand(string bench)
    {
        var library = Bench.LibraryOf(bench);
        var info = Bench.Run(bench, "info", "--profile", "tuned").WithCode(0).Records[0];
        var knobs = ((JObject)info["tuning"]!).Properties().Where(knob => knob.Name.StartsWith("DOTNET_")).ToArray();
        Assert.Equal(bench is "bench-kestrel" or "bench-netcoreserver", knobs.Length > 0);
        foreach (var knob in knobs)
        {
            foreach (var side in Measured.Sides)
            {
                var said = Bench.Run(bench, side, "--profile", "tuned").WrongUsage();
                var needed = $"{knob.Name}={knob.Value} in the environment as it starts.";
                Assert.Equal($"{library} {side}: The profile tuned of {library} needs {needed}", said);
            }
        }
    }

    // What decides it is the same in every bench, of which each tells whether it has knobs: see InfoTests.
    [Fact]
    public void One_that_has_nothing_to_tune_says_so()
    {
        const string bench = "bench-websocket";
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var error = Bench.Run(bench, "server", "--profile", "tuned").Failure(3);
        Assert.Equal("unsupported", (string?)error["kind"]);
        Assert.Equal($"{Bench.LibraryOf(bench)} has no tuned profile.", (string?)error["reason"]);
    }
}
