/// <summary>Launches of blocks in a sweep that goes on: the libraries that had their slices in the same rounds stay or go
/// together.</summary>
public sealed class BlockResumeTests : IDisposable
{
    const string Block = "unreliable-1x1-32", One = "made-unreliable-1x1-32", Two = "more-unreliable-1x1-32";
    static readonly long[] steady = [1_000, 1_000, 1_000];
    static readonly string[] libraries = [SuiteFolder.Unbuilt, "more"];

    readonly SuiteFolder suite = new();
    readonly string[] settings;

    public BlockResumeTests()
    {
        foreach (var library in libraries) suite.AddBench(library);
        settings = SuiteFolder.With(("libraries", string.Join(',', libraries)), ("delivery", "unreliable"), ("clients", "1"),
            ("rounds", "3"), ("repeats", "3"));
    }

    public void Dispose() => suite.Dispose();

    public static TheoryData<string, string[], bool> Launches()
    {
        string[] of(string cell) => SuiteFolder.InTurn(2, Block, 9, (cell, steady));
        string[] apart(string cell, string? because) => SuiteFolder.Lines(MadeUp.With(MadeUp.Run($"r2-{cell}"), ("library", "more"),
            ("launch.settings.rounds", 3), ("launch.apart_because", because)));
        var failed = SuiteFolder.Error($"r2-{Two}", "failed", 1);
        return new()
        {
            { "whole", [.. of(One), .. of(Two)], true },
            { "one cannot do it", [.. of(One), SuiteFolder.Error($"r2-{Two}", "unsupported", 3)], true },
            { "measured apart with a reason", [.. of(One), .. apart(Two, "It does not fit.")], true },
            { "measured apart without one", [.. of(One), .. apart(Two, null)], false },
            { "one is missing", of(One), false },
            { "one has no launch", [.. of(One), .. of(Two)[..^1]], false },
            { "one failed", [.. of(One), .. of(Two)[..^1], failed], false },
            { "one was interrupted", [.. of(One), SuiteFolder.Error($"r2-{Two}", "failed", 130)], false },
            { "a round is missing", [.. of(One), .. of(Two)[..^1], of(Two)[^1].Replace("\"rounds\":3", "\"rounds\":4")], false },
            { "a window ended early", [.. of(One), .. SuiteFolder.Lines(MadeUp.With([.. of(Two).Select(Record.Parse)],
                ("client.window.elapsed_ns", MadeUp.Ns(0.5))))], false },
        };
    }

    [Theory, MemberData(nameof(Launches))]
    public void A_launch_of_which_a_library_is_not_whole_is_measured_again_as_a_whole(string _, string[] second, bool isWhole)
    {
        string[] head = [SuiteFolder.BegunHere(), .. SuiteFolder.InTurn(1, Block, 9, (One, steady), (Two, steady))];
        string[] retried = second.Any(line => line.Contains("\"kind\":\"failed\"") && line.Contains("\"exit_code\":1,"))
            ? [SuiteFolder.Error($"r2-{Two}", "retried", 1)] : [];
        File.WriteAllLines(suite.Raw, [.. head, .. second]);
        for (var time = 0; time < 2; time++) // the same before and after the file is tidied
        {
            Assert.Equal(isWhole ? ["r3"] : ["r2", "r3"], Plan("--resume", suite.Folder).Select(SuiteFolder.LaunchOf));
            suite.BeginWith(settings, suite.Folder, [.. libraries.Select(library => SuiteFolder.Info(library))], "--resume").WithCode(0);
        }
        var now = File.ReadAllLines(suite.Raw).Where(line => !line.Contains("\"record\":\"info\"")).ToArray();
        Assert.Equal(isWhole ? [.. head, .. second] : [.. head, .. retried], now);
        Assert.Equal(isWhole ? [] : second, File.Exists(suite.Superseded) ? File.ReadAllLines(suite.Superseded) : []);
    }

    [Fact]
    public void A_library_that_is_not_to_be_had_any_more_is_no_obstacle_and_one_that_is_new_is()
    {
        File.WriteAllLines(suite.Raw, [SuiteFolder.BegunHere(), .. SuiteFolder.InTurn(1, Block, 9, (One, steady))]);
        Assert.Equal(3, Plan("--resume", suite.Folder).Length);
        File.WriteAllLines(suite.PathOf("built"), [SuiteFolder.Info(SuiteFolder.Unbuilt)]);
        Assert.Equal(2, Plan("--resume", suite.Folder, "--built", "built").Length);
    }

    string[] Plan(params string[] more) => suite.RunWith(settings, ["plan", .. more]).WithCode(0).Out;
}
