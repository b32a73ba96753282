using System.Diagnostics;

/// <summary>What `runner begin --resume` makes of the records of a sweep that goes on: only whole runs stay, no line is
/// lost.</summary>
public sealed class TidyTests : InSuiteFolder
{
    const string RunId = "r1-udp-unreliable-1x1-32";

    [Fact]
    public void A_file_of_whole_runs_stays_as_it_is()
    {
        File.WriteAllLines(suite.Raw,
        [
            SuiteFolder.BegunHere(),
            SuiteFolder.Info("udp"),
            .. SuiteFolder.Whole("r1"),
            SuiteFolder.Error("r2", "unsupported", 3),
            SuiteFolder.Error("sweep", "unsupported", 3, side: "info"),
            SuiteFolder.Error("r3", "retried", 1),
            .. SuiteFolder.Whole("r3"),
            .. SuiteFolder.Whole("r4", machines: 3),
        ]);
        var before = File.ReadAllBytes(suite.Raw);
        Tidy();
        Assert.Equal(before, File.ReadAllBytes(suite.Raw));
        Assert.False(File.Exists(suite.Superseded));
    }

    public static TheoryData<string, string[], string[]> Broken()
    {
        var run = SuiteFolder.Whole(RunId);
        var shares = SuiteFolder.Whole(RunId, machines: 3);
        var early = SuiteFolder.Lines(MadeUp.With(MadeUp.Run(RunId), ("client.window.elapsed_ns", MadeUp.Ns(1.9))));
        var window = run.Single(IsWindow);
        var unwindowed = run.Where(line => !IsWindow(line)).ToArray();
        var unreadable = window.Replace("\"elapsed_ns\"", "\"elapsed\"");
        var ofOthers = shares.Where(line => !IsWindow(line) || !line.Contains("\"client_machine\":1"));
        var failed = SuiteFolder.Error(RunId, "failed", 1);
        var failedElsewise = SuiteFolder.Error(RunId, "failed", 1, "Another reason.");
        var interrupted = SuiteFolder.Error(RunId, "failed", 130);
        var retried = SuiteFolder.Error(RunId, "retried", 1);
        return new()
        {
            { "no launch", run[..^1], [] },
            { "no window", unwindowed, [] },
            { "stopped early", early, [] },
            { "two launches", [.. run, run[^1]], [] },
            { "two windows", [window, .. run], [] },
            { "a share is missing", [.. ofOthers], [] },
            { "a share twice", [.. shares, shares.First(IsWindow)], [] },
            { "a window that is no record", [.. unwindowed[..^1], unreadable, run[^1]], [] },
            { "interrupted", [run[0], interrupted], [] },
            { "interrupted, both sides", [run[0], failed, interrupted], [] },
            { "failed", [.. run, failed], [retried] },
            { "failed on both sides", [failed, failedElsewise, run[0]], [retried] },
            { "failed early", [.. early, failed], [retried] },
            { "build", [SuiteFolder.Error(RunId, "unavailable", 1, side: "build")], [] },
            { "failed build", [SuiteFolder.Error(RunId, "failed", 1, side: "build")], [] },
            { "a bench that did not answer", [SuiteFolder.Error(RunId, "failed", 1, side: "info")], [] },
            { "garbage", ["garbage", "", "7", "{\"v\":1}", "[1]"], [] },
            { "a slice alone", [window], [] },
        };
    }

    [Theory, MemberData(nameof(Broken))]
    public void Records_of_a_run_that_is_not_whole_are_set_aside(string _, string[] lines, string[] stay)
    {
        string[] head = [SuiteFolder.BegunHere(), .. SuiteFolder.Whole("r1-whole")];
        string[] tail = [SuiteFolder.Error("r9", "retried", 1), .. SuiteFolder.Whole("r9-whole")];
        File.WriteAllLines(suite.Raw, [.. head, .. lines, .. tail]);
        for (var time = 0; time < 2; time++) // the second time finds nothing to do
        {
            Tidy();
            Assert.Equal([.. head, .. stay, .. tail], File.ReadAllLines(suite.Raw));
            Assert.Equal(lines, File.ReadAllLines(suite.Superseded));
        }
        Assert.DoesNotContain('\r', File.ReadAllText(suite.Raw) + File.ReadAllText(suite.Superseded));
    }

