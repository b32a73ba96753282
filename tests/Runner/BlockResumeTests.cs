/// <summary>Launches of blocks in a sweep that goes on: the libraries that had their slices in the same rounds stay or
/// go together.</summary>
public sealed class BlockResumeTests : InSuiteFolder
{
    const string Block = "unreliable-1x1-32";
    const string One = "made-unreliable-1x1-32";
    const string Two = "more-unreliable-1x1-32";

    static readonly long[] steady = [1_000, 1_000, 1_000];
    static readonly string[] libraries = [SuiteFolder.Unbuilt, "more"];

    readonly string[] settings;

    public BlockResumeTests()
    {
        foreach (var library in libraries)
            suite.AddBench(library);
        settings = SuiteFolder.With(
            ("libraries", string.Join(',', libraries)),
            ("delivery", "unreliable"),
            ("clients", "1"),
            ("rounds", "3"),
            ("repeats", "3"));
    }

    public static TheoryData<string, string[], bool> Launches()
    {
        var one = SuiteFolder.Interleaved(2, Block, 9, (One, steady));
        var two = SuiteFolder.Interleaved(2, Block, 9, (Two, steady));
        var unsupported = SuiteFolder.Error($"r2-{Two}", "unsupported", 3);
        var failed = SuiteFolder.Error($"r2-{Two}", "failed", 1);
        var interrupted = SuiteFolder.Error($"r2-{Two}", "failed", 130);
        var ofFourRounds = two[^1].Replace("\"rounds\":3", "\"rounds\":4");
        var early = SuiteFolder.Lines(MadeUp.With(
            [.. two.Select(Record.Parse)],
            ("client.window.elapsed_ns", MadeUp.Ns(0.5))));
        static string[] Separately(string? because) => SuiteFolder.Lines(MadeUp.With(
            MadeUp.Run($"r2-{Two}"),
            ("library", "more"),
            ("launch.settings.rounds", 3),
            ("launch.separately_because", because)));
        return new()
        {
            { "whole", [.. one, .. two], true },
            { "one cannot do it", [.. one, unsupported], true },
            { "measured separately with a reason", [.. one, .. Separately("It does not fit.")], true },
            { "measured separately without one", [.. one, .. Separately(null)], false },
            { "one is missing", one, false },
            { "one has no launch", [.. one, .. two[..^1]], false },
            { "one failed", [.. one, .. two[..^1], failed], false },
            { "one was interrupted", [.. one, interrupted], false },
            { "a round is missing", [.. one, .. two[..^1], ofFourRounds], false },
            { "a window ended early", [.. one, .. early], false },
        };
    }

    [Theory, MemberData(nameof(Launches))]
    public void A_launch_of_which_a_library_is_not_whole_is_measured_again_as_a_whole(
        string _, string[] second, bool isWhole)
    {
        var first = SuiteFolder.Interleaved(1, Block, 9, (One, steady), (Two, steady));
        string[] head = [SuiteFolder.BegunHere(), .. first];
        string[] built = [.. libraries.Select(library => SuiteFolder.Info(library))];
        string[] lacking = isWhole ? ["r3"] : ["r2", "r3"];
        File.WriteAllLines(suite.Raw, [.. head, .. second]);
        // The same before and after the file is tidied.
        for (var time = 0; time < 2; time++)
        {
            Assert.Equal(lacking, Plan("--resume", suite.Folder).Select(SuiteFolder.LaunchOf));
            suite.BeginWith(settings, suite.Folder, built, "--resume").WithCode(0);
        }
        // Of a launch that is not whole a failure stays, as one that was retried.
        var hasFailed = second.Any(line => line.Contains("\"kind\":\"failed\"") && line.Contains("\"exit_code\":1,"));
        string[] retried = hasFailed ? [SuiteFolder.Error($"r2-{Two}", "retried", 1)] : [];
        string[] stays = isWhole ? second : retried;
        var now = File.ReadAllLines(suite.Raw).Where(line => !line.Contains("\"record\":\"info\"")).ToArray();
        Assert.Equal([.. head, .. stays], now);
        string[] superseded = File.Exists(suite.Superseded) ? File.ReadAllLines(suite.Superseded) : [];
        Assert.Equal(isWhole ? [] : second, superseded);
    }

    [Fact]
    public void A_library_that_is_not_to_be_had_any_more_is_no_obstacle_and_one_that_is_new_is()
    {
        var one = SuiteFolder.Interleaved(1, Block, 9, (One, steady));
        File.WriteAllLines(suite.Raw, [SuiteFolder.BegunHere(), .. one]);
        Assert.Equal(3, Plan("--resume", suite.Folder).Length);
        File.WriteAllLines(suite.PathOf("built"), [SuiteFolder.Info(SuiteFolder.Unbuilt)]);
        Assert.Equal(2, Plan("--resume", suite.Folder, "--built", "built").Length);
    }

    string[] Plan(params string[] more) => suite.RunWith(settings, ["plan", .. more]).WithCode(0).Out;
}
