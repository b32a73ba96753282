using System.Globalization;
using System.IO.Compression;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The index of all results and the part of the front page that shows the newest; and that what is
/// committed under results/ is what its records make.</summary>
public sealed class IndexTests : OfReport
{
    const string Render = "dotnet run -c Release --project report -- render results/NAME";
    const string Begin = "<!-- report index: raw -->";
    const string End = "<!-- end -->";
    const string Front = $"# Mine\n\n{Begin}\nold\n{End}\n\nMore.\n";

    string Results => scratch.PathOf("results");
    string Page => File.ReadAllText(scratch.PathOf("README.md"));
    string SideBySide => Path.Combine(Results, "index.html");
    string Index => File.ReadAllText(Path.Combine(Results, "README.md"));

    [Fact]
    public void Sweeps_stand_newest_first_and_the_newest_that_is_fit_on_the_front_page()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        Sweep("a-newest-but-stopped", "2026-11-24T00:00:00Z", MadeUp.Five[..2]);
        string[] pictures = ["throughput-reliable-ordered.png", "throughput-unreliable.png"];
        Sweep("b-newest", "2026-11-23T00:00:00Z", MadeUp.Five, pictures);
        Sweep("c-old", "2026-11-22T00:00:00Z", MadeUp.Five, "throughput-unreliable.png");
        Sweep("d-not-rendered", "2026-11-25T00:00:00Z", MadeUp.Five);
        File.Delete(scratch.PathOf("results", "d-not-rendered", "report.md"));
        File.AppendAllText(scratch.PathOf("results", "d-not-rendered", "raw.jsonl"), "garbage\n");
        Directory.CreateDirectory(scratch.PathOf("results", "e-empty"));
        Sweep("f-older", "2026-11-26T00:00:00Z", MadeUp.Five);
        var older = scratch.PathOf("results", "f-older", "raw.jsonl");
        File.WriteAllText(older, File.ReadAllText(older).Replace("\"v\":11", "\"v\":8"));
        var passed = Run().WithCode(0).Error;
        Assert.Equal(2, passed.Length);
        Assert.Equal("Passed over 'e-empty', which has no raw.jsonl.", passed[0]);
        Assert.StartsWith($"Passed over {older}: v is 8, not 11", passed[1]);

        string[] newestFirst =
        [
            "d-not-rendered/raw.jsonl",
            "a-newest-but-stopped/report.md",
            "b-newest/report.md",
            "c-old/report.md",
        ];
        var links = Regex.Matches(Index, @"\]\(([^|)]*)\) \|").Select(link => link.Groups[1].Value);
        Assert.Equal(newestFirst, links);
        const string Row = "| 2026-11-23 | quick | 5 | AMD EPYC, 2 CPUs | "
            + "[echoes of 32 B, 1 client with 1 message in flight each](b-newest/report.md) | "
            + "unreliable: enet and kcp2k tie (8,000 and 7,900 msgs/s). |";
        Assert.Contains(Row, Index);
        Assert.Contains("| 1 line could not be read. |", Index);

        const string Top = $"# Mine  {Begin} [echoes of 32 B, 1 client with 1 message in flight each]"
            + "(results/b-newest/report.md), measured 2026-11-23 on AMD EPYC, 2 CPUs.  | library | ";
        Assert.StartsWith(Top, Page.Replace('\n', ' '));
        Assert.All(Page.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
        Assert.EndsWith($"\n{End}\n\nMore.\n", Page);
        Assert.Contains("\n| library | msgs/s (x baseline), 1 x 1 | server CPU µs/msg |\n|---|---:|---:|\n", Page);
        Assert.Contains("\n| enet | 8,000 (0.800x) | 100 |\n", Page);
        Assert.DoesNotContain("old", Page);

        // The same bytes, and no file written anew.
        var page = Page;
        var index = Index;
        var sideBySide = File.ReadAllText(SideBySide);
        File.SetLastWriteTimeUtc(scratch.PathOf("README.md"), DateTime.UnixEpoch);
        Tool.RunIn(Tool.Turkish, "index", Results + "/", "--charts", "none").WithCode(0);
        Assert.Equal(page, Page);
        Assert.Equal(index, Index);
        Assert.Equal(sideBySide, File.ReadAllText(SideBySide));
        Assert.Equal(DateTime.UnixEpoch, File.GetLastWriteTimeUtc(scratch.PathOf("README.md")));
    }

