using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>
/// What `report export` gives to other tools. data/export/udp.csv is of udp with 1 client and no rate in
/// data/tiny.jsonl, two.md of litenetlib besides; the figures were worked out by hand as in ReportTests, of
/// each launch for the rows that have a range: p50 99.84 µs and, of the second, the middle of [110,592 ns, which is
/// 1,024 ns wide: 111.104 µs. Of all 16 slices of udp, sorted, the 8th and 9th made 920 and 936 messages in 100 ms; of
/// the 8 rounds of litenetlib and udp the 4th and 5th ratio are 178 / 900 and 202 / 1,020.
/// </summary>
public sealed class ExportTests : IDisposable
{
    static readonly string data = Repo.PathOf("tests", "data");
    static readonly string[] tiny = File.ReadAllLines(Path.Combine(data, "tiny.jsonl"));

    readonly Scratch scratch = new();

    public ExportTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void The_exports_are_the_committed_ones_whatever_the_culture()
    {
        void Write(string run) => File.WriteAllLines(scratch.PathOf("raw.jsonl"),
            [.. tiny[..2], .. tiny.Where(line => line.Contains(run))]);
        Write("udp-unreliable-1x1-32\"");
        Assert.Equal(Golden("udp.csv"), Export("csv"));
        Write("-unreliable-1x1-32\"");
        Assert.Equal(Golden("two.md"), Export("markdown", ("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8"),
            ("TZ", "Asia/Kolkata"), ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")));
        Assert.All(Golden("two.md").Where(line => line.StartsWith('|')).Take(2),
            line => Assert.Equal(Golden("two.md").First(row => row.StartsWith("| Library")).Length, line.Length));
    }

    [Fact]
    public void Csv_and_json_say_the_same_one_row_a_cell_and_metric()
    {
        // Rates whose launches are worth a range, a t-interval and a bootstrap interval.
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(),
            .. MadeUp.Cell("udp", "unreliable", 1, [8_000, 10_000]),
            .. MadeUp.Cell("udp", "unreliable", 100, [9_800, 9_900, 10_000, 10_100, 10_200]),
            .. MadeUp.Cell("enet", "unreliable", 1, [8_900, 9_000, 9_200, 9_500, 9_900, 10_100, 10_500, 10_800, 11_000,
                11_100], ("settings.server_cpus", "0"))]);
        var csv = Fields(Export("csv"));
        var json = JArray.Parse(string.Join('\n', Export("json")));
        Assert.Equal(csv[0], json[0].Children<JProperty>().Select(field => field.Name));
        Assert.Equal(csv[1..], json.Select(row => row.Children<JProperty>().Select(field => field.Value switch
        {
            { Type: JTokenType.Null } => "",
            { Type: JTokenType.Boolean } => (bool)field.Value ? "true" : "false",
            { Type: JTokenType.Float } => ((double)field.Value).ToString(CultureInfo.InvariantCulture),
            _ => (string)field.Value!,
        }).ToArray()));

        var at = Array.IndexOf(csv[0], "metric");
        Assert.Equal(["metric", "median", "low", "high", "interval", "cv"], csv[0][at..]);
        Assert.Contains("server_cpus", csv[0]); // as it varies
        Assert.Equal(3, csv[1..].GroupBy(row => row[at]).Select(metric => metric.Count()).Distinct().Single());
        string[] Rate(string library, string clients) => Assert.Single(csv,
            row => row[0] == library && row[3] == clients && row[at] == "throughput_per_s")[(at + 1)..];
        Assert.Equal(["9000", "8000", "10000", "range", "0.15713484"], Rate("udp", "1"));
        // Those that CompareTests has worked out elsewhere, with more digits.
        var ofFive = Rate("udp", "100");
        Assert.Equal(("10000", "t95"), (ofFive[0], ofFive[3]));
        Assert.Equal(9803.67568, double.Parse(ofFive[1], CultureInfo.InvariantCulture), 1e-4); // windows last whole ns
        Assert.Equal(10196.3243, double.Parse(ofFive[2], CultureInfo.InvariantCulture), 1e-4);
        Assert.Equal(["10000", "9200", "10800", "bootstrap95"], Rate("enet", "1")[..4]);
    }

