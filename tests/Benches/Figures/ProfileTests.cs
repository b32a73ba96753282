using Newtonsoft.Json.Linq;

/// <summary>The profiles: a library as it comes, and with the knobs that it has for the load.</summary>
[Collection(Measuring.Name)]
public sealed class ProfileTests
{
    public static IEnumerable<TheoryDataRow<string>> Tuned =>
        Bench.All.Where(row => row.Skip != null || HasKnobs(row.Data));

    public static IEnumerable<TheoryDataRow<string>> Untuned =>
        Bench.All.Where(row => row.Skip == null && !HasKnobs(row.Data));

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_library_as_it_comes_has_no_knob_turned(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        Assert.All(Measured.Sides, side => Assert.Empty((JObject)run.Ready(side)["tuning"]!));
    }

    [Theory, MemberData(nameof(Tuned))]
    public void A_tuned_library_names_each_knob_on_both_sides(string bench)
    {
        var records = Bench.Lead(bench, ["--profile", "tuned", .. Bench.Short]).WithCode(0).Records;
        Assert.All(Record.Slices(records, "client"), Record.AssertAddsUp);
        JObject[] ready = [.. Measured.Sides.Select(side => Record.Of(records, side, "ready"))];
        Assert.NotEmpty((JObject)ready[0]["tuning"]!);
        Assert.True(JToken.DeepEquals(ready[0]["tuning"], ready[1]["tuning"]));
        Assert.All(ready, side => Assert.Equal("tuned", (string?)side["flags"]!["profile"]));
        Assert.Equal("tuned", (string?)Record.Single(records, "launch")["settings"]!["profile"]);
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }

    // One that is set in vain would be shown as in force, so that nothing runs without it; info tells of it all the
    // same.
    [Theory, MemberData(nameof(Tuned))]
    public void A_knob_of_the_environment_is_demanded_by_hand(string bench)
    {
        var library = Bench.LibraryOf(bench);
        var info = Bench.Run(bench, "info", "--profile", "tuned").WithCode(0).Records[0];
        var knobs = ((JObject)info["tuning"]!).Properties().Where(knob => knob.Name.StartsWith("DOTNET_")).ToArray();
        Assert.Equal(bench == "bench-netcoreserver", knobs.Length > 0);
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

    [Theory, MemberData(nameof(Untuned))]
    public void One_that_has_nothing_to_tune_says_so(string bench)
    {
        var error = Bench.Lead(bench, ["--profile", "tuned", .. Bench.Short]).Failure(3);
        Assert.Equal("unsupported", (string?)error["kind"]);
        Assert.Equal($"{Bench.LibraryOf(bench)} has no tuned profile.", (string?)error["reason"]);
    }

    static bool HasKnobs(string bench)
    {
        var info = Bench.Run(bench, "info").WithCode(0).Records[0];
        return info["tuning"]!.Type == JTokenType.Object;
    }
}
