using System.IO.Compression;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>
/// The report tool says what the records say. data/report.md and appendix.md are what it makes of data/tiny.jsonl;
/// the figures were worked out by hand from the records, percentiles as the middle of their bucket:
/// <code>
/// udp 1 x 1   19,000 round trips: 9,889 [99,328 ns  8,890 [110,592  199 [198,656  22 [397,312
///             p50 rank  9,500: 99,328 + 1,024 / 2 =  99.8 µs    p99 rank 18,810: 198,656 + 2,048 / 2 = 200 µs
///             p99.9 rank 18,981: 397,312 + 4,096 / 2 = 399 µs   slices of 16 rounds: (9,200 + 9,360) / 2 = 9,280
/// tcp 1 x 1   20,000 round trips: 19,960 [100 ns  30 [128  10 [130
///             p99 rank 19,800: 100 ns                           p99.9 rank 19,980: 128 + 2 / 2 = 129 ns
/// tcp 100 x 1 in r2 0.06 s of 2 CPU s were stolen, and of 1.9 s both sides took 1.5 s
/// litenetlib  tuned: 99 of 9,999 lost, 70 of them by the kernel; clients 2 s of 2 CPU s;
///             server 0.2 s / 9,929 = 20.1 µs
/// udp         at 20,000/s: p99 of the lag, rank 16,830 of 17,000: 1,998,848 + 16,384 / 2 ns = 2,007 µs
/// </code>
/// After a change that is meant: render a copy with pictures, check the figures, copy report.md and appendix.md here.
/// </summary>
public sealed class ReportTests : OfReport
{
    static readonly string data = Repo.PathOf("tests", "data");
    static readonly string[] tiny = File.ReadAllLines(Path.Combine(data, "tiny.jsonl"));

    const string Window = "\"side\":\"client\",\"client_machine\":0,\"phase\":\"window\"";

    string Raw => scratch.PathOf("raw.jsonl");

