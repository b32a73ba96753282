/// <summary>Sweeps of works in rooms: what is planned of them, what each load says, and what cannot be.</summary>
public sealed class RoomsTests : InSuiteFolder
{
    static readonly string[] made = ["--libraries", SuiteFolder.Unbuilt, "--delivery", "unreliable"];

    public RoomsTests() => suite.AddBench(SuiteFolder.Unbuilt);

    [Fact]
    public void A_game_has_thirty_inputs_per_player_and_thirty_ticks_where_nothing_is_said()
    {
        const string Usual = "unreliable 60 x 1 game of 48 bytes at 1800: made\tmade/unreliable "
            + "--run-id r1 --variant default --work game --clients 60 --parallel 1 --payload-bytes 48 --rate 1800 ";
        string[] game = [.. made, "--work", "game", "--clients", "60", "--payload-bytes", "48"];
        Assert.StartsWith(Usual, Assert.Single(Plan(game)));
        Assert.StartsWith(Usual, Assert.Single(Plan([.. game, "--parallel", "1,9", "--rate", "0,30/client"])));
        Assert.Contains(" --rate 600 --tick-hz 20 --snapshot-bytes 200 ", Assert.Single(Plan(
            [.. game, "--rate", "10/client", "--tick-hz", "20", "--snapshot-bytes", "200"])));
    }

    [Fact]
    public void Rooms_and_trouble_make_loads_of_their_own_and_other_works_have_none()
    {
        string[] rooms = ["--work", "broadcast,echo", "--clients", "20", "--room", "0,10", "--churn", "0,2/s"];
        var plan = Plan([.. made, .. rooms, "--stalled-clients", "0,1", "--rate", "200"]);
        Assert.Equal(2 * 2 * 2 + 1, plan.Length);
        var echo = Assert.Single(plan, run => !run.Contains("broadcast"));
        Assert.DoesNotContain("--room", echo);
        var all = Assert.Single(plan, run => run.Contains(" --room 10 --stalled-clients 1 --churn 2 "));
        Assert.StartsWith("unreliable 20 x 1 broadcast at 200, room 10, stalled_clients 1, churn 2: made\t", all);
        // A slice is shorter than what trouble does.
        Assert.DoesNotContain("--rounds", all);
        Assert.Contains("--rounds", Assert.Single(plan, run => run.StartsWith("unreliable 20 x 1 broadcast at 200: ")));
    }

    [Fact]
    public void Loads_are_no_product_and_a_flag_wins_over_them()
    {
        string[] lines =
        [
            "delivery=unreliable", "libraries=made", "clients=7", "parallel=1", "warmup_seconds=1", "seconds=1",
            "repeats=1",
            "# a comment between loads", "load=work=game clients=60 tick_hz=20",
            "load=work=broadcast clients=10,20 room=5 rate=2/client",
        ];
        File.WriteAllLines(suite.PathOf("own.preset"), lines);
        string[] own = ["--preset", "own.preset"];
        var titles = Plan(own).Select(run => run.Split(':')[0]).Order().ToArray();
        Assert.Equal(
        [
            "unreliable 10 x 1 broadcast at 20, room 5",
            "unreliable 20 x 1 broadcast at 40, room 5",
            "unreliable 60 x 1 game at 1800, tick_hz 20",
        ], titles);
        string[] changed = [.. own, "--clients", "30"];
        titles = [.. Plan(changed).Select(run => run.Split(':')[0]).Order()];
        Assert.Equal(
            ["unreliable 30 x 1 broadcast at 60, room 5", "unreliable 30 x 1 game at 900, tick_hz 20"], titles);
        var settings = suite.Run(["sweep", .. changed]).WithCode(0).Out;
        Assert.Contains("loads=work=game tick_hz=20; work=broadcast room=5 rate=2/client", settings);
        Assert.Contains("changed=clients", settings);
        // A sweep goes on by the same words.
        suite.BeginWith(settings, suite.Folder, []).WithCode(0);
        var resumed = suite.Run(["sweep", "--resume", suite.Folder, .. changed]).WithCode(0).Out;
        Assert.Equal(settings.Where(line => line != "changed=clients"), resumed);
    }

    [Theory]
    [InlineData("room 11 must not exceed clients 10", "--work", "game", "--clients", "10", "--room", "11")]
    [InlineData("stalled_clients 2 and churn 8 together must be fewer than clients 10", "--work", "game",
        "--clients", "10", "--stalled-clients", "2", "--churn", "8")]
    [InlineData("room is of work broadcast or game", "--room", "1")]
    [InlineData("snapshot_bytes is of work game", "--work", "broadcast", "--snapshot-bytes", "100")]
    [InlineData("a closed loop, which a game has not", "--work", "game", "--rate", "50%")]
    [InlineData("a closed loop, which a game has not", "--work", "game", "--ladder", "yes")]
    [InlineData("late-ticks is of work game", "--players-until", "late-ticks=1%")]
    [InlineData("a stream has no delays", "--work", "stream", "--players-until", "p99=1s")]
    public void What_cannot_be_is_refused_in_a_sentence(string told, params string[] flags) =>
        Assert.Contains(told, suite.Run(["sweep", .. made, .. flags]).WrongUsage());

    [Theory]
    [InlineData("--room 6 must not exceed clients 5.", "--work", "game", "--clients", "5", "--room", "6")]
    [InlineData("--room is of --work broadcast or game.", "--clients", "5", "--room", "5")]
    [InlineData("go without --rounds", "--work", "game", "--clients", "5", "--churn", "1", "--rounds", "2")]
    public void The_same_holds_for_one_launch(string told, params string[] flags) =>
        Assert.Contains(told, suite.Run(["run", "udp", .. flags]).WrongUsage());

    string[] Plan(string[] flags)
    {
        var settings = suite.Run(["sweep", .. flags]).WithCode(0).Out;
        return suite.RunWith(settings, "plan").WithCode(0).Out;
    }
}
