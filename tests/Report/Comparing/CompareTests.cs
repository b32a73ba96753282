using Newtonsoft.Json.Linq;

/// <summary>The report tool says what changed between two sweeps, by figures worked out elsewhere.</summary>
public sealed class CompareTests : ComparedSweeps
{
    [Theory]
    [InlineData(0.9, "worse", 1)]
    [InlineData(0.99, "within noise", 0)]
    [InlineData(0.955, "worse", 1)]
    [InlineData(1.1, "better", 0)]
    public void A_change_is_called_when_it_is_large_and_no_chance(double factor, string verdict, int exitCode)
    {
        var page = Compare([.. Cell(MadeUp.Five)], [.. Cell(MadeUp.Five, factor)], exitCode);
        Assert.EndsWith($" {verdict} |", RowOf(page));
        Assert.Contains("0 not comparable**, of 1 cell.", page);
        var better = verdict == "better" ? 1 : 0;
        var worse = verdict == "worse" ? 1 : 0;
        var within = verdict == "within noise" ? 1 : 0;
        Assert.Contains($"**{better} better, {worse} worse, {within} within noise", page);
    }

    // The exact distribution of a resample's median is that of its 3rd of 5 values; over all 25 ratios 2.5 %
    // lie at 0.870 (1.8 to 4.0 % are at or below), 97.5 % at 0.939 (96.7 to 98.2 %): worked out with
    // fractions in Python. All of one side above the other: p = 2 / (10 over 5) = 2 / 252.
    [Fact]
    public void Ratio_interval_and_p_are_those_worked_out_elsewhere()
    {
        const string Row = "| udp | unreliable | 1 | 1 | payload_bytes 32 | msgs/s | 10,000 | 9,000 | 0.900 "
            + "| 0.870–0.939 | 0.00794 | 1.00 | 1.00 | worse |";
        var page = Compare([.. Cell(MadeUp.Five)], [.. Cell([8_700, 8_900, 9_000, 9_200, 9_300])], Worse);
        Assert.StartsWith(Row, RowOf(page));
    }

    public static TheoryData<double[], string> Intervals => new()
    {
        // Mean and t of 4 and 8 degrees of freedom, 2.77645 and 2.30600 (mpmath's incomplete beta function).
        { MadeUp.Five, "9,804–10,196 (95 %)" },
        { [9_000, 9_100, 9_300, 9_600, 10_000, 10_100, 10_500, 10_800, 11_300], "9,357–10,577 (95 %)" },
        // The mean of the 5th and 6th of 10 drawn: 1.9 to 4.8 % are at or below 9,200, and the values are
        // symmetric about 10,000 (fractions in Python).
        { [8_900, 9_000, 9_200, 9_500, 9_900, 10_100, 10_500, 10_800, 11_000, 11_100], "9,200–10,800 (95 %)" },
    };

    [Theory, MemberData(nameof(Intervals))]
    public void The_intervals_of_a_report_are_those_worked_out_elsewhere(double[] rates, string interval)
    {
        Write("sweep", [.. Cell(rates)]);
        Tool.Run("render", scratch.PathOf("sweep"), "--charts", "none").WithCode(0);
        Assert.Contains($" | {interval} | ", Pages.In(scratch.PathOf("sweep")));
    }

    [Fact]
    public void Versions_that_differ_are_what_one_compares()
    {
        var newer = MadeUp.With([.. Cell(MadeUp.Five, 0.9)], ("ready.library_version", "11.0"));
        var page = Compare([.. Cell(MadeUp.Five)], newer, Worse);
        Assert.EndsWith("| worse |", RowOf(page));
        Assert.Contains("| **udp** | 10.0.12 (756470756470), ", page);
        Assert.Contains(" | 11.0 (756470756470), ", page);
        Assert.DoesNotContain("**udp**", Compare([.. Cell(MadeUp.Five)], [.. Cell(MadeUp.Five)], 0));
    }

    [Theory]
    [InlineData(1.1, "worse", 1)]
    [InlineData(0.9, "better", 0)]
    public void At_a_given_rate_the_p99_is_judged(double factor, string verdict, int exitCode)
    {
        JArray lag = [new JArray(1_008, 10_000)]; // 1 µs
        // Throughput is the rate on both sides; the round trips of a launch take 1 s / its number.
        JObject[] Open(double times)
        {
            var launches = MadeUp.Five.Select((rate, launch) => MadeUp.With(
                Launch(launch, Rate, 1e9 / rate * times),
                ("settings.rate", (int)Rate),
                ("client.window.outcomes.send_lag_ns", lag)));
            return [.. launches.SelectMany(records => records)];
        }
        var row = RowOf(Compare(Open(1), Open(factor), exitCode));
        Assert.Contains("| p99 µs | 100 | ", row.Replace("99.8", "100"));
        Assert.EndsWith($"| {verdict} |", row);

        lag = [new JArray(1_998_848, 10_000)]; // 2 ms
        Assert.Contains(
            "| not comparable: BASE invalid for latency: messages were sent up to 2.01 ms late (p99)",
            RowOf(Compare(Open(1), Open(factor), 0)));
    }
}
