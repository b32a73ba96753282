/// <summary>The work say-hello, without encryption: of each bench's first variant.</summary>
public sealed class SayHelloTests
{
    public static IEnumerable<TheoryDataRow<string>> Benches =>
        Repo.CallBenches.Where(Bench.IsBuilt).Select(bench => new TheoryDataRow<string>(bench));

    [Theory, MemberData(nameof(Benches))]
    public void Every_call_is_answered_and_counted(string bench)
    {
        using var pair = new Pair(bench, "--work", "say-hello", "--clients", "2", "--parallel", "4");
        CallsTests.AssertAnswers(pair);
        var (client, server) = pair.Close();
        Assert.Empty(client.WithCode(0).Error.Concat(server.WithCode(0).Error));
    }
}
