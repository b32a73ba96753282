/// <summary>`runner plan --more`: the steps of a search for the most players that keep to an SLO.</summary>
public sealed class PlayersTests : InSuiteFolder
{
    const string Cell = "made-unreliable-60x1-game-32-at-1800";

    public PlayersTests()
    {
        suite.AddBench(SuiteFolder.Unbuilt);
        File.WriteAllLines(suite.Raw, [SuiteFolder.BegunHere()]);
    }

    [Fact]
    public void It_doubles_until_a_step_fails_and_then_halves_the_step_to_10_percent()
    {
        // As a library would that serves 700 players.
        var steps = new List<int>();
        string[] lines;
        while ((lines = More()).Length > 1)
        {
            Assert.Equal("1 search for players to go on with", lines[0]);
            var ids = lines[1..].Select(SuiteFolder.LaunchOf).ToArray();
            var players = int.Parse(ids[0].Split("-players")[1]);
            Assert.Equal([$"s1-{Cell}-players{players}", $"s2-{Cell}-players{players}"], ids);
            // Each player sends as often, by itself and without rounds.
            var words = $" --clients {players} --parallel 1 --payload-bytes 32 --rate {30 * players} ";
            Assert.All(lines[1..], line => Assert.Contains(words, line));
            Assert.All(lines[1..], line => Assert.DoesNotContain("--rounds", line));
            steps.Add(players);
            Array.ForEach(ids, id => Add(id, players, delayMs: players <= 700 ? 20 : 80));
        }
        Assert.Equal([60, 120, 240, 480, 960, 720, 600, 660], steps);
        const string Found = @"^made unreliable 60 x 1 game at 1800: 660 players keep p99=50ms,"
            + @"late-ticks=1%,loss=1% \(60 ok; 120 ok; 240 ok; 480 ok; 960 p99 80.\d ms; 720 p99 80.\d ms; "
            + @"600 ok; 660 ok\)$";
        Assert.Matches(Found, Assert.Single(lines));
        // What was told once need not be told when the sweep goes on.
        Add($"r1-{Cell}", 60, 20);
        Assert.Empty(Plan("--resume"));
    }

    [Fact]
    public void Two_launches_that_agree_decide_a_step()
    {
        Add($"s1-{Cell}-players60", 60, 20);
        Assert.Equal($"s2-{Cell}-players60", SuiteFolder.LaunchOf(More()[1]));
        Add($"s2-{Cell}-players60", 60, 80);
        Assert.Equal($"s3-{Cell}-players60", SuiteFolder.LaunchOf(Assert.Single(More()[1..])));
        Add($"s3-{Cell}-players60", 60, 20);
        Assert.EndsWith("-players120", SuiteFolder.LaunchOf(More()[1]));
    }

    [Fact]
    public void Late_ticks_and_losses_miss_it_too()
    {
        Add($"s1-{Cell}-players60", 60, 20, ("server.window.ticks", 99), ("server.window.ticks_missed", 2));
        Add($"s2-{Cell}-players60", 60, 20, ("server.window.ticks", 99), ("server.window.ticks_late", 2));
        Assert.EndsWith("-players30", SuiteFolder.LaunchOf(More()[1]));
        foreach (var number in new[] { 1, 2 })
        {
            Add($"s{number}-{Cell}-players30", 30, 20,
                ("client.window.outcomes.deliveries_due", 1_000), ("client.window.outcomes.deliveries", 989));
        }
        Assert.EndsWith("-players15", SuiteFolder.LaunchOf(More()[1]));
    }