    [Fact]
    public void A_run_that_fails_again_leaves_a_line_for_each_failure_and_a_sound_one_ends_it()
    {
        File.WriteAllLines(suite.Raw, [SuiteFolder.BegunHere()]);
        for (var attempt = 1; attempt <= 2; attempt++)
        {
            File.AppendAllLines(suite.Raw, [SuiteFolder.Error(RunId, "failed", 1, $"Reason {attempt}.")]);
            Tidy();
        }
        File.AppendAllLines(suite.Raw, SuiteFolder.Whole(RunId));
        Tidy();
        string[] expected =
        [
            SuiteFolder.BegunHere(),
            SuiteFolder.Error(RunId, "retried", 1, "Reason 1."),
            SuiteFolder.Error(RunId, "retried", 1, "Reason 2."),
            .. SuiteFolder.Whole(RunId),
        ];
        Assert.Equal(expected, File.ReadAllLines(suite.Raw));
        Assert.Equal(2, File.ReadAllLines(suite.Superseded).Length);
    }

    [Fact]
    public void A_sweep_that_was_killed_leaves_a_torn_line_that_is_set_aside()
    {
        string[] whole = [SuiteFolder.BegunHere(), .. SuiteFolder.Whole("r1")];
        var cut = SuiteFolder.Whole(RunId);
        File.WriteAllLines(suite.Raw, [.. whole, .. cut[..2]]);
        File.AppendAllText(suite.Raw, cut[2][..^9]);
        File.WriteAllText(suite.Superseded, "torn");
        Tidy();
        Assert.Equal(whole, File.ReadAllLines(suite.Raw));
        Assert.Equal(["torn", .. cut[..2], cut[2][..^9]], File.ReadAllLines(suite.Superseded));
    }

    [Fact]
    public void A_record_that_lacks_but_its_line_end_stays()
    {
        string[] whole = [SuiteFolder.BegunHere(), .. SuiteFolder.Whole("r1")];
        File.WriteAllText(suite.Raw, string.Join('\n', whole));
        Tidy();
        Assert.Equal(string.Join('\n', whole) + "\n", File.ReadAllText(suite.Raw));
    }

    [Fact]
    public void Killed_at_work_it_leaves_the_old_file_or_the_new_one()
    {
        // Lines so long that writing them takes a while.
        var big = SuiteFolder.Lines(MadeUp.With(MadeUp.Run("r1"), ("client.ready.note", new string('n', 50_000))));
        var runs = Enumerable.Range(0, 200).Select(n => big.Select(line => line.Replace("\"r1\"", $"\"r{n}\"")));
        string[] whole = [SuiteFolder.BegunHere(), .. runs.SelectMany(lines => lines)];
        string[] aside = SuiteFolder.Whole("x")[..2];
        var before = string.Join('\n', whole.Concat(aside)) + "\n";
        var after = string.Join('\n', whole) + "\n";
        long[] lengths = [before.Length, after.Length]; // all ASCII
        var hits = 0;
        File.WriteAllText(suite.PathOf("built"), "");
        string[] words = [Tool.LeadPath, "begin", ".", "--built", "built", "--resume"];
        // The first is watched to its end.
        foreach (var killAfterMs in new[] { int.MaxValue, 0, 5, 20 })
        {
            File.WriteAllText(suite.Raw, before);
            File.Delete(suite.Raw + ".tmp");
            using var tidy = Command.StartIn(suite.Folder, [], "dotnet", words);
            tidy.Write(string.Join('\n', SuiteFolder.Quick));
            while (!File.Exists(suite.Raw + ".tmp") && !tidy.HasExited)
                Thread.Yield();
            var clock = Stopwatch.StartNew();
            while (clock.ElapsedMilliseconds < killAfterMs && !tidy.HasExited)
                Assert.Contains(new FileInfo(suite.Raw).Length, lengths);
            if (!tidy.HasExited)
                tidy.Kill();
            Command.Until(() => tidy.HasExited);
            var left = File.ReadAllText(suite.Raw);
            Assert.True(left == before || left == after, $"{left.Length} characters: neither old nor new");
            if (killAfterMs == int.MaxValue)
                Assert.Equal(after, left);
            if (File.Exists(suite.Raw + ".tmp"))
                hits++;
        }
        Assert.True(hits > 0, "It was never killed while it wrote.");
        Tidy();
        Assert.Equal(after, File.ReadAllText(suite.Raw));
        Assert.False(File.Exists(suite.Raw + ".tmp"));
        Assert.Empty(aside.Except(File.ReadAllLines(suite.Superseded)));
    }

    [Fact]
    public void Results_that_are_not_there_cannot_go_on()
    {
        suite.Begin(suite.Folder, [], "--resume").WrongUsage();
        suite.Begin(suite.PathOf("nosuch"), [], "--resume").WrongUsage();
        Assert.False(Directory.Exists(suite.PathOf("nosuch")));
    }

    void Tidy()
    {
        var ended = suite.Begin(suite.Folder, [], "--resume").WithCode(0);
        Assert.Empty(ended.Out);
        Assert.Empty(ended.Error);
    }

    static bool IsWindow(string line) =>
        line.Contains("\"side\":\"client\"") && line.Contains("\"phase\":\"window\"");
}
