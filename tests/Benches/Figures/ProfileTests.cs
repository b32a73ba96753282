using Newtonsoft.Json.Linq;

/// <summary>The profiles: a library as it comes, and with the knobs that it has for the load.</summary>
[Collection(Measuring.Name)]
public sealed class ProfileTests
{
    static readonly string[] floors = ["bench-tcp", "bench-udp"];

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_library_as_it_comes_has_no_knob_turned(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        Assert.All([run.Client, run.Server], side => Assert.Empty((JObject)side["tuning"]!));
    }

    public static IEnumerable<TheoryDataRow<string>> Tuned => Bench.All.Where(row => !floors.Contains(row.Data));

    public static TheoryData<string> Floors => [.. floors];

    [Theory, MemberData(nameof(Tuned))]
    public void A_tuned_library_names_each_knob_on_both_sides(string bench)
    {
        var run = Bench.Run(bench, ["run", "--profile", "tuned", .. Bench.Short]).WithCode(0);
        var client = Record.Single(run.Records, "client");
        var server = Record.Single(run.Records, "server");
        Record.AssertAddsUp(client);
        Assert.NotEmpty((JObject)client["tuning"]!);
        Assert.True(JToken.DeepEquals(client["tuning"], server["tuning"]));
        Assert.All([client, server], side => Assert.Equal("tuned", (string?)side["settings"]!["profile"]));
        Assert.Empty(run.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }

    [Theory, MemberData(nameof(Floors))]
    public void A_floor_has_nothing_to_tune(string bench)
    {
        var error = Bench.Run(bench, ["run", "--profile", "tuned", .. Bench.Short]).Failure(3);
        Assert.Equal("unsupported", (string?)error["kind"]);
        Assert.Equal($"{bench["bench-".Length..]} has no tuned profile.", (string?)error["reason"]);
    }
}
