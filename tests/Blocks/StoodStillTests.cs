using Newtonsoft.Json.Linq;

/// <summary>Standing still while others are measured costs a library no message, on a busy machine too.</summary>
public sealed class StoodStillTests
{
    // Each library in one of its modes; of all modes ConformanceTests holds it with few clients.
    [Fact]
    public void Nothing_is_lost_repeated_or_timed_out_by_standing_still()
    {
        LedBlock.Member[] members =
        [
            .. from row in Bench.All
            where row.Skip == null
            select new LedBlock.Member(row.Data, Bench.DeliveriesOf(row.Data)[0]),
        ];
        string[] load = ["--clients", "50", "--rate", "2000", "--warmup-seconds", "0.1", "--seconds", "0.1"];
        var block = new LedBlock(members, load);
        block.AssertAllLaunched();
        Assert.All(members, member => AssertNothingAmiss(block.Launched(member)));
    }

    static void AssertNothingAmiss(JObject[] own)
    {
        var launch = Record.Single(own, "launch");
        var slices = Record.Slices(own, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(slices, "corrupt", "unanswered", "duplicates", "foreign"));
        var sent = Record.Sum(slices, "sent");
        var lost = Record.Sum(slices, "lost");
        if ((string?)launch["settings"]!["delivery"] != "unreliable")
        {
            Assert.Equal(0, lost);
        }
        Assert.InRange(Record.Sum(Record.Slices(own, "server"), "received"), sent - lost, sent);
        var lostInRounds = launch["rounds"]!["lost"]!.Sum(value => (long)value!);
        Assert.Equal(lostInRounds, Record.Sum(Record.Slice(own, "client", "rounds"), "lost"));
    }
}