    [Fact]
    public void The_page_is_the_committed_one_and_its_pictures_lie_beside_it()
    {
        File.WriteAllLines(Raw, tiny);
        Assert.Empty(Pictures.Render(scratch.Folder).Error);
        Assert.Equal(LinesOf(Golden), LinesOf(Made));
        var pictures = Regex.Matches(Golden, @"\(([a-z-]+\.png)\)").Select(link => link.Groups[1].Value);
        string[] expected = [.. pictures.Distinct(), "appendix.md", "raw.jsonl", "report.html", "report.md"];
        var made = Directory.GetFiles(scratch.Folder).Select(path => Path.GetFileName(path)!);
        Assert.Equal(expected.Order(StringComparer.Ordinal), made.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(Tool.German)]
    [InlineData(Tool.Turkish)]
    public void Culture_and_time_zone_change_nothing(string culture)
    {
        File.WriteAllLines(Raw, tiny);
        Tool.RunIn(culture, "render", scratch.Folder, "--charts", "none").WithCode(0);
        const string OfPictures = "(?s)(?<=\n## Charts\n).*?(?=\nMore: )";
        const string OfAllPictures = "(?s)\n## All charts\n.*?(?=\n## )";
        const string NoPictures = "\nThere are no pictures, because none were asked for.\n";
        var without = Regex.Replace(Golden, OfPictures, NoPictures);
        Assert.Equal(LinesOf(Regex.Replace(without, OfAllPictures, "")), LinesOf(Made));
    }

    [Fact]
    public void Records_packed_by_brotli_make_the_same_page_and_take_no_more_records()
    {
        File.WriteAllLines(Raw, tiny);
        Render().WithCode(0);
        var page = Made;
        var packed = Raw + ".br";
        using (var file = new BrotliStream(File.Create(packed), CompressionLevel.Optimal))
        {
            file.Write(File.ReadAllBytes(Raw));
        }
        File.Delete(Raw);
        Render().WithCode(0);
        Assert.Equal(page, Made);
        Tool.Run("check", packed).WithCode(0);
        var refused = Tool.Lead("sweep", "--resume", scratch.Folder).WrongUsage();
        Assert.EndsWith("takes no more records: `brotli -d` it first.", refused);
        File.WriteAllText(packed, "This is nothing that brotli made.");
        Assert.EndsWith("is not whole, or was not compressed by brotli.", Render().WrongUsage());
    }

    [Fact]
    public void Rendering_twice_removes_charts_that_are_no_longer_drawn_and_nothing_else()
    {
        File.WriteAllLines(Raw, tiny);
        string[] mine = ["notes.png", "notes.svg"];
        string[] old = ["throughput-reliable-unordered.png", "throughput-reliable-unordered.svg"];
        foreach (var file in mine.Concat(old))
        {
            File.WriteAllText(scratch.PathOf(file), "");
        }
        Render().WithCode(0);
        Assert.All(mine, file => Assert.True(File.Exists(scratch.PathOf(file)), file));
        Assert.All(old, file => Assert.False(File.Exists(scratch.PathOf(file)), file));
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
        var page = Pages.In(scratch.Folder);
        Assert.Contains("raw.jsonl:5:", page);
        var lines = page.Split('\n');
        var ofPage = Golden.Split('\n').Where(line =>
            !line.Contains(".png)") && !line.StartsWith("### ") && line != "## All charts");
        const string Missing = "1 cell failed, of enet. Unavailable: kcp2k.";
        Assert.All(ofPage.Except([Missing]), line => Assert.Contains(line, lines));
        Assert.Contains($"{Missing} 2 lines of the records could not be read.", lines);
    }

    [Fact]
    public void A_record_that_breaks_the_contract_is_skipped_with_a_warning()
    {
        var sound = tiny.First(line => line.Contains("\"phase\":\"connected\""));
        string[] odd =
        [
            sound.Replace("\"sent\":", "\"sent\":1,\"sent\":"),
            sound.Replace("\"sent\":", "\"seen\":"),
            sound.Replace("\"sent\":0", "\"sent\":0.0"),
            sound.Replace("\"connected\"", "\"connecting\""),
            sound.Replace("\"v\":11", "\"v\":8"),
            sound.Replace("\"elapsed_ns\":20000000", "\"elapsed_ns\":1e999"),
            sound.Replace("\"rss_bytes\":59000000", "\"rss_bytes\":null"),
            sound + "1",
            sound[..^1],
            "[" + sound + "]",
        ];
        Assert.DoesNotContain(sound, odd);
        File.WriteAllLines(Raw, [.. tiny, .. odd, sound]);
        var ended = Render().WithCode(0);
        Assert.Equal(odd.Length, ended.Error.Length);
        for (var i = 0; i < odd.Length; i++)
            Assert.StartsWith($"Skipped raw.jsonl:{tiny.Length + i + 1}:", ended.Error[i]);
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
            Assert.Contains("Nothing was measured.", Pages.In(scratch.Folder));
        }
    }

