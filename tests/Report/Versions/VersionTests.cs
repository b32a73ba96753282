using Newtonsoft.Json.Linq;

/// <summary>Of a library in several versions a report says first which is faster, and `compare --versions` ends by it.
/// </summary>
public sealed class VersionTests : OfReport
{
    const string Old = "litenetlib@2.1.3";
    const string New = "litenetlib@2.1.5";
    const string Heading = "## Is the newer version faster?";
    const int Clients = 10;
    const int Rounds = 20;

    [Theory]
    [InlineData(1.05, 0, @"2\.1\.5 is 1\.0[456] \(1\.0\d to 1\.0\d\) times as fast as 2\.1\.3 at 10 x 1\.", "better")]
    [InlineData(0.95, 1, @"2\.1\.5 is 0\.9[456] \(0\.9\d to 0\.9\d\) times as fast as 2\.1\.3 at 10 x 1\.", "worse")]
    [InlineData(1, 0, @"no difference between 2\.1\.5 and 2\.1\.3 is known at 10 x 1 \((0\.99|1\.00) to 1\.0[01]"
        + @"(, and under 2 % is none)?\)\.", "")]
    public void The_answer_comes_first_and_compare_ends_by_it(
        double factor, int exitCode, string sentence, string verdict)
    {
        Write([.. Cell(Old, 1, 5), .. Cell(New, factor, 5), .. Cell("tcp", 0.5, 5)]);
        var rendered = Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        Assert.Matches($"^litenetlib, unreliable: {sentence}$", Assert.Single(rendered.Out));
        var page = Pages.In(scratch.Folder);
        Assert.Contains($"\n- **{Assert.Single(rendered.Out)}**\n", page);
        // Nor is anything else said of the two, by a rule that knows larger differences alone.
        Assert.DoesNotContain(page.Split('\n'), line => line.StartsWith("- ") && line.Contains(" tie "));
        string[] headings = [.. page.Split('\n').Where(line => line.StartsWith("## "))];
        Assert.Equal(Heading, headings[0]);
        Assert.Contains("\n### litenetlib, unreliable, 10 x 1: 2.1.5 / 2.1.3\n", page);
        var rate = Assert.Single(page.Split('\n'), line => line.StartsWith("| msgs/s | "));
        Assert.EndsWith($"| {verdict} |", rate);
        foreach (var figure in new[] { "CPU µs/msg", "p99 µs", "alloc B/msg", "wire B/packet" })
        {
            Assert.Single(page.Split('\n'), line => line.StartsWith($"| {figure} | "));
        }
        Assert.Equal(rendered.Out[0], Tool.Run("show", scratch.Folder).WithCode(0).Out
            .Single(line => line.StartsWith("litenetlib, ")));
        var compared = Tool.Run("compare", "--versions", scratch.Folder).WithCode(exitCode);
        Assert.Equal(Heading, compared.Out[0]);
        Assert.Contains($"- **{rendered.Out[0]}**", compared.Out);
    }

    [Theory]
    [InlineData("50%", 0)]
    [InlineData("0.01%", 2)]
    [InlineData("5", 2)]
    public void What_is_not_known_as_closely_as_was_asked_for_is_no_answer(string widest, int exitCode)
    {
        Write([.. Cell(Old, 1, 5), .. Cell(New, 1, 5), .. Cell("tcp", 0.5, 5)]);
        var told = Tool.Run("compare", "--versions", scratch.Folder, "--widest", widest).WithCode(exitCode);
        const string Wide = "litenetlib, unreliable, 10 x 1: the ratio is known within ";
        if (exitCode != 0)
            Assert.Matches($"^({Wide}|report: '5' is no value for )", told.Error[^1]);
    }

    [Fact]
    public void Each_load_has_a_part_of_the_sentence_and_the_newest_is_held_against_every_other()
    {
        const string Branch = "litenetlib@my-branch";
        var machine = MadeUp.Machine(("sweep.libraries", $"{Branch},{New},{Old}"));
        Write(
        [
            machine,
            .. Cell(Old, 1, 5), .. Cell(New, 1, 5), .. Cell(Branch, 1.2, 5),
            .. Cell(Old, 1, 5, clients: 2), .. Cell(New, 1, 5, clients: 2), .. Cell(Branch, 1, 5, clients: 2),
        ]);
        var sentences = Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Out;
        Assert.Equal(2, sentences.Length);
        foreach (var (sentence, old) in sentences.Zip(new[] { @"2\.1\.3", @"2\.1\.5" }))
        {
            Assert.Matches(
                @"^litenetlib, unreliable: litenetlib@my-branch is 1\.[12]\d \(\S+ to \S+\) times as fast as "
                + @$"{old} at 10 x 1; no difference is known at 2 x 1 \(.*\)\.$", sentence);
        }
    }

