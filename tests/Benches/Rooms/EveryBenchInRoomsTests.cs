using Newtonsoft.Json.Linq;

/// <summary>Every bench that has rooms: what its own server sends to many comes to all, also while some leave and
/// join, and others read nothing.</summary>
public sealed class EveryBenchInRoomsTests
{
    static readonly string[] load = ["--clients", "8", "--warmup-seconds", "0"];

    static readonly string[] trouble = ["--stalled-clients", "1", "--churn", "3"];

    // One after another, as what leaves and joins takes longer than a slice.
    static readonly Lazy<LedBlock> chats = new(() => new(
        Members(Chats),
        members => LedBlock.Lead(
            members, ["--work", "broadcast", "--rate", "80", "--seconds", "0.6", .. trouble, .. load])));

    // Slices of ten ticks.
    static readonly string[] turns = ["--rounds", "2", "--slice-ms", "80", "--settle-ms", "20", "--seconds", "0.3"];

    static readonly string[] ofGames = ["--tick-hz", "128", "--snapshot-bytes", "200", "--room", "4"];

    static readonly Lazy<LedBlock> games = new(() => new(
        Members(Games),
        members => LedBlock.Lead(
            members,
            ["--work", "game", "--rate", "400", .. ofGames, .. turns, .. load])));

    /// <summary>Those that have games, in their first mode.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Games =>
        Bench.WithDeliveries.GroupBy(row => row.Data.Item1).Select(bench => bench.First());

    /// <summary>Those that have broadcasts: of echoes, whose unordered mode goes the way of the ordered one, and some
    /// of calls.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Chats =>
    [
        .. Bench.WithDeliveries.Where(row => row.Data.Item2 != "reliable-unordered"),
        .. Repo.CallBenches.Where(bench => File.Exists(Repo.PathOf(bench, "Chat.cs"))).Select(RowOf),
    ];

    [Theory, MemberData(nameof(Chats))]
    public void Who_leaves_joins_again_and_the_others_lack_nothing(string bench, string delivery)
    {
        JObject[] records = chats.Value.Launched(new(bench, delivery));
        Record.AssertAllDelivered(Record.Slice(records, "client", "window"));
        JToken trouble = Record.Single(records, "launch")["trouble"]!;
        int leaves = (int)trouble["leaves"]!;
        Assert.True(leaves > 0);
        Assert.Equal(leaves, trouble["join_ns"]!.Count());
        // Those that read nothing meanwhile kept their connections.
        Assert.Null((string?)trouble["stalled_ended"]);
    }

    [Theory, MemberData(nameof(Games))]
    public void Each_player_has_a_snapshot_of_each_tick(string bench, string delivery)
    {
        JObject[] records = games.Value.Launched(new(bench, delivery));
        Record.AssertAllDelivered(Record.Slice(records, "client", "window"));
        Assert.True((int)Record.Slice(records, "server", "window")["ticks"]! > 0);
        // From the messages on by which they join.
        long sent = SumOf(records, "client", "sent");
        Assert.InRange(SumOf(records, "server", "received"), sent - SumOf(records, "client", "lost"), sent);
    }

    static long SumOf(JObject[] records, string side, string field) => Record.Sum(
        records.Where(record => (string?)record["record"] == "slice" && (string?)record["side"] == side), field);

    static TheoryDataRow<string, string> RowOf(string bench) => new(bench, "reliable-unordered")
    {
        Skip = Bench.IsBuilt(bench) ? null : $"{bench} is not built: unavailable.",
    };

    static IEnumerable<LedBlock.Member> Members(IEnumerable<TheoryDataRow<string, string>> rows) =>
        rows.Where(row => row.Skip == null).Select(row => new LedBlock.Member(row.Data.Item1, row.Data.Item2));
}
