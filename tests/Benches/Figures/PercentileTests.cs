using System.Globalization;

/// <summary>The percentiles of a real run against those of its round trips one by one, sorted.</summary>
[Collection(Measuring.Name)]
public sealed class PercentileTests
{
    const double Within = 0.01;

    [Fact]
    public void Percentiles_of_a_run_are_within_1_percent_of_those_of_its_raw_times()
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        using var scratch = new Scratch();
        var (raw, file) = (scratch.PathOf("raw.jsonl"), scratch.PathOf("times.txt"));
        Bench.Run("bench-udp", "run", "--clients", "5", "--parallel", "4", "--warmup-seconds", "0",
            "--seconds", "1", "--raw-times", file, "--out", raw).WithCode(0);
        var client = Record.Single(Record.In(raw), "client");
        var sorted = File.ReadLines(file).Select(long.Parse).Order().ToArray();
        Assert.True(sorted.Length > 10_000); // so that p99.9 is shown

        double Exact(double quantile) => sorted[(int)Math.Ceiling(quantile * sorted.Length) - 1];
        foreach (var quantile in new[] { 0.5, 0.9, 0.99, 0.999 })
            Assert.InRange(Record.QuantileNs(client, quantile),
                Exact(quantile) * (1 - Within), Exact(quantile) * (1 + Within));
        Assert.Equal(sorted[^1], (long)client["rtt_max_ns"]!);

        // The report shows three digits.
        Tool.Run("render", scratch.Folder).WithCode(0);
        var rows = File.ReadLines(scratch.PathOf("report.md")).Where(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).ToArray();
        var columns = rows.First(row => row.Contains("p50 µs"));
        var row = rows.First(row => row[0].StartsWith("udp") && row.Length == columns.Length);
        foreach (var (column, quantile) in new[] { ("p50 µs", 0.5), ("p99 µs", 0.99), ("p99.9 µs", 0.999) })
            Assert.InRange(1000 * double.Parse(row[Array.IndexOf(columns, column)], CultureInfo.InvariantCulture),
                Record.QuantileNs(client, quantile) * 0.995, Record.QuantileNs(client, quantile) * 1.005);
    }
}
