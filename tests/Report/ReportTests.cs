using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>
/// The report tool says what the records say. data/report.md is what it makes of data/tiny.jsonl;
/// the figures were worked out by hand from the records, percentiles as the middle of their bucket:
/// <code>
/// udp 1 x 1   19,000 round trips: 9,889 [99,328 ns  8,890 [110,592  199 [198,656  22 [397,312
///             p50 rank  9,500: 99,328 + 1,024 / 2 =  99.8 µs    p99 rank 18,810: 198,656 + 2,048 / 2 = 200 µs
///             p99.9 rank 18,981: 397,312 + 4,096 / 2 = 399 µs   rates 10,000 and 9,000: median 9,500, CV 7.4 %
/// tcp 1 x 1   20,000 round trips: 19,960 [100 ns  30 [128  10 [130
///             p99 rank 19,800: 100 ns                           p99.9 rank 19,980: 128 + 2 / 2 = 129 ns
/// tcp 100 x 1 15,000 of r2 count for nothing: 0.06 s of 2 CPU s were stolen, and 1.9 s - 1.4 s went elsewhere
/// litenetlib  tuned: 99 of 9,999 lost, 70 of them by the kernel; clients 2 s of 2 CPU s, a 20th of it in idle
///             passes; server 0.2 s / 9,929 = 20.1 µs
/// udp         at 20,000/s: p99 of the lag, rank 16,830 of 17,000: 1,998,848 + 16,384 / 2 ns = 2,007 µs
/// </code>
/// After a change that is meant: render a copy with --charts svg, check the figures, copy the files here.
/// </summary>
public sealed class ReportTests : IDisposable
{
    static readonly string data = Repo.PathOf("tests", "data");
    static readonly string[] tiny = File.ReadAllLines(Path.Combine(data, "tiny.jsonl"));

    readonly Scratch scratch = new();

    string Raw => scratch.PathOf("raw.jsonl");

    public ReportTests() => Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void The_page_and_the_charts_are_the_committed_ones()
    {
        File.WriteAllLines(Raw, tiny);
        Assert.Empty(Render().WithCode(0).Error);
        AssertGolden();
    }

    [Theory, InlineData("de_DE.UTF-8", "Asia/Kolkata"), InlineData("tr_TR.UTF-8", "America/New_York")]
    public void Culture_and_time_zone_change_nothing(string culture, string zone)
    {
        File.WriteAllLines(Raw, tiny);
        Tool.RunWith([("LANG", culture), ("LC_ALL", culture), ("TZ", zone),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")], "render", scratch.Folder, "--charts", "svg").WithCode(0);
        AssertGolden();
    }

    [Fact]
    public void Rendering_twice_removes_charts_that_are_no_longer_drawn_and_nothing_else()
    {
        File.WriteAllLines(Raw, tiny);
        File.WriteAllText(scratch.PathOf("notes.svg"), "mine");
        File.WriteAllText(scratch.PathOf("throughput-reliable-unordered.svg"), "old");
        Render().WithCode(0);
        Assert.True(File.Exists(scratch.PathOf("notes.svg")));
        Assert.False(File.Exists(scratch.PathOf("throughput-reliable-unordered.svg")));
    }

    [Fact]
    public void A_torn_last_line_and_garbage_are_skipped_with_a_warning()
    {
        File.WriteAllLines(Raw, [.. tiny[..4], "garbage", .. tiny[4..]]);
        File.AppendAllText(Raw, tiny[5][..40]);
        var ended = Render().WithCode(0);
        Assert.Equal(2, ended.Error.Length);
        Assert.Contains("raw.jsonl:5:", ended.Error[0]);
        Assert.Contains($"raw.jsonl:{tiny.Length + 2}:", ended.Error[1]);
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.Contains("raw.jsonl:5:", page);
        var lines = page.Split('\n');
        Assert.All(File.ReadAllLines(Path.Combine(data, "report.md")), line => Assert.Contains(line, lines));
    }

    [Fact]
    public void An_interval_that_breaks_the_contract_is_skipped_with_a_warning()
    {
        var sound = tiny.First(line => line.Contains("\"record\":\"interval\""));
        string[] odd =
        [
            sound.Replace("\"sent\":", "\"sent\":1,\"sent\":"), sound.Replace("\"sent\":", "\"seen\":"),
            sound.Replace("\"sent\":5000", "\"sent\":5000.0"), sound.Replace("\"window\"", "\"windows\""),
            sound.Replace("\"v\":1", "\"v\":2"), sound.Replace("\"elapsed_s\":2.0", "\"elapsed_s\":1e999"),
            sound.Replace("\"rss_bytes\":50000000", "\"rss_bytes\":null"), sound + "1", sound[..^1], "[" + sound + "]",
        ];
        File.WriteAllLines(Raw, [.. tiny, .. odd, sound]);
        var ended = Render().WithCode(0);
        Assert.Equal(odd.Length, ended.Error.Length);
        Assert.All(ended.Error.Select((line, i) => (line, i)), skipped =>
            Assert.StartsWith($"Skipped raw.jsonl:{tiny.Length + skipped.i + 1}:", skipped.line));
    }

    [Fact]
    public void A_folder_that_is_missing_or_holds_no_records_is_told_in_one_sentence()
    {
        foreach (var folder in new[] { scratch.Folder, scratch.PathOf("missing"), "/dev/null" })
            Tool.Run("render", folder).WrongUsage();
        Tool.Run("check", scratch.PathOf("missing.jsonl")).WrongUsage();
        Tool.Run("check").WrongUsage();
        Tool.Run().WrongUsage();
    }

    [Fact]
    public void Records_without_a_measurement_make_a_page_that_says_so()
    {
        foreach (var lines in new[] { [], tiny[..2] })
        {
            File.WriteAllLines(Raw, lines);
            Render().WithCode(0).Sentence();
            Assert.Contains("Nothing was measured.", File.ReadAllText(scratch.PathOf("report.md")));
        }
    }

    [Fact]
    public void Cells_of_mixed_versions_are_named_at_the_top_and_in_their_rows()
    {
        var records = MadeUp.Cell("enet", "unreliable", 1, [9_000, 9_100]);
        foreach (var record in records[..2]) record["library_version"] = "2.4.7";
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. records, .. MadeUp.Cell("udp", "unreliable", 1, [9_000, 9_100])]);
        Render().WithCode(0);
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        Assert.Contains("\nNot of one version of the library: the launches of 1 cell.\n", page);
        Assert.Matches(@"(?m)^\| enet \|.*\| .*mixes versions of the library.* \|$", page);
    }