    [Fact]
    public void Three_releases_have_a_chart_against_the_oldest_and_pairs_of_two_versions_are_none()
    {
        Write(
        [
            .. Cell("litenetlib@2.1.5", 1.2, 5), .. Cell("litenetlib@2.0.2", 1, 5), .. Cell("litenetlib@2.1.3", 1.1, 5),
            .. Cell("litenetlib@2.1.5@@2.0.2", 3, 5), .. Cell("enet@2.4.7", 1, 5), .. Cell("enet@2.4.8", 1, 5),
        ]);
        JObject chart = Assert.Single(
            ShownCharts.ChartsOf(scratch.Folder), chart => ((string)chart["file"]!).StartsWith("releases"));
        Assert.Equal("releases-unreliable", (string?)chart["file"]);
        var panel = (JObject)Assert.Single(chart["panels"]!);
        Assert.Equal(["2.0.2", "2.1.3", "2.1.5"], panel["x"]!["ticks"]!.Select(tick => (string)tick["label"]!));
        Assert.Equal("times the messages/s of 2.0.2", (string?)panel["y"]!["title"]);
        var points = Assert.Single(panel["lines"]!)["points"]!;
        Assert.Equal([1, 1.1, 1.2], points.Select(point => Math.Round((double)point["y"]!, 1)));
        Assert.All(points.Skip(1), point => Assert.InRange((double)point["y"]!, (double)point["low"]!,
            (double)point["high"]!));
    }

    [Fact]
    public void Few_launches_do_not_tell_small_differences()
    {
        Write([.. Cell(Old, 1, 2), .. Cell(New, 1.04, 2)]);
        var sentence = Assert.Single(Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Out);
        Assert.EndsWith(", of 2 launches, and it takes 5 to tell).", sentence);
        Tool.Run("compare", "--versions", scratch.Folder).WithCode(0);
    }

    [Fact]
    public void At_a_rate_versions_are_judged_by_CPU_per_message()
    {
        var costly = Cell(New, 1, 5);
        foreach (var launch in costly.Where(record => Record.KindOf(record) == "launch"))
        {
            var cpu = (JArray)launch["rounds"]!["server_cpu_ns"]!;
            launch["rounds"]!["server_cpu_ns"] = new JArray(cpu.Select(ns => (long)(1.2 * (long)ns)));
        }
        Write(MadeUp.With([.. Cell(Old, 1, 5), .. costly], ("settings.rate", 8_000)));
        var compared = Tool.Run("compare", "--versions", scratch.Folder).WithCode(1);
        Assert.Contains(compared.Out, line => line.StartsWith(
            "- **litenetlib, unreliable: 2.1.5 takes 1.10 (1.10 to 1.10) times the CPU per message of 2.1.3 at "));
    }

    [Fact]
    public void What_failed_is_told_and_one_version_alone_is_not_compared()
    {
        var failed = Cell(New, 1, 1);
        Write([.. Cell(Old, 1, 5), MadeUp.Failed(failed, ("kind", "failed"), ("reason", "It broke."))]);
        var sentence = Assert.Single(Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Out);
        Assert.Equal("litenetlib, unreliable: nothing is known at 10 x 1, because litenetlib@2.1.5 failed: It broke.",
            sentence);
        Tool.Run("compare", "--versions", scratch.Folder).WithCode(1);
        // Of one launch nothing is known that tells versions apart.
        Write([MadeUp.Failed(Cell(Old, 1, 1), ("kind", "failed"), ("reason", "It broke.")), .. Cell(New, 1, 5)]);
        Tool.Run("compare", "--versions", scratch.Folder).WithCode(2);

        Write(Cell(Old, 1, 5));
        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Out);
        Assert.DoesNotContain(Heading, Pages.In(scratch.Folder));
        Assert.Contains("No library was measured in two versions",
            Tool.Run("compare", "--versions", scratch.Folder).WrongUsage());
        Assert.Contains("without BASE and NEW",
            Tool.Run("compare", scratch.Folder, "--versions", scratch.Folder).WrongUsage());
        Assert.Contains("BASE and NEW, or --versions DIR", Tool.Run("compare", scratch.Folder).WrongUsage());
    }

    [Fact]
    public void Versions_come_in_the_order_of_their_numbers()
    {
        string[] ordered =
        [
            "0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
            "1.0.0", "1.0.0.1", "1.9.0", "1.10.0", "2.0",
        ];
        var shuffled = ordered.OrderBy(version => version.GetHashCode());
        Assert.Equal(ordered, shuffled.OrderBy(version => NugetVersion.Of(version)!, NugetVersion.InOrder));
        Assert.True(NugetVersion.AreSame("2.1", "2.1.0.0"));
        Assert.True(NugetVersion.AreSame("1.0.0-RC.1", "1.0.0-rc.1"));
        foreach (var text in new[] { "", "x", "2.", "2.1.x", "[2.1.3]", "2.*", "1.2.3.4.5", "2.1.3-", "v2.1.3" })
        {
            Assert.False(NugetVersion.IsOne(text), text);
        }
    }

    void Write(JObject[] records) => MadeUp.Write(scratch.Folder, records);

    // So many launches in which the machine's speed drifts alike for all, and each round a little for each.
    static JObject[] Cell(string library, double speed, int launches, int clients = Clients)
    {
        var random = new Random(library.Length + library[^1]);
        var rates = Enumerable.Range(0, launches).Select(launch => Enumerable.Range(0, Rounds)
            .Select(round => 10_000 * speed * (1 + 0.2 * Math.Sin(launch + round)) * (1 + 0.01 * random.NextDouble()))
            .ToArray());
        return MadeUp.Interleaved(library, "unreliable", clients, [.. rates]);
    }
}