    [Fact]
    public void What_the_library_cannot_do_ends_it_at_once_and_a_failure_when_it_is_confirmed()
    {
        Fail($"s1-{Cell}-players60", "unsupported", 3, "It takes 59 clients at most.");
        Assert.EndsWith("-players30", SuiteFolder.LaunchOf(More()[1]));
        Fail($"s1-{Cell}-players30", "failed", 1, "The limit is 20 files.");
        Assert.Equal($"s2-{Cell}-players30", SuiteFolder.LaunchOf(Assert.Single(More()[1..])));
        Fail($"s2-{Cell}-players30", "failed", 1, "The limit is 20 files.");
        Assert.EndsWith("-players15", SuiteFolder.LaunchOf(More()[1]));
        foreach (var players in new[] { 15, 7, 3, 1 })
        {
            foreach (var number in new[] { 1, 2 })
                Add($"s{number}-{Cell}-players{players}", players, 80);
        }
        var told = Assert.Single(More());
        Assert.Contains(": no number of players keeps p99=50ms", told);
        Assert.Contains("(60 It takes 59 clients at most; 30 The limit is 20 files; 15 p99 80", told);
    }

    [Fact]
    public void It_ends_when_its_ten_minutes_are_over()
    {
        Add($"s1-{Cell}-players60", 60, 20, ("launch.wall_s", 300.0));
        Add($"s2-{Cell}-players60", 60, 20, ("launch.wall_s", 299.0));
        Assert.EndsWith("-players120", SuiteFolder.LaunchOf(More()[1]));
        Add($"s1-{Cell}-players120", 120, 20, ("launch.wall_s", 1.0));
        Assert.Matches(@": at least 60 players keep .* \(60 ok; its 10 minutes were over\)$", Assert.Single(More()));
    }

    [Fact]
    public void Rooms_stay_whole()
    {
        const string Broadcast = "made-unreliable-60x1-broadcast-32-room25-at-600";
        var next = suite.RunWith(InRoomsOf("25"), "plan", "--more", suite.Folder).WithCode(0).Out;
        Assert.Equal($"s1-{Broadcast}-players50", SuiteFolder.LaunchOf(next[1]));
        Assert.Contains(" --rate 500 --room 25 ", next[1]);
    }

    [Fact]
    public void Each_client_machine_keeps_a_room()
    {
        const string Broadcast = "made-unreliable-60x1-broadcast-32-room20-at-600";
        string[] settings = [.. InRoomsOf("20"), "client_hosts=10.0.0.1,10.0.0.2,10.0.0.3", "address=10.0.0.4"];
        foreach (var number in new[] { 1, 2 })
        {
            Fail($"s{number}-{Broadcast}-players60", "failed", 1, "The limit is 20 files.");
        }
        var told = Assert.Single(suite.RunWith(settings, "plan", "--more", suite.Folder).WithCode(0).Out);
        Assert.Contains(": no number of players keeps p99=50ms (60 The limit is 20 files)", told);
    }

    static string[] InRoomsOf(string clients) => SuiteFolder.With(
        ("libraries", SuiteFolder.Unbuilt),
        ("work", "broadcast"),
        ("delivery", "unreliable"),
        ("clients", "60"),
        ("rate", "10/client"),
        ("room", clients),
        ("players_until", "p99=50ms"));

    static string[] Settings(string work) => SuiteFolder.With(
        ("libraries", SuiteFolder.Unbuilt),
        ("work", work),
        ("delivery", "unreliable"),
        ("clients", "60"),
        ("players_until", "p99=50ms,late-ticks=1%,loss=1%"));

    string[] More() => Plan("--more");

    string[] Plan(string how) => suite.RunWith(Settings("game"), "plan", how, suite.Folder).WithCode(0).Out;

    void Add(string runId, int players, int delayMs, params (string Path, object? Value)[] fields)
    {
        var run = MadeUp.With(
            MadeUp.Run(runId),
            [
                ("library", SuiteFolder.Unbuilt),
                ("settings.work", "game"),
                ("settings.clients", players),
                ("launch.wall_s", 8.0),
                .. MadeUp.Answered(10_000, 1_000_000L * delayMs),
                .. fields,
            ]);
        File.AppendAllLines(suite.Raw, SuiteFolder.Lines(run));
    }

    void Fail(string runId, string kind, int code, string reason) =>
        File.AppendAllLines(suite.Raw, [SuiteFolder.Error(runId, kind, code, reason)]);
}
