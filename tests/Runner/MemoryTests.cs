/// <summary>A server that takes too much memory is ended, and told of as of any that failed.</summary>
public sealed class MemoryTests
{
    // More than any server of .NET has, and less.
    const int Plenty = 100_000;
    const int Little = 20;

    [Fact]
    public void A_server_whose_memory_grows_beyond_its_limit_is_ended_with_a_sentence()
    {
        Bench.Lead(Bench.Model, ["--server-most-mb", $"{Plenty}", .. Bench.Short]).WithCode(0);
        var ended = Bench.Lead(Bench.Model, ["--server-most-mb", $"{Little}", .. Bench.Short]);
        var error = ended.WithCode(1).Failure();
        Assert.Equal("server", (string?)error["side"]);
        const string Told = @"^The server was ended as its memory grew to \d+ MB: the limit is 20 MB\.$";
        Assert.Matches(Told, (string?)error["reason"]);
        Assert.DoesNotContain(ended.Records, record => Record.KindOf(record) == "launch");
        Assert.Empty(ended.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        // Of a search it is an answer.
        string[] step = ["--run-id", SearchRuns.IdOf(1, "any", 10), "--server-most-mb", $"{Little}", .. Bench.Short];
        var answer = Bench.Lead(Bench.Model, step).WithCode(0);
        Assert.Matches(Told, (string?)Record.Single(answer.Records, "error")["reason"]);
    }
}
