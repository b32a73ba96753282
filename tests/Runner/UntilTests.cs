/// <summary>`runner plan --more`: launches beyond those planned, until ratios are known as closely as `until` asks.
/// </summary>
public sealed class UntilTests : InSuiteFolder
{
    const string Wide = "unreliable-1x1-32";
    const string Close = "unreliable-2x1-32";

    static readonly long[] steady = [.. Enumerable.Repeat(1_000L, 8)];
    static readonly long[] scattered = [700, 800, 900, 950, 1_050, 1_100, 1_200, 1_300];

    public UntilTests() => suite.AddBench(SuiteFolder.Unbuilt);

    [Fact]
    public void A_block_whose_ratio_is_not_known_closely_enough_has_one_more_launch()
    {
        Add(1, Wide, 100, scattered);
        Add(1, Close, 100, steady);
        var (why, lines) = More("3%");
        Assert.Matches(@"^half-width [\d.]+ % of unreliable 1 x 1 is over 3 %: one more launch of 1 block$", why);
        const string Planned =
            @"^unreliable 1 x 1: udp, made\tudp/unreliable,made/unreliable --run-id r2 .* --order-seed 3$";
        Assert.Matches(Planned, Assert.Single(lines));
        Assert.Equal(lines, More("3%", "--resume").Lines); // planned is one launch
        Assert.Empty(More("50%").Lines);
        Assert.Empty(More("").Lines);
        // What is wider comes first.
        Add(2, Close, 100, [300, 400, 600, 800, 1_200, 1_500, 2_500, 4_000]);
        (why, lines) = More("3%");
        Assert.EndsWith("of unreliable 2 x 1 is over 3 %: one more launch of 2 blocks", why);
        Assert.Equal(["r3", "r2"], lines.Select(SuiteFolder.LaunchOf));
    }

    [Fact]
    public void It_ends_when_the_time_is_over()
    {
        Add(1, Wide, 100, scattered);
        Add(1, Close, 100, scattered);
        string[] Launches(string atMost) => [.. More("3%", atMost: atMost).Lines.Select(SuiteFolder.LaunchOf)];
        Assert.Equal(2, Launches("301s").Length); // each launch of a block took its 100 s once, and will again
        Assert.Single(Launches("300s"));
        Assert.Single(Launches("3.4min"));
        Assert.Empty(Launches("200s"));
        Assert.Equal(2, Launches("1h").Length);
    }

    [Fact]
    public void A_block_whose_last_launch_gave_no_ratio_is_not_tried_again_until_the_sweep_goes_on()
    {
        Add(1, Wide, 100, scattered);
        Add(1, Close, 100, scattered);
        File.AppendAllLines(suite.Raw, [SuiteFolder.Error($"r2-udp-{Wide}", "failed", 1)]);
        Assert.StartsWith("unreliable 2 x 1:", Assert.Single(More("3%").Lines));
        Assert.Equal(["r2", "r2"], More("3%", "--resume").Lines.Select(SuiteFolder.LaunchOf));
        string[] built = [SuiteFolder.Info("udp"), SuiteFolder.Info(SuiteFolder.Unbuilt)];
        suite.BeginWith(Settings("3%"), suite.Folder, built, "--resume").WithCode(0);
        Assert.Equal(["r2", "r2"], More("3%").Lines.Select(SuiteFolder.LaunchOf));
        // What fails besides leaves a ratio.
        Add(2, Wide, 100, scattered);
        File.AppendAllLines(suite.Raw, [SuiteFolder.Error($"r2-other-{Wide}", "failed", 1)]);
        Assert.Equal(["r2", "r3"], More("3%").Lines.Select(SuiteFolder.LaunchOf).Order());
    }

    [Fact]
    public void As_long_as_planned_launches_are_lacking_a_sweep_that_goes_on_has_those_alone()
    {
        Add(1, Wide, 100, scattered);
        var plan = suite.RunWith(Settings("3%"), "plan", "--resume", suite.Folder).WithCode(0).Out;
        Assert.Equal("r1", SuiteFolder.LaunchOf(Assert.Single(plan)));
        Add(1, Close, 100, steady);
        plan = suite.RunWith(Settings("3%"), "plan", "--resume", suite.Folder, "--dry-run", "x").WithCode(0).Out;
        Assert.Contains("launches: 1, ", string.Join('\n', plan));
        Assert.Contains(" --run-id r2 ", Assert.Single(plan, line => line.StartsWith("dotnet ")));
    }

    static string[] Settings(string until, string atMost = "20min") => SuiteFolder.With(
        ("libraries", $"{SuiteFolder.Unbuilt},udp"),
        ("delivery", "unreliable"),
        ("clients", "1,2"),
        ("until", until),
        ("at_most", until == "" ? "" : atMost));

    // The baseline completes as much in each round, the other so much.
    void Add(int launch, string block, double wallS, long[] completed)
    {
        if (!File.Exists(suite.Raw))
            File.WriteAllLines(suite.Raw, [SuiteFolder.BegunHere()]);
        var lines = SuiteFolder.Interleaved(
            launch, block, wallS, ($"udp-{block}", steady), ($"made-{block}", completed));
        File.AppendAllLines(suite.Raw, lines);
    }

    (string Why, string[] Lines) More(string until, string how = "--more", string atMost = "20min")
    {
        var said = suite.RunWith(Settings(until, atMost), "plan", how, suite.Folder).WithCode(0).Out;
        // A run has a tab between its title and its words; why there is one more has none.
        var why = said.FirstOrDefault(line => !line.Contains('\t')) ?? "";
        return (why, [.. said.Where(line => line.Contains('\t'))]);
    }
}
