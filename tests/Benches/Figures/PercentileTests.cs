using System.Globalization;

/// <summary>The percentiles of a real run are those that its network had, and the report shows them.</summary>
[Collection(Measuring.Name)]
public sealed class PercentileTests
{
    const double LateMs = 60, DelayMs = 2;

    [Fact]
    public void As_many_round_trips_as_the_network_held_back_stand_in_the_histogram_and_others_do_not()
    {
        // 2 % of the answers come 60 ms later than the others.
        using var run = new ThroughRelay("bench-udp", "unreliable", new(DelayMs), new(DelayMs) { Reorder = 0.02, ReorderMs = LateMs },
            "--clients", "4", "--rate", "5000", "--warmup-seconds", "0", "--seconds", "2");
        run.Ended.WithCode(0);
        Assert.Equal(0, Record.Sum(run.Clients, "lost", "duplicates", "foreign"));
        var held = run.Relay.Down.Reordered;
        Assert.InRange(held, 100, 400);
        var late = run.Clients.Sum(slice => Record.CountOver(slice, 1e6 * (2 * DelayMs + LateMs) * 0.99));
        // A machine that stood still in the midst of it held back others, too.
        Assert.InRange(late, held, held + 50);
        Assert.InRange(Record.QuantileNs(run.Window, 0.5) / 1e6, 2 * DelayMs, LateMs / 2);
        Assert.InRange(Record.QuantileNs(run.Window, 0.995) / 1e6, (2 * DelayMs + LateMs) * 0.99, 2 * LateMs);
    }

    [Fact]
    public void The_report_shows_the_percentiles_of_the_record()
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        using var scratch = new Scratch();
        var raw = scratch.PathOf("raw.jsonl");
        Bench.Lead("bench-udp", "--clients", "5", "--parallel", "4", "--payload", "zeros", "--warmup-seconds", "0",
            "--seconds", "1", "--out", raw).WithCode(0);
        var window = Record.Slice(Record.In(raw), "client", "window");
        Assert.Equal(0, Record.Sum(window, "corrupt", "foreign"));
        Assert.True(Record.Sum(window, "received") > 10_000); // so that p99.9 is shown

        // It shows three digits.
        Tool.Run("render", scratch.Folder).WithCode(0);
        var rows = File.ReadLines(scratch.PathOf("report.md")).Where(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).ToArray();
        var columns = rows.First(row => row.Contains("p50 µs"));
        var row = rows.First(row => row[0].StartsWith("udp") && row.Length == columns.Length);
        foreach (var (column, quantile) in new[] { ("p50 µs", 0.5), ("p99 µs", 0.99), ("p99.9 µs", 0.999) })
            Assert.InRange(1000 * double.Parse(row[Array.IndexOf(columns, column)], CultureInfo.InvariantCulture),
                Record.QuantileNs(window, quantile) * 0.995, Record.QuantileNs(window, quantile) * 1.005);
    }
}
