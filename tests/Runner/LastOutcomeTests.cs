using Newtonsoft.Json;

/// <summary>What a sweep waits for after each run. Alone, as it is about time.</summary>
[Collection(Measuring.Name)]
public sealed class LastOutcomeTests : IDisposable
{
    readonly Scratch scratch = new();

    public LastOutcomeTests() => Assert.SkipUnless(Tool.CanLead, "runner is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void The_last_outcome_is_told_soon_however_long_the_sweep_is()
    {
        string Line(string kind, string runId)
        {
            var record = Record.Parse(Contract.Examples[kind]);
            record["run_id"] = runId;
            return record.ToString(Formatting.None);
        }
        var (interval, canary) = (Line("interval", "r1"), Line("canary", "r1"));
        var raw = scratch.PathOf("raw.jsonl");
        File.WriteAllLines(raw, [Line("machine", "sweep"), .. Enumerable.Range(0, 300_000).Select(
            n => n % 60 == 0 ? canary.Replace("\"r1\"", $"\"r{n}\"") : interval),
            .. new[] { "canary", "client", "server" }.Select(kind => Line(kind, "last"))]);
        Assert.InRange(new FileInfo(raw).Length, 60_000_000, 120_000_000);
        var ended = Tool.Lead("last", "--out", raw, "--run-id", "last");
        TestContext.Current.TestOutputHelper!.WriteLine($"{ended.Seconds:0.00} s");
        Assert.Contains(" msg/s  p99 ", Assert.Single(ended.Out));
        Assert.InRange(ended.Seconds, 0, 5);
    }
}
