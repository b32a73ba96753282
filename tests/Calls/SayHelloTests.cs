/// <summary>The work say-hello, without encryption: of each bench's first variant, with much data.</summary>
public sealed class SayHelloTests
{
    public static IEnumerable<TheoryDataRow<string>> Benches =>
        Repo.CallBenches.Where(Bench.IsBuilt).Select(bench => new TheoryDataRow<string>(bench));

    [Theory, MemberData(nameof(Benches))]
    public void Every_call_is_answered_and_counted(string bench)
    {
        string[] load = ["--payload-bytes", "100000", "--clients", "2", "--parallel", "4"];
        using var pair = new Pair(bench, ["--work", "say-hello", .. load]);
        CallsTests.AssertAnswers(pair);
        var (client, server) = pair.Close();
        Assert.Empty(client.WithCode(0).Error.Concat(server.WithCode(0).Error));
    }
}