    [Fact]
    public void Good_files_are_good()
    {
        File.WriteAllLines(Raw, Contract.Examples.Values);
        Tool.Run("check", Raw, Path.Combine(data, "tiny.jsonl")).WithCode(0);
    }

    public static TheoryData<string, string, string> Faults => new()
    {
        { "\"connect_s\":0.01", "\"connect_ms\":1,\"connect_s\":0.01", "connect_ms is unknown" },
        { "\"connect_s\":0.01,", "", "connect_s is missing" },
        { "\"not_warm\":false", "\"not_warm\":false,\"not_warm\":false", "not_warm" },
        { "\"library\":\"udp\"", "\"library\":7", "library is no string" },
        { "\"elapsed_s\":1.0", "\"elapsed_s\":\"1.0\"", "elapsed_s is no number" },
        { "\"rtt_count\":10000", "\"rtt_count\":10000.5", "rtt_count is no int" },
        { "\"rtt_sum_ns\":1010000000", "\"rtt_sum_ns\":null", "rtt_sum_ns is no int" },
        { "\"clients\":1,", "", "settings.clients is missing" },
        { "\"record\":\"client\"", "\"record\":\"clients\"", "'clients' is no record" },
        { "\"v\":1", "\"v\":2", "v is 2" },
        { "\"received_drain\":1", "\"received_drain\":2", "sent_window is 10000" },
        { "[198656,100]", "[198656,101]", "rtt_ns" },
        { "[198656,100]", "[198657,100]", "rtt_ns" },
        { "[198656,100],[397312,11]", "[397312,11],[198656,100]", "rtt_ns" },
        { "\"rtt_min_ns\":99400", "\"rtt_min_ns\":null", "rtt_min_ns" },
    };

    [Theory, MemberData(nameof(Faults))]
    public void A_bad_line_is_named_with_its_file_its_number_and_its_fault(string good, string bad, string fault)
    {
        var index = Array.FindIndex(tiny, line => line.Contains("\"record\":\"client\""));
        var at = tiny[index].IndexOf(good);
        Assert.True(at >= 0, $"tiny.jsonl:{index + 1} has no {good}");
        File.WriteAllLines(Raw, [.. tiny[..index],
            tiny[index][..at] + bad + tiny[index][(at + good.Length)..], .. tiny[(index + 1)..]]);
        var ended = Tool.Run("check", Raw).WithCode(1);
        Assert.All(ended.Error, line => Assert.StartsWith($"{Raw}:{index + 1}: ", line));
        Assert.Contains(ended.Error, line => line.Contains(fault));
        Assert.Contains("1 bad line", ended.Out.Single());
    }

    [Fact]
    public void An_error_record_has_the_reason_without_paths()
    {
        using var error = Command.Start("dotnet", Tool.LeadPath, "error", "--run-id", "sweep", "--library", "zzz",
            "--kind", "unavailable", "--exit-code", "1");
        error.Write("  Determining projects to restore...\n" +
            "/home/me/suite/bench-zzz/bench-zzz.csproj : error NU1101: Unable to find package Zzz. " +
            "No packages exist with this id in source(s): nuget.org [/home/me/suite/bench-zzz/bench-zzz.csproj]\n");
        var record = Assert.Single(error.Wait().WithCode(0).Records);
        Assert.Empty(Contract.Faults(record, "error"));
        Assert.Equal("NU1101: Unable to find package Zzz. No packages exist with this id in source(s): nuget.org",
            (string?)record["reason"]);
        Assert.Equal(JTokenType.Null, record["settings"]!.Type);
    }

    Ended Render() => Tool.Run("render", scratch.Folder, "--charts", "svg");

    void AssertGolden()
    {
        var golden = Directory.GetFiles(data).Select(path => Path.GetFileName(path)!).Where(file => file != "tiny.jsonl");
        var made = Directory.GetFiles(scratch.Folder).Select(path => Path.GetFileName(path)!).Where(file => file is not ("raw.jsonl" or "report.html"));
        Assert.Equal(golden.Order(), made.Order());
        Assert.All(golden, file => Assert.Equal(
            Regex.Split(File.ReadAllText(Path.Combine(data, file)), "(?<=\n)"),
            Regex.Split(File.ReadAllText(scratch.PathOf(file)), "(?<=\n)")));
    }
}