    [Fact]
    public void A_ratio_is_over_all_sweeps_of_the_same_load_and_versions_with_an_interval_that_holds_their_difference()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        void Measure(string name, string day, double ratio, string version = "2.4.8", int cpus = 2, string cpu = "A")
        {
            double[][] Launches(double factor) =>
                [.. Enumerable.Repeat<double[]>([.. Enumerable.Range(0, 8).Select(i => factor * (10_000 + i))], 5)];
            MadeUp.Write(scratch.PathOf("results", name),
            [
                MadeUp.Machine(
                    ("date_utc", $"{day}T00:00:00Z"), ("repeats", 5), ("cpu_count", cpus), ("cpu_model", cpu)),
                .. MadeUp.Interleaved("udp", "unreliable", 10, Launches(1)),
                .. MadeUp.Interleaved("enet", "unreliable", 10, Launches(ratio), ("ready.library_version", version)),
                // Two of its launches failed.
                .. MadeUp.Interleaved("kcp2k", "unreliable", 10, Launches(0.5)[..3]),
            ]);
            File.WriteAllText(scratch.PathOf("results", name, "report.md"), "");
        }
        Measure("one", "2026-11-22", 2.0);
        Run().WithCode(0);
        Assert.Contains(" (2.00x) |", Page);
        Measure("of-another-cpu", "2026-11-23", 2.2, cpu: "B");
        Measure("of-an-old-version", "2026-11-21", 9.0, version: "2.4.7");
        Measure("of-more-cpus", "2026-11-20", 9.0, cpus: 16);
        Run().WithCode(0);
        Assert.Matches(@"\| enet \| [\d,]+ \(2\.00–2\.20x\) \|", Page);
        Assert.Contains("| enet, unreliable | 2.4.8 | 2 | 2.10x | 2.00–2.20 |", Index);
        Assert.Contains("Rates are of this sweep; ratios are those of two sweeps.", Page.Replace('\n', ' '));
        Assert.Contains("Over several sweeps", File.ReadAllText(SideBySide));
        Measure("third", "2026-11-24", 2.1);
        Run().WithCode(0);
        var pooled = Regex.Match(Page, @"\| enet \| [\d,]+ \(2\.(\d\d)x, ([\d.]+)–([\d.]+)\) \|");
        Assert.True(pooled.Success, Page);
        Assert.Equal("10", pooled.Groups[1].Value);
        double Bound(int group) => double.Parse(pooled.Groups[group].Value, CultureInfo.InvariantCulture);
        Assert.True(Bound(2) < 2.0 && Bound(3) > 2.2, pooled.Value);
        const string OfMore = "ratios are the mean of three or more sweeps with its interval (95 %).";
        Assert.Contains(OfMore, Page.Replace('\n', ' '));
        Assert.Contains("(1.00x)", Page);
        Assert.Matches(@"\| kcp2k \| [\d,]+ \(0\.500x\) \|", Page);
    }

    [Fact]
    public void Games_are_held_against_those_of_another_sweep_by_their_CPU_time()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        Measure("one", "2026-11-22", 1.5);
        Measure("other", "2026-11-23", 2.0);
        Run().WithCode(0);
        Assert.Contains("### Games: 10 players at 20 Hz", Index);
        Assert.Contains("| library | version | sweeps | CPU x baseline | least and most of a sweep |", Index);
        Assert.Contains("| enet, unreliable | 2.4.8 | 2 | 1.73x | 1.50–2.00 |", Index);

        void Measure(string name, string day, double timesCpu)
        {
            MadeUp.Write(scratch.PathOf("results", name),
            [
                MadeUp.Machine(("date_utc", $"{day}T00:00:00Z"), ("repeats", 5)),
                .. Game("udp", 1),
                .. Game("enet", timesCpu),
            ]);
            File.WriteAllText(scratch.PathOf("results", name, "report.md"), "");
        }

        // Of each round 20 inputs were answered.
        static JObject[] Game(string library, double timesCpu)
        {
            double[] rounds = [.. Enumerable.Repeat(200.0, 8)];
            JArray cpu = [.. rounds.Select(_ => (long)(timesCpu * 1_000_000))];
            (string, object?)[] asPlayed =
            [
                .. MadeRooms.Played(players: 10, delayMs: 30),
                ("ready.library_version", "2.4.8"),
                ("launch.rounds.client_cpu_ns", cpu),
                ("launch.rounds.server_cpu_ns", cpu),
            ];
            return MadeUp.Interleaved(library, "unreliable", 10, [.. Enumerable.Repeat(rounds, 5)], asPlayed);
        }
    }

    [Fact]
    public void A_newer_sweep_of_fewer_libraries_does_not_hide_one_of_more()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        Sweep("of-three", "2026-11-22T00:00:00Z", MadeUp.Five);
        var machine = MadeUp.Machine(("date_utc", "2026-11-24T00:00:00Z"), ("repeats", MadeUp.Five.Length));
        MadeUp.Write(
            scratch.PathOf("results", "of-one"),
            [machine, .. MadeUp.Cell("enet", "unreliable", 1, MadeUp.Five)]);
        File.WriteAllText(scratch.PathOf("results", "of-one", "report.md"), "");
        Run().WithCode(0);
        Assert.Contains("(results/of-three/report.md)", Page);
    }

    [Theory]
    [InlineData(5, false, "unreliable: fastest was enet (10 k msgs/s).")]
    [InlineData(4, false, "unreliable: fastest was enet (9,975 msgs/s; order not proven against kcp2k).")]
    [InlineData(1, false, "unreliable: fastest was enet (9,900 msgs/s; one launch: order not proven).")]
    [InlineData(5, true, "unreliable: fastest was enet (10 k msgs/s; order not proven against kcp2k).")]
    public void The_fastest_is_ranked_where_both_have_intervals_and_the_other_no_lower_bound(
        int launches, bool isClientBound, string headline)
    {
        double[] rates = [9_900, 9_950, 10_000, 10_050, 10_100];
        var slower = MadeUp.Cell("kcp2k", "unreliable", 1, [.. rates.Select(rate => 0.5 * rate)]);
        MadeUp.With(slower, MadeUp.Busy("server", 0));
        if (isClientBound)
            MadeUp.With(slower, MadeUp.Busy("client", 2));
        var faster = MadeUp.Cell("enet", "unreliable", 1, rates[..launches]);
        MadeUp.Write(scratch.PathOf("results", "one"), [MadeUp.Machine(), .. faster, .. slower]);
        Run();
        Assert.Contains($" | {headline} |", Index);
        Tool.Run("render", scratch.PathOf("results", "one"), "--charts", "none").WithCode(0);
        Assert.Contains($"\n- {headline}\n", Pages.In(scratch.PathOf("results", "one")));
    }

    [Fact]
    public void A_first_look_interleaved_stands_on_the_front_page_until_there_is_something_better()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        void Sweep(string name, string date, int launches)
        {
            double[][] Rates(double speed)
            {
                double[] ofLaunch = [.. Enumerable.Range(1, 12).Select(round => speed * 1_000 * round)];
                return [.. Enumerable.Repeat(ofLaunch, launches)];
            }
            MadeUp.Write(scratch.PathOf("results", name),
            [
                MadeUp.Machine(("date_utc", date)),
                .. MadeUp.Interleaved("udp", "unreliable", 1, Rates(1)),
                .. MadeUp.Interleaved("enet", "unreliable", 1, Rates(0.8)),
            ]);
            foreach (var file in new[] { "throughput-unreliable.png", "report.md" })
                File.WriteAllText(scratch.PathOf("results", name, file), "");
        }
        Sweep("quick", "2026-11-24T00:00:00Z", 1);
        Run().WithCode(0);
        Assert.Contains("](results/quick/report.md)", Page);
        Assert.Contains("**One launch: not a ranking.**", Page.Replace('\n', ' '));
        Sweep("essential", "2026-11-23T00:00:00Z", 5);
        Run().WithCode(0);
        Assert.Contains("](results/essential/report.md)", Page);
        Assert.DoesNotContain("One launch", Page);
        Assert.Contains(" (0.800x) | ", Page);
        var chart = Assert.Single(ShownCharts.ChartsOf(Results));
        const string Says = "Throughput, times the baseline's, and CPU time per message over 2 sweeps";
        Assert.StartsWith(Says, (string)chart["says"]!);
        Assert.Equal("times the baseline's messages/s", (string?)chart["panels"]![0]!["y"]!["title"]);
    }

    [Fact]
    public void The_front_page_has_a_row_a_library_and_says_once_why_figures_are_missing()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        static JObject[] Of(string library, string delivery, double rate, params (string, object?)[] fields)
        {
            double[] rounds = [.. Enumerable.Range(1, 12).Select(round => rate * round)];
            return MadeUp.Interleaved(library, delivery, 1, [.. Enumerable.Repeat(rounds, 5)], fields);
        }
        MadeUp.Write(scratch.PathOf("results", "one"),
        [
            MadeUp.Machine(("repeats", 5)),
            .. Of("tcp", "reliable-ordered", 1_000),
            .. Of("enet", "reliable-ordered", 2_000),
            .. Of("litenetlib", "reliable-ordered", 3_000),
            .. Of("litenetlib", "reliable-unordered", 4_000),
            .. Of("udp", "unreliable", 1_000),
            .. Of("enet", "unreliable", 500),
            .. Of("kcp2k", "unreliable", 500, MadeUp.Slept(2)),
        ]);
        File.WriteAllText(scratch.PathOf("results", "one", "report.md"), "");
        Run().WithCode(0);
        string[] rows =
        [
            "| litenetlib | 19,500 (3.00x) | 100 | – | – |",
            "| enet | 13,000 (2.00x) | 100 | 3,250 (0.500x) | 100 |",
            "| tcp and udp (baseline) | 6,500 (1.00x) | 100 | 6,500 (1.00x) | 100 |",
            "| kcp2k | – | – | – | – |",
        ];
        Assert.Equal(rows, Page.Split('\n').Where(line => line.StartsWith('|')).Skip(2));
        const string Head = "| library | reliable: msgs/s (x baseline), 1 x 1 | reliable: server CPU µs/msg "
            + "| unreliable: ";
        Assert.Contains(Head, Page);
        Assert.Contains(
            "A dash: there is no such figure, or the machine slept for 2 s.",
            Page.Replace('\n', ' '));
        Assert.DoesNotContain("reliable-unordered", Page);
    }

    [Fact]
    public void A_column_of_dashes_is_left_to_the_report()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        string[] polling = ["enet", "kcp2k", "litenetlib", "netcoreserver"];
        MadeUp.Write(scratch.PathOf("results", "one"),
        [
            MadeUp.Machine(("repeats", 5)),
            .. MadeUp.Interleaved("udp", "unreliable", 1, [.. Enumerable.Repeat(MadeUp.Five, 5)]),
            .. polling.SelectMany(library => MadeUp.Interleaved(
                library,
                "unreliable",
                1,
                [.. Enumerable.Repeat(MadeUp.Five, 5)],
                ("server.ready.waits", "polls"))),
        ]);
        File.WriteAllText(scratch.PathOf("results", "one", "report.md"), "");
        Run().WithCode(0);
        Assert.Contains("\n| library | msgs/s (x baseline), 1 x 1 |\n", Page);
        Assert.DoesNotContain("A dash", Page);
    }

    [Fact]
    public void What_cannot_be_indexed_is_told_in_one_sentence_and_the_front_page_stays()
    {
        Assert.Contains("There is no folder", Run().WrongUsage());
        Directory.CreateDirectory(Results);
        Assert.Contains("There is no sweep in", Run().WrongUsage());
        Sweep("quick", "2026-11-24T00:00:00Z", MadeUp.Five[..2]);
        Assert.Contains("There is no README.md with a line", Run().WithCode(0).Sentence());
        File.WriteAllText(scratch.PathOf("README.md"), Front.Replace("raw", "fastest"));
        Assert.Contains("asks for 'fastest', which is none of games, chats, calls,", Run().WrongUsage());
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        var told = Run().WithCode(0).Sentence();
        Assert.Contains("stays as it is: it takes interleaved libraries or 5 launches per cell", told);
        Assert.Equal(Front, Page);
        foreach (var torn in new[] { Front.Replace(End, ""), Front.Replace(Begin, ""), Front.Replace(End, Begin) })
        {
            File.WriteAllText(scratch.PathOf("README.md"), torn);
            Assert.Contains("is to have a line '<!-- end -->' below it", Run().WrongUsage());
            Assert.Equal(torn, Page);
        }
        // A folder that takes no file; root may write into any other.
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        File.Delete(scratch.PathOf("results", "README.md"));
        Directory.CreateDirectory(scratch.PathOf("results", "README.md.tmp"));
        var ended = Run().WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Contains("README.md.tmp' is denied", ended.Error[^1]);
        Assert.Equal(Front, Page);
    }

    [Fact]
    public void What_people_wrote_between_its_marks_stays_in_the_index()
    {
        Sweep("one", "2026-11-24T00:00:00Z", MadeUp.Five);
        Run().WithCode(0);
        const string Kept = "<!-- kept by report index -->\n## Headlines\n\nTheirs and *ours*.\n<!-- end -->";
        File.WriteAllText(Path.Combine(Results, "README.md"), $"Old.\n{Kept}\nOld.\n");
        Run().WithCode(0);
        Assert.EndsWith($"\n\n{Kept}\n\nWritten by `report index`.\n", Index);
        Assert.DoesNotContain("Old.", Index);
    }

    [Fact]
    public void Hostile_strings_stay_inert()
    {
        File.WriteAllText(scratch.PathOf("README.md"), Front);
        var name = "[x](y) <b> | #";
        var machine = MadeUp.Machine(
            ("repeats", 5),
            ("date_utc", MadeUp.Hostile),
            ("preset", "`" + MadeUp.Hostile),
            ("cpu_model", $"x\n{End}\n" + MadeUp.Hostile),
            ("suite_commit", MadeUp.Hostile),
            ("os", new string('x', 1 << 20)));
        var cell = MadeUp.Cell(MadeUp.Hostile, "unreliable", 1, MadeUp.Five, ("settings.address", MadeUp.Hostile));
        MadeUp.Write(scratch.PathOf("results", name), [machine, .. cell]);
        File.WriteAllText(scratch.PathOf("results", name, "report.md"), "");
        Run().WithCode(0);
        foreach (var page in new[] { Index, Page })
        {
            Assert.DoesNotContain(page, letter => char.IsControl(letter) && letter != '\n' || letter == '\u202e');
            Assert.DoesNotContain("<b", Regex.Replace(page.Replace(@"\<", ""), "`[^`\n]*`", ""));
            Assert.DoesNotContain("\n# x", page);
            Assert.Contains("%5Bx%5D%28y%29%20%3Cb%3E%20%7C%20%23/report.md)", page);
            Assert.InRange(page.Length, 100, 10_000);
            var rows = page.Split('\n').Where(line => line.StartsWith('|'));
            Assert.Single(rows.Select(row => row.Replace(@"\|", "").Split('|').Length).Distinct());
        }
        Assert.Single(Regex.Matches(Page, $"(?m)^{Regex.Escape(End)}$"));
    }

    // Whoever has measured and not committed it yet has committed nothing wrong.
    [Fact]
    public void All_that_is_committed_under_results_is_what_its_records_make()
    {
        var isCheckout = Path.Exists(Repo.PathOf(".git"));
        Assert.SkipUnless(isCheckout, "This is no git checkout, so that nobody knows what is committed.");
        Assert.SkipWhen(Runner.Missing("git") != null, "There is no git here.");
        var committed = scratch.PathOf("committed", "results");
        var zip = scratch.PathOf("committed.zip");
        string[] words = ["-C", Repo.Root, "archive", "--format=zip", "-o", zip, "HEAD", "README.md", "results"];
        using (var archive = Command.Start("git", words))
        {
            archive.Wait().WithCode(0);
        }
        foreach (var copy in new[] { scratch.PathOf("committed"), scratch.Folder })
            ZipFile.ExtractToDirectory(zip, copy);
        Pictures.SkipWithout(Tool.Run("index", Results).WithCode(0));
        AssertSame(scratch.PathOf("committed", "README.md"), scratch.PathOf("README.md"));
        AssertSame(Path.Combine(committed, "README.md"), Path.Combine(Results, "README.md"));
        AssertSame(Path.Combine(committed, "index.html"), SideBySide);
        Assert.Equal(Files(committed), Files(Results));

        foreach (var sweep in Directory.GetDirectories(Results))
        {
            var name = Path.GetFileName(sweep);
            if (Directory.GetFiles(sweep, "raw.jsonl*").Length == 0)
                continue;
            foreach (var file in Directory.GetFiles(sweep).Where(IsMade))
                File.Delete(file);
            Tool.Run("render", sweep).WithCode(0);
            var was = Files(Path.Combine(committed, name));
            Assert.Equal(was, Files(sweep));
            // The pixels of pictures are those of the machine's fonts.
            foreach (var file in was.Where(file => !file.EndsWith(".png")))
                AssertSame(Path.Combine(committed, name, file), Path.Combine(sweep, file));
        }
    }

    static bool IsMade(string file) => Path.GetFileName(file) is not ("raw.jsonl" or "raw.jsonl.br" or "noise.json");

    // The names in a folder, but for the page, which is another where a build found npm.
    static string[] Files(string folder)
    {
        var names = Directory.GetFiles(folder).Select(path => Path.GetFileName(path)!);
        return [.. names.Where(name => name != "report.html").Order(StringComparer.Ordinal)];
    }

    void AssertSame(string was, string now)
    {
        var isSame = File.ReadAllBytes(was).AsSpan().SequenceEqual(File.ReadAllBytes(now));
        var file = Path.GetRelativePath(scratch.PathOf("committed"), was);
        Assert.True(isSame, $"{file} is not what its records make: run `{Render}` for each folder of results and "
            + "`… -- index`, and commit what they write.");
    }

    // A rendered one; charts: files of that name.
    void Sweep(string name, string date, double[] rates, params string[] charts)
    {
        MadeUp.Write(scratch.PathOf("results", name),
        [
            MadeUp.Machine(("date_utc", date), ("repeats", MadeUp.Five.Length)),
            .. MadeUp.Cell("udp", "unreliable", 1, rates),
            .. MadeUp.Cell("enet", "unreliable", 1, [.. rates.Select(rate => 0.8 * rate)]),
            .. MadeUp.Cell("kcp2k", "unreliable", 1, [.. rates.Select(rate => 0.79 * rate)]),
        ]);
        foreach (var file in charts.Append("report.md"))
            File.WriteAllText(scratch.PathOf("results", name, file), "");
    }

    Ended Run() => Tool.Run("index", Results, "--charts", "none");
}
