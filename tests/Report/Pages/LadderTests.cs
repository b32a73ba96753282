using Newtonsoft.Json.Linq;

/// <summary>The report's ladder, of made-up sweeps: 10,000 messages/s in the closed loop, rungs at parts of it.
/// </summary>
public sealed class LadderTests : OfReport
{
    const double Seconds = 2;

    // Buckets whose middles, 4.95 and 5.01 ms, lie about 5 ms.
    const long UnderNs = 4_915_200;
    const long OverNs = 4_980_736;

    // And one of those that are fast, 99.8 µs.
    const long FastNs = 99_328;

    // What came of the rungs at 10, 50 and 90 %, the highest rate with the SLO, and what is said of the next.
    static readonly (string Rungs, string Highest, string Next)[] cases =
    [
        ("good good good", "≥ 9,000", "none higher"),
        ("good under over", "5,000", "9,000: p99 5.01 ms"),
        ("over over over", "none measured meets it", "1,000: p99 5.01 ms"),
        ("good good late", "5,000", "9,000: invalid: 8,900 of 9,000 messages/s were achieved, under 99 %"),
        ("good good failed", "5,000", "9,000: failed"),
        ("over good over", "5,000", "9,000: p99 5.01 ms, but below it 1,000: p99 5.01 ms"),
        ("over good good", "≥ 9,000", "none higher, but below it 1,000: p99 5.01 ms"),
        ("good edge lost", "5,000", "9,000: loss 0.111 %"),
        ("good good unsent", "5,000", "9,000: loss 0.111 %"),
        ("good good unanswered", "5,000", "9,000: loss 0.111 %"),
    ];

    [Fact]
    public void The_highest_rate_that_keeps_to_the_SLO_is_named_with_why_the_next_does_not()
    {
        var page = Render("p99=5ms,loss=0.1%", [.. cases.Select((sample, index) => (index + 1, sample.Rungs))]);
        var rows = Rows(page);
        foreach (var (index, (rungs, highest, next)) in cases.Index())
        {
            var row = Assert.Single(rows, row => row[1] == $"{index + 1}");
            Assert.Equal((rungs, highest, next), (rungs, row[^2], row[^1]));
            Assert.Equal("10,000", row[3]);
        }
        Assert.Contains("| at 10 %: p50 / p99 / p99.9 µs | at 50 %: ", page);
        Assert.Contains("| highest msgs/s with p99=5ms,loss=0.1% | next rate |", page);
        Assert.Equal("99.8 / 99.8 / n/a", rows[0][4]);
        Assert.Equal("99.8 / 4,948 / 4,948", Assert.Single(rows, row => row[1] == "2")[5]);
        // What is not to be trusted is struck out, what failed is missing.
        Assert.Equal("~~99.8~~ / ~~99.8~~ / ~~99.8~~", Assert.Single(rows, row => row[1] == "4")[6]);
        Assert.Equal("n/a", Assert.Single(rows, row => row[1] == "5")[6]);
    }

    [Fact]
    public void Every_term_counts_and_a_percentile_that_is_not_known_is_not_kept_to()
    {
        string[] Next(string slo, string rungs) => Rows(Render(slo, (1, rungs)))[0][^2..];
        Assert.Equal(["none measured meets it", "1,000: p50 99.8 µs"], Next("p50=99us,p99=5ms", "good good good"));
        Assert.Equal(["≥ 9,000", "none higher, but below it 1,000: p99.9 n/a"], Next("p99.9=1s", "good good good"));
        Assert.Equal(["≥ 9,000", "none higher"], Next("loss=0.2%", "over over lost"));
        Assert.Equal(["5,000", "9,000: p90 5.01 ms"], Next("loss=0%,p90=0.005s", "good good over"));
    }

    [Fact]
    public void Without_an_SLO_there_is_a_ladder_of_percentages_alone()
    {
        var page = Render("", (1, "good good over"));
        Assert.DoesNotContain("| next rate |", page);
        Assert.Equal(7, Assert.Single(Rows(page)).Length);
        Assert.DoesNotContain("#### Ladder", Render("", (1, "good good over"), named: false));
        // Of rates that are no percentages the SLO is told.
        Assert.Equal(["udp (baseline)", "1", "1", "10,000", "5,000", "9,000: p99 5.01 ms"],
            Rows(Render("p99=5ms", (1, "good good over"), named: false))[0]);
    }

    string Render(string slo, params (int Clients, string Rungs)[] rows) => Render(slo, rows, named: true);

    string Render(string slo, (int Clients, string Rungs) row, bool named) => Render(slo, [row], named);

    // Named: the rungs' run ids say of which percentage they are.
    string Render(string slo, (int Clients, string Rungs)[] rows, bool named)
    {
        var records = new List<JObject> { MadeUp.Machine(("sweep.slo", slo), ("repeats", 1)) };
        foreach (var (clients, rungs) in rows)
        {
            foreach (var (kind, percentage) in rungs.Split(' ').Zip([10, 50, 90]))
            {
                var rate = 100 * percentage;
                records.AddRange(Run(clients, kind, rate, named ? $"-at-{percentage}pct" : $"-at-{rate}"));
            }
            records.AddRange(Run(clients, "closed", 0, ""));
        }
        MadeUp.Write(scratch.Folder, records);
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        return Pages.In(scratch.Folder);
    }

    static JObject[] Run(int clients, string kind, int rate, string suffix)
    {
        var due = (int)(Seconds * (rate == 0 ? 10_000 : rate));
        var missing = kind switch
        {
            "edge" => due / 1000,
            "lost" or "unsent" or "unanswered" => due / 1000 + 2,
            "late" => 200,
            _ => 0,
        };
        var answered = due - missing;
        var slow = kind switch
        {
            "under" => UnderNs,
            "over" => OverNs,
            _ => 0,
        };
        var slowOnes = slow == 0 ? 0 : answered / 10 + 1;
        var buckets = new JArray { new JArray(FastNs, answered - slowOnes) };
        if (slow != 0)
            buckets.Add(new JArray(slow, slowOnes));
        // In the closed loop as Little's law has it.
        var sumNs = rate == 0 ? answered * 100_000L * clients : answered * FastNs;
        var lag = rate == 0 ? new JArray() : new JArray { new JArray(100, answered) };

        var run = MadeUp.With(MadeUp.Run($"r1-udp-unreliable-{clients}x1-32{suffix}"),
        [
            .. MadeUp.Lasting(Seconds),
            .. MadeUp.Answered(answered, FastNs, kind is "edge" or "lost" ? missing : 0),
            ("settings.clients", clients),
            ("settings.rate", rate),
            ("settings.delivery", "unreliable"),
            ("client.window.outcomes.not_sent", kind is "unsent" or "late" ? missing : 0),
            ("client.window.outcomes.rtt_sum_ns", sumNs),
            ("client.window.outcomes.rtt_ns", buckets),
            ("client.window.outcomes.send_lag_ns", lag),
        ]);
        if (kind == "unanswered")
            MadeUp.With(run, ("client.window.sent", due), ("client.window.outcomes.unanswered", missing));
        return kind == "failed" ? [MadeUp.Failed(run, ("reason", "It broke."))] : run;
    }

    static string[][] Rows(string page)
    {
        var section = page.Split("#### Ladder")[1].Split("\n#")[0];
        var rows = section.Split('\n').Where(line => line.StartsWith("| udp"));
        return [.. rows.Select(row => row.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries))];
    }
}