    [Fact]
    public void Cells_of_mixed_versions_are_named_at_the_top_and_in_their_rows()
    {
        var enet = MadeUp.Cell("enet", "unreliable", 1, [9_000, 9_100]);
        var ofFirstRun = enet.TakeWhile(record => (string?)record["run_id"] == (string?)enet[0]["run_id"]);
        MadeUp.With([.. ofFirstRun], ("ready.library_version", "2.4.7"));
        var udp = MadeUp.Cell("udp", "unreliable", 1, [9_000, 9_100]);
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. enet, .. udp]);
        Render().WithCode(0);
        var page = Pages.In(scratch.Folder);
        Assert.Contains("\nNot of one version of the library: the launches of 1 cell.\n", page);
        Assert.Matches(@"(?m)^\| enet \|.*\| .*mixes versions of the library.* \|$", page);
    }

    [Fact]
    public void Good_files_are_good()
    {
        File.WriteAllLines(Raw, Contract.Examples.Values);
        File.WriteAllLines(scratch.PathOf("other.jsonl"), tiny);
        var told = Tool.Run("check", Raw, scratch.PathOf("other.jsonl")).WithCode(0).Out.Single();
        Assert.Equal($"{Contract.Examples.Count + tiny.Length} good records, 0 bad lines", told);
    }

    [Fact]
    public void A_folder_is_checked_by_its_records()
    {
        File.WriteAllLines(Raw, [tiny[0], "garbage", tiny[1]]);
        var ended = Tool.Run("check", scratch.Folder).WithCode(1);
        Assert.StartsWith($"{Raw}:2: ", ended.Error[0]);
        Assert.StartsWith("2 good records, 1 bad line, ", ended.Out.Single());
        File.Delete(Raw);
        Assert.Contains("raw.jsonl", Tool.Run("check", scratch.Folder).WrongUsage());
        Tool.Run("check", scratch.PathOf("missing")).WrongUsage();
    }

    public static TheoryData<string, string, string, string> Faults => new()
    {
        { Window, "\"gc_pause_ns\":", "\"gc_count\":1,\"gc_pause_ns\":", "gc_count is unknown" },
        { Window, "\"gc_pause_ns\":0,", "", "gc_pause_ns is missing" },
        { Window, "\"gc_pause_ns\":0", "\"gc_pause_ns\":0,\"gc_pause_ns\":0", "gc_pause_ns" },
        { Window, "\"library\":\"udp\"", "\"library\":7", "library is no string" },
        { Window, "\"elapsed_s\":1.0", "\"elapsed_s\":\"1.0\"", "outside.elapsed_s is no number" },
        { Window, "\"sent\":10000", "\"sent\":10000.5", "sent is no int" },
        { Window, "\"rtt_sum_ns\":1010000000", "\"rtt_sum_ns\":null", "outcomes.rtt_sum_ns is no int" },
        { Window, "\"record\":\"slice\"", "\"record\":\"slices\"", "'slices' is no kind of record" },
        { Window, "\"phase\":\"window\"", "\"phase\":\"windows\"", "phase is 'windows'" },
        { Window, "\"v\":11", "\"v\":9", "v is 9, not 11" },
        { Window, "\"v\":11", "\"v\":12", "v is 12, not 11" },
        { Window, "\"v\":11", "\"v\":36893488147419103232", "v is 36893488147419103232" },
        { Window, "\"received\":10000", "\"received\":10001", "sent is 10000" },
        { Window, "[198656,100]", "[198656,101]", "rtt_ns" },
        { Window, "[198656,100]", "[198657,100]", "rtt_ns" },
        { Window, "[198656,100],[397312,11]", "[397312,11],[198656,100]", "rtt_ns" },
        { Window, "\"not_sent\":0", "\"not_sent\":-1", "not_sent is negative" },
        { Window, "\"elapsed_s\":1.0", "\"elapsed_s\":-1.0", "elapsed_s is negative" },
        { "\"record\":\"ready\"", "\"connect_s\":0.01,", "", "connect_s is missing" },
        { "\"record\":\"launch\"", "\"clients\":1,", "", "settings.clients is missing" },
        {
            "\"record\":\"launch\"",
            "\"delivery\":\"unreliable\"",
            "\"delivery\":\"fast\"",
            "settings.delivery is 'fast'"
        },
        { "\"record\":\"ready\"", "\"side\":\"client\"", "\"side\":\"run\"", "side is 'run'" },
        {
            "\"record\":\"closed\"",
            "\"disconnect_s\":0.0004",
            "\"disconnect_s\":\"0.0004\"",
            "disconnect_s is no number or null"
        },
    };

    [Theory, MemberData(nameof(Faults))]
    public void A_bad_line_is_named_with_its_file_its_number_and_its_fault(
        string of, string good, string bad, string fault)
    {
        var index = Array.FindIndex(tiny, line => line.Contains(of) && line.Contains(good));
        Assert.True(index >= 0, $"tiny.jsonl has no {of} with {good}");
        // Only where it is met first, as it may be there more than once.
        var at = tiny[index].IndexOf(good, StringComparison.Ordinal);
        var badLine = tiny[index][..at] + bad + tiny[index][(at + good.Length)..];
        File.WriteAllLines(Raw, [.. tiny[..index], badLine, .. tiny[(index + 1)..]]);
        var ended = Tool.Run("check", Raw).WithCode(1);
        Assert.All(ended.Error, line => Assert.StartsWith($"{Raw}:{index + 1}: ", line));
        Assert.Contains(ended.Error, line => line.Contains(fault));
        Assert.Contains("1 bad line", ended.Out.Single());
    }

    [Theory]
    [InlineData(9)]
    [InlineData(12)]
    public void A_file_of_another_version_is_refused_in_one_sentence_and_its_report_stays(int version)
    {
        File.WriteAllLines(Raw, tiny.Select(line => line.Replace("\"v\":11", $"\"v\":{version}")));
        File.WriteAllText(scratch.PathOf("report.md"), "made by the suite that wrote the records");
        string[][] verbs =
        [
            ["check", Raw],
            ["render", scratch.Folder],
            ["show", scratch.Folder],
            ["export", scratch.Folder],
            ["compare", scratch.Folder, scratch.Folder],
        ];
        foreach (var verb in verbs)
        {
            var told = Tool.Run(verb).WrongUsage();
            Assert.Contains(
                $"{Raw}: v is {version}, not 11: read it with the commit of the suite that wrote it.", told);
        }
        Assert.Equal(["raw.jsonl", "report.md"], Directory.GetFiles(scratch.Folder).Select(Path.GetFileName).Order());
        Assert.StartsWith("made by", Pages.FrontIn(scratch.Folder));
    }

    [Fact]
    public void What_a_library_cannot_do_is_told_once()
    {
        const string None = "It has no such delivery.";
        const string Large = "It sends 1,400 bytes at most.";
        static JObject Cannot(string library, string reason, int clients) => MadeUp.Example(
            "error",
            ("side", "info"),
            ("kind", "unsupported"),
            ("exit_code", 3),
            ("run_id", $"r1-{library}-{clients}"),
            ("library", library),
            ("reason", reason),
            ("settings.clients", clients));
        JObject[] errors =
        [
            // Two runs of one library say the same, which is told once.
            Cannot("enet", None, 1),
            Cannot("enet", None, 10),
            Cannot("enet", Large, 1),
            Cannot("tcp", None, 1),
        ];
        var udp = MadeUp.Cell("udp", "unreliable", 1, [9_000, 9_100]);
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. udp, .. errors]);
        Assert.Empty(Render().WithCode(0).Error);
        var page = Pages.In(scratch.Folder);
        var told = page.Split('\n').Where(line => line.StartsWith("- ") && line.Contains("unsupported")).ToArray();
        Assert.Equal(2, told.Length);
        Assert.Single(told, line => line.StartsWith("- enet and tcp unsupported: It has no such delivery"));
        Assert.Single(told, line => line.StartsWith("- enet unsupported: ") && line.Contains("1,400 bytes"));
        // It is no cell and no failure.
        Assert.DoesNotContain("| enet |", page);
        Assert.DoesNotContain(" failed, of ", page);
    }

    Ended Render() => Tool.Run("render", scratch.Folder, "--charts", "none");

    static string Golden => Pages.In(data);

    string Made => Pages.In(scratch.Folder);

    // With their line ends, which are to be the same as well.
    static string[] LinesOf(string text) => Regex.Split(text, "(?<=\n)");
}
