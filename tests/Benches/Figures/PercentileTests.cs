using System.Globalization;

/// <summary>The percentiles of a real run are those that its network had, and the report shows them.</summary>
[Collection(Measuring.Name)]
public sealed class PercentileTests
{
    const double LateMs = 60;
    const double DelayMs = 2;

    [Fact]
    public void As_many_round_trips_as_the_network_held_back_stand_in_the_histogram_and_others_do_not()
    {
        // 2 % of the answers come 60 ms later than the others.
        var late = new Line(DelayMs) { Reorder = 0.02, ReorderMs = LateMs };
        string[] load = ["--clients", "4", "--rate", "5000", "--warmup-seconds", "0", "--seconds", "2"];
        using var run = new ThroughRelay("bench-udp", "unreliable", new(DelayMs), late, load);
        run.Ended.WithCode(0);
        Assert.Equal(0, Record.Sum(run.Clients, "lost", "duplicates", "foreign"));
        var held = run.Relay.Down.Reordered;
        Assert.InRange(held, 100, 400);
        const double heldMs = 2 * DelayMs + LateMs;
        var cameLate = run.Clients.Sum(slice => Record.CountOver(slice, 1e6 * heldMs * 0.99));
        // A machine that stood still in the midst of it held back others, too: at this rate 250 in 50 ms.
        Assert.InRange(cameLate, held, held + 500);
        Assert.InRange(Record.QuantileNs(run.Window, 0.5) / 1e6, 2 * DelayMs, LateMs / 2);
        Assert.InRange(Record.QuantileNs(run.Window, 0.995) / 1e6, heldMs * 0.99, 4 * LateMs);
    }

    [Fact]
    public void The_report_shows_the_percentiles_of_the_record()
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        using var scratch = new Scratch();
        var raw = scratch.PathOf("raw.jsonl");
        string[] load = ["--clients", "5", "--parallel", "4", "--payload", "zeros"];
        Bench.Lead("bench-udp", [.. load, "--warmup-seconds", "0", "--seconds", "1", "--out", raw]).WithCode(0);
        var window = Record.Slice(Record.In(raw), "client", "window");
        Assert.Equal(0, Record.Sum(window, "corrupt", "foreign"));
        Assert.True(Record.Sum(window, "received") > 10_000); // so that p99.9 is shown

        Tool.Run("render", scratch.Folder).WithCode(0);
        var lines = File.ReadLines(scratch.PathOf("report.md")).Where(line => line.StartsWith('|'));
        string[][] rows = [.. lines.Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries))];
        var head = Array.FindIndex(rows, row => row.Contains("p50 µs") && row.Contains("p99.9 µs"));
        var columns = rows[head];
        var row = rows[head..].First(row => row[0].StartsWith("udp"));
        foreach (var (column, quantile) in new[] { ("p50 µs", 0.5), ("p99 µs", 0.99), ("p99.9 µs", 0.999) })
        {
            var cell = row[Array.IndexOf(columns, column)];
            var shownNs = 1000 * double.Parse(cell, CultureInfo.InvariantCulture);
            var ns = Record.QuantileNs(window, quantile);
            // It shows three digits.
            Assert.InRange(shownNs, ns * 0.995, ns * 1.005);
        }
    }
}
