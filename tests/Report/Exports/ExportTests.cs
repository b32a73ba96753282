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
public sealed class ExportTests : OfReport
{
    static readonly string data = Repo.PathOf("tests", "data");
    static readonly string[] tiny = File.ReadAllLines(Path.Combine(data, "tiny.jsonl"));

    [Fact]
    public void The_exports_are_the_committed_ones_whatever_the_culture()
    {
        void Write(string run) => File.WriteAllLines(scratch.PathOf("raw.jsonl"),
            [.. tiny[..2], .. tiny.Where(line => line.Contains(run))]);
        Write("udp-unreliable-1x1-32\"");
        Assert.Equal(Golden("udp.csv"), Export("csv"));
        Write("-unreliable-1x1-32\"");
        var two = Golden("two.md");
        Assert.Equal(two, Tool.RunIn(Tool.German, Words("markdown")).WithCode(0).Out);
        var head = two.First(row => row.StartsWith("| Library"));
        Assert.All(two.Where(line => line.StartsWith('|')).Take(2), line => Assert.Equal(head.Length, line.Length));
    }

    [Fact]
    public void Csv_and_json_say_the_same_one_row_a_cell_and_metric()
    {
        // Rates whose launches are worth a range, a t-interval and a bootstrap interval.
        double[] two = [8_000, 10_000];
        double[] ten = [8_900, 9_000, 9_200, 9_500, 9_900, 10_100, 10_500, 10_800, 11_000, 11_100];
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(),
            .. MadeUp.Cell("udp", "unreliable", 1, two),
            .. MadeUp.Cell("udp", "unreliable", 100, MadeUp.Five),
            .. MadeUp.Cell("enet", "unreliable", 1, ten, ("settings.server_cpus", "0")),
        ]);
        var csv = Fields(Export("csv"));
        var json = JArray.Parse(string.Join('\n', Export("json")));
        var columns = csv[0];
        Assert.Equal(columns, json[0].Children<JProperty>().Select(field => field.Name));
        static string[] AsCsv(JToken row) => [.. row.Children<JProperty>().Select(field => field.Value switch
        {
            { Type: JTokenType.Null } => "",
            { Type: JTokenType.Boolean } => (bool)field.Value ? "true" : "false",
            { Type: JTokenType.Float } => ((double)field.Value).ToString(CultureInfo.InvariantCulture),
            _ => (string)field.Value!,
        })];
        Assert.Equal(csv[1..], json.Select(AsCsv));

        var at = Array.IndexOf(columns, "metric");
        Assert.Equal(["metric", "median", "low", "high", "interval", "cv"], columns[at..]);
        Assert.Contains("server_cpus", columns); // as it varies
        Assert.Equal(3, csv[1..].GroupBy(row => row[at]).Select(metric => metric.Count()).Distinct().Single());
        string[] Rate(string library, string clients)
        {
            var row = Assert.Single(
                csv, row => row[0] == library && row[3] == clients && row[at] == "throughput_per_s");
            return row[(at + 1)..];
        }
        Assert.Equal(["9000", "8000", "10000", "range", "0.15713484"], Rate("udp", "1"));
        // Those that CompareTests has worked out elsewhere, with more digits; windows last whole ns.
        var ofFive = Rate("udp", "100");
        Assert.Equal("10000", ofFive[0]);
        Assert.Equal("t95", ofFive[3]);
        Assert.Equal(9803.67568, double.Parse(ofFive[1], CultureInfo.InvariantCulture), 1e-4);
        Assert.Equal(10196.3243, double.Parse(ofFive[2], CultureInfo.InvariantCulture), 1e-4);
        Assert.Equal(["10000", "9200", "10800", "bootstrap95"], Rate("enet", "1")[..4]);
    }

    // enet is 0.8 times as fast as udp in each round of 12, whatever the round; both sides take 200 µs per message.
    [Theory]
    [InlineData(5, "hierarchical95")]
    [InlineData(4, "rounds95")]
    public void Ratios_to_the_baseline_are_those_of_the_same_rounds(int launches, string kind)
    {
        static double[] RatesOf(int launch, double speed) =>
            [.. Enumerable.Range(1, 12).Select(round => speed * 1_000 * launch * round)];
        double[][] Rates(double speed) =>
            [.. Enumerable.Range(1, launches).Select(launch => RatesOf(launch, speed))];
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(),
            .. MadeUp.Interleaved("udp", "unreliable", 1, Rates(1)),
            .. MadeUp.Interleaved("enet", "unreliable", 1, Rates(0.8)),
            .. MadeUp.Cell("kcp2k", "unreliable", 1, [5_000]),
        ]);
        var csv = Fields(Export("csv"));
        string[] Of(string library, string metric) => RowOf(csv, library, metric)[^5..];
        Assert.Equal(["0.8", "0.8", "0.8", kind, ""], Of("enet", "ratio_to_baseline"));
        Assert.Equal(["1", "1", "1", kind, ""], Of("enet", "cpu_ratio_to_baseline"));
        Assert.Equal(["1", "", "", "", ""], Of("udp", "ratio_to_baseline"));
        Assert.Equal(["", "", "", "", ""], Of("kcp2k", "ratio_to_baseline")); // measured separately
        // The least and the most of all slices.
        Assert.Equal(["800", $"{9_600 * launches}", "range"], Of("enet", "throughput_per_s")[1..4]);
        var enet = Export("markdown").Where(line => line.Contains("| enet "));
        Assert.Contains(enet, line => line.Contains(" 0.800 | 0.800–0.800 ("));
    }

    [Fact]
    public void A_row_that_is_not_valid_says_why_of_what_it_concerns()
    {
        var late = MadeUp.Cell(
            "udp",
            "unreliable",
            1,
            [10_000],
            ("settings.rate", 20_000),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(100, 10_000) }));
        var stood = MadeUp.Cell("enet", "unreliable", 1, [10_000], MadeUp.Slept(3.2));
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("repeats", 1)), .. late, .. stood]);
        var csv = Fields(Export("csv"));
        var valid = Array.IndexOf(csv[0], "valid");
        string[] Verdict(string library, string metric) => RowOf(csv, library, metric)[valid..(valid + 2)];
        Assert.Equal(["true", ""], Verdict("udp", "throughput_per_s"));
        const string Late = "10,000 of 20,000 messages/s were achieved, under 99 %";
        Assert.Equal(["false", Late], Verdict("udp", "rtt_p99_us"));
        Assert.Equal(["false", Late], Verdict("udp", "rtt_merged_p99_us"));
        Assert.Equal(["false", "the machine slept for 3.2 s"], Verdict("enet", "throughput_per_s"));
    }

    [Fact]
    public void Hostile_strings_stay_inert()
    {
        var long1 = MadeUp.Hostile + new string('x', 1 << 20);
        var error = MadeUp.Example("error", ("kind", "unavailable"), ("library", MadeUp.Hostile), ("reason", long1));
        var machine = MadeUp.Machine(
            ("cpu_model", long1),
            ("os", "````"),
            ("preset", "../../x"),
            ("dotnet_version", "@SUM(A1)"));
        var named = MadeUp.Cell(
            "udp",
            "unreliable",
            1,
            [10_000],
            ("run_id", "../../x"),
            ("library", MadeUp.Hostile),
            ("settings.address", "-2+3"),
            ("ready.note", long1));
        var stood = MadeUp.Cell(
            "udp",
            "unreliable",
            1,
            [10_000],
            ("settings.address", "\t=1+1"),
            MadeUp.Slept(2));
        MadeUp.Write(scratch.Folder, [machine, error, .. named, .. stood]);
        foreach (var format in new[] { "csv", "json", "markdown" })
        {
            var text = string.Join('\n', Export(format));
            Assert.True(text.Length < 100_000);
            Assert.DoesNotContain(text, letter => letter != '\n' && char.IsControl(letter) || letter == '\u202e');
        }
        var csv = Fields(Export("csv"));
        Assert.All(csv, row => Assert.Equal(csv[0].Length, row.Length));
        const string Formula = "(^|[,;\"]) *[=+@]|^-[^0-9]|^-.*[+=]";
        Assert.All(csv.SelectMany(row => row), field => Assert.DoesNotMatch(Formula, field));
        Assert.Contains(csv, row => row.Contains("'-2+3"));
        Assert.Contains(csv, row => row[0].StartsWith("'=1+1,\";'=2+2 # x"));

        var page = Export("markdown");
        // The machine's facts are one block of code, from the first line on, and all else comes below it.
        var end = Array.LastIndexOf(page, "```");
        var fences = page.Index().Where(line => line.Item.StartsWith("```")).Select(line => line.Index);
        Assert.Equal([0, end], fences);
        Assert.DoesNotContain("<b", string.Join('\n', page[end..]).Replace(@"\<", ""));
        var rows = page.Where(line => line.StartsWith('|'));
        Assert.Single(rows.Select(row => row.Replace(@"\|", "").Split('|').Length).Distinct());
    }

    [Fact]
    public void Markdown_names_nobody_links_to_nothing_and_begins_no_list()
    {
        var machine = MadeUp.Machine(("cpu_model", "@who http://a.b www.c.d"));
        var cell = MadeUp.Cell("1. x@y.z", "unreliable", 1, [10_000], ("ready.note", "said"));
        MadeUp.Write(scratch.Folder, [machine, .. cell]);
        Assert.Contains(Export("markdown"), line => line.Contains("| 1\\. x@\u2060y.z"));
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        var page = Pages.In(scratch.Folder);
        Assert.Contains("@\u2060who http\\://a.b www\\.c.d", page);
        Assert.Matches(@"(?m)^\| 1\\\. x@\u2060y\.z \|.*\| said \|$", page);
        Assert.DoesNotMatch(@"@\w", page);
    }

    [Fact]
    public void Figures_that_are_none_are_missing()
    {
        const string NoFigure = "Infinity|NaN|∞";
        var withoutTime = MadeUp.Cell(
            "udp",
            "unreliable",
            1,
            [10_000],
            ("window.elapsed_ns", 0),
            ("window.outside.elapsed_s", 0));
        var tooBusy = MadeUp.Cell(
            "enet",
            "unreliable",
            1,
            [10_000],
            ("window.cpu_user_ns", long.MaxValue),
            ("window.cpu_system_ns", long.MaxValue),
            ("window.outside.machine_cpu_s", 1e308),
            ("window.outside.cpu_busiest_thread_s", 1e308));
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("sweep.slo", "p99=soon")), .. withoutTime, .. tooBusy]);
        foreach (var format in new[] { "csv", "json", "markdown" })
            Assert.DoesNotMatch(NoFigure, string.Join('\n', Export(format)));
        var ended = Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        Assert.Contains("'p99=soon' is no term of an SLO", ended.Sentence()); // the rest is worth a report
        Assert.DoesNotMatch(NoFigure, Pages.In(scratch.Folder));
        var page = File.ReadAllText(scratch.PathOf("report.html"));
        const string Embedded = "(?s)<script type=\"application/json\"[^>]*>(.*?)</script>";
        foreach (Match json in Regex.Matches(page, Embedded))
        {
            // This parser is as strict as a browser's, and throws at a figure that is none.
            using var _ = System.Text.Json.JsonDocument.Parse(json.Groups[1].Value);
        }
    }

    [Fact]
    public void What_cannot_be_exported_is_told_in_one_sentence()
    {
        foreach (var folder in new[] { scratch.Folder, scratch.PathOf("missing"), "/dev/null" })
            Tool.Run("export", folder).WrongUsage();
        Tool.Run("export", scratch.Folder, "--format", "xml").WrongUsage();
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), [tiny[0], "garbage"]);
        var ended = Tool.Run("export", scratch.Folder).WithCode(0);
        // Of a line that is skipped the fault itself does not matter here.
        const string Skipped = "Skipped raw.jsonl:2:";
        var said = ended.Error.Select(line => line.StartsWith("Skipped") ? line[..Skipped.Length] : line);
        Assert.Equal([Skipped, "raw.jsonl holds no measurement."], said);
        Assert.StartsWith("library,profile,", Assert.Single(ended.Out));
    }

    static string[] Golden(string file) => File.ReadAllLines(Path.Combine(data, "export", file));

    string[] Words(string format) => ["export", scratch.Folder, "--format", format];

    string[] Export(string format) => Tool.Run(Words(format)).WithCode(0).Out;

    // The one row of a library and a metric.
    static string[] RowOf(string[][] csv, string library, string metric)
    {
        var at = Array.IndexOf(csv[0], "metric");
        return Assert.Single(csv, row => row[0] == library && row[at] == metric);
    }

    // RFC 4180, where no field has a line end.
    static string[][] Fields(string[] lines) => [.. lines.Select(FieldsOf)];

    static string[] FieldsOf(string line)
    {
        var fields = Regex.Matches(line, "(?<=^|,)(?:\"((?:[^\"]|\"\")*)\"|([^\",]*))(?=,|$)");
        return [.. fields.Select(field =>
        {
            var quoted = field.Groups[1];
            return quoted.Success ? quoted.Value.Replace("\"\"", "\"") : field.Groups[2].Value;
        })];
    }
}