    // enet is 0.8 times as fast as udp in each round of 12, whatever the round; both sides take 200 µs a message.
    [Theory, InlineData(5, "hierarchical95"), InlineData(4, "rounds95")]
    public void Ratios_to_the_plain_socket_are_those_of_the_same_rounds(int launches, string kind)
    {
        double[][] Rates(double speed) => [.. Enumerable.Range(1, launches).Select(launch =>
            Enumerable.Range(1, 12).Select(round => speed * 1_000 * launch * round).ToArray())];
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. MadeUp.InTurn("udp", "unreliable", 1, Rates(1)),
            .. MadeUp.InTurn("enet", "unreliable", 1, Rates(0.8)), .. MadeUp.Cell("kcp2k", "unreliable", 1, [5_000])]);
        var csv = Fields(Export("csv"));
        string[] Of(string library, string metric) => Assert.Single(csv, row => row[0] == library
            && row[Array.IndexOf(csv[0], "metric")] == metric)[^5..];
        Assert.Equal(["0.8", "0.8", "0.8", kind, ""], Of("enet", "ratio_to_plain"));
        Assert.Equal(["1", "1", "1", kind, ""], Of("enet", "cpu_ratio_to_plain"));
        Assert.Equal(["1", "", "", "", ""], Of("udp", "ratio_to_plain"));
        Assert.Equal(["", "", "", "", ""], Of("kcp2k", "ratio_to_plain")); // measured apart
        // The least and the most of all slices.
        Assert.Equal(["800", $"{9_600 * launches}", "range"], Of("enet", "throughput_per_s")[1..4]);
        Assert.Contains(Export("markdown"), line => line.Contains("| enet ") && line.Contains(" 0.800 | 0.800–0.800 ("));
    }

    [Fact]
    public void A_row_that_is_not_valid_says_why_of_what_it_concerns()
    {
        var late = MadeUp.Cell("udp", "unreliable", 1, [10_000], ("settings.rate", 20_000),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(100, 10_000) }));
        var stood = MadeUp.Cell("enet", "unreliable", 1, [10_000], MadeUp.StoodStill(3.2));
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("repeats", 1)), .. late, .. stood]);
        var csv = Fields(Export("csv"));
        string[] Verdict(string library, string metric) => Assert.Single(csv, row => row[0] == library
            && row[Array.IndexOf(csv[0], "metric")] == metric)[Array.IndexOf(csv[0], "valid")..][..2];
        Assert.Equal(["true", ""], Verdict("udp", "throughput_per_s"));
        const string Late = "10,000 of 20,000 messages/s were achieved, under 99 %";
        Assert.Equal(["false", Late], Verdict("udp", "rtt_p99_us"));
        Assert.Equal(["false", Late], Verdict("udp", "rtt_merged_p99_us"));
        Assert.Equal(["false", "the clients stood still for 3.2 s"], Verdict("enet", "throughput_per_s"));
    }

    [Fact]
    public void Hostile_strings_stay_inert()
    {
        var long1 = MadeUp.Hostile + new string('x', 1 << 20);
        var error = MadeUp.Example("error", ("kind", "unavailable"), ("library", MadeUp.Hostile), ("reason", long1));
        MadeUp.Write(scratch.Folder, [
            MadeUp.Machine(("cpu_model", long1), ("os", "````"), ("preset", "../../x"), ("dotnet_version", "@SUM(A1)")),
            error, .. MadeUp.Cell("udp", "unreliable", 1, [10_000], ("run_id", "../../x"), ("library", MadeUp.Hostile),
                ("settings.address", "-2+3"), ("ready.note", long1)),
            .. MadeUp.Cell("udp", "unreliable", 1, [10_000], ("settings.address", "\t=1+1"), MadeUp.StoodStill(2))]);
        foreach (var format in new[] { "csv", "json", "markdown" })
        {
            var text = string.Join('\n', Export(format));
            Assert.True(text.Length < 100_000);
            Assert.DoesNotContain(text, character => character != '\n' && char.IsControl(character) || character == '\u202e');
        }
        var csv = Fields(Export("csv"));
        Assert.All(csv, row => Assert.Equal(csv[0].Length, row.Length));
        Assert.All(csv.SelectMany(row => row), field => Assert.DoesNotMatch("(^|[,;\"]) *[=+@]|^-[^0-9]|^-.*[+=]", field));
        Assert.Contains(csv, row => row.Contains("'-2+3"));
        Assert.Contains(csv, row => row[0].StartsWith("'=1+1,\";'=2+2 # x"));

        var page = Export("markdown");
        Assert.Equal([0, Array.LastIndexOf(page, "```")],
            page.Select((line, i) => (line, i)).Where(line => line.line.StartsWith("```")).Select(line => line.i));
        Assert.DoesNotContain("<b", string.Join('\n', page[Array.LastIndexOf(page, "```")..]).Replace(@"\<", ""));
        Assert.Single(page.Where(line => line.StartsWith('|')).Select(row =>
            row.Replace(@"\|", "").Split('|').Length).Distinct());
    }

    [Fact]
    public void Markdown_names_nobody_links_to_nothing_and_begins_no_list()
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("cpu_model", "@who http://a.b www.c.d")),
            .. MadeUp.Cell("1. x@y.z", "unreliable", 1, [10_000], ("ready.note", "said"))]);
        Assert.Contains(Export("markdown"), line => line.Contains("| 1\\. x@\u2060y.z"));
        Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.Contains("@\u2060who http\\://a.b www\\.c.d", page);
        Assert.Contains("\n1\\. x@\u2060y.z: said\n", page);
        Assert.DoesNotMatch(@"@\w", page);
    }

    [Fact]
    public void Figures_that_are_none_are_missing()
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("sweep.slo", "p99=soon")),
            .. MadeUp.Cell("udp", "unreliable", 1, [10_000], ("window.elapsed_ns", 0), ("window.outside.elapsed_s", 0)),
            .. MadeUp.Cell("enet", "unreliable", 1, [10_000], ("window.cpu_user_ns", long.MaxValue),
                ("window.cpu_system_ns", long.MaxValue), ("window.outside.machine_cpu_s", 1e308),
                ("window.outside.cpu_busiest_thread_s", 1e308))]);
        foreach (var format in new[] { "csv", "json", "markdown" })
            Assert.DoesNotMatch("Infinity|NaN|∞", string.Join('\n', Export(format)));
        var ended = Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        Assert.Contains("'p99=soon' is no term of an SLO", ended.Sentence()); // the rest is worth a report
        Assert.DoesNotMatch("Infinity|NaN|∞", File.ReadAllText(scratch.PathOf("report.md")));
        foreach (Match data in Regex.Matches(File.ReadAllText(scratch.PathOf("report.html")), "(?s)<script type=\"application/json\"[^>]*>(.*?)</script>"))
            using (System.Text.Json.JsonDocument.Parse(data.Groups[1].Value)) { } // as strict as a browser
    }

    [Fact]
    public void What_cannot_be_exported_is_told_in_one_sentence()
    {
        foreach (var folder in new[] { scratch.Folder, scratch.PathOf("missing"), "/dev/null" })
            Tool.Run("export", folder).WrongUsage();
        Tool.Run("export", scratch.Folder, "--format", "xml").WrongUsage();
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), [tiny[0], "garbage"]);
        var ended = Tool.Run("export", scratch.Folder).WithCode(0);
        Assert.Equal(["Skipped raw.jsonl:2:", "raw.jsonl holds no measurement."],
            ended.Error.Select(line => line.StartsWith("Skipped") ? line[..20] : line));
        Assert.StartsWith("library,profile,", Assert.Single(ended.Out));
    }

    static string[] Golden(string file) => File.ReadAllLines(Path.Combine(data, "export", file));

    string[] Export(string format, params (string, string)[] environment) =>
        Tool.RunWith(environment, "export", scratch.Folder, "--format", format).WithCode(0).Out;

    // RFC 4180, where no field has a line end.
    static string[][] Fields(string[] lines) => [.. lines.Select(line =>
        Regex.Matches(line, "(?<=^|,)(?:\"((?:[^\"]|\"\")*)\"|([^\",]*))(?=,|$)").Select(field => field.Groups[1].Success
            ? field.Groups[1].Value.Replace("\"\"", "\"") : field.Groups[2].Value).ToArray())];
}
