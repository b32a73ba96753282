using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The charts over time, which `report index` draws of the sweeps of one machine.</summary>
public sealed class HistoryTests : OfReport
{
    string Results => scratch.PathOf("results");
    string Index => File.ReadAllText(Path.Combine(Results, "README.md"));
    string[] Charts => [.. Directory.GetFiles(Results, "history-*").Select(file => Path.GetFileName(file)!).Order()];

    [Fact]
    public void Sweeps_of_one_machine_are_drawn_over_time_with_the_versions_that_are_new()
    {
        Sweep("a", "2026-11-01T00:00:00Z", "2.4.7", 8_000);
        Sweep("b", "2026-11-02T00:00:00Z", "2.4.8", 9_000, ("settings.seconds", 0.2), ("settings.seed", 7));
        Run();
        Assert.Matches(@"(?m)^## Over time$", Index);
        Assert.Contains("\nThere are no pictures, because none were asked for.\n", Index);
        var chart = Assert.Single(ShownCharts.ChartsOf(Results));
        Assert.Equal("history-unreliable", (string?)chart["file"]);
        Assert.Matches("^Throughput .* over 2 sweeps, unreliable, ", (string)chart["says"]!);
        string[] titles = ["Unreliable: throughput over time", "Unreliable: CPU time over time"];
        Assert.Equal(titles, chart["panels"]!.Select(panel => (string)panel["title"]!));
        foreach (var panel in chart["panels"]!)
        {
            Assert.Equal("1 client with 1 in flight, 32-byte messages", (string?)panel["x"]!["title"]);
            string[] days = ["2026-11-01", "2026-11-02"];
            Assert.Equal(days, panel["x"]!["ticks"]!.Select(tick => (string)tick["label"]!));
            Assert.Contains(panel["lines"]!, line => (string?)line["name"] == "udp (baseline)");
            var enet = panel["lines"]!.Single(line => (string?)line["name"] == "enet");
            string?[] versions = [null, "2.4.8"];
            Assert.Equal(versions, enet["points"]!.Select(point => (string?)point["words"]));
        }
    }

    [Fact]
    public void Sweeps_of_one_day_are_told_apart_by_the_hour()
    {
        Sweep("a", "2026-11-01T09:05:00Z", "2.4.7", 8_000);
        Sweep("b", "2026-11-01T23:59:59Z", "2.4.7", 9_000);
        Run();
        var chart = Assert.Single(ShownCharts.ChartsOf(Results));
        string[] hours = ["2026-11-01 09:05", "2026-11-01 23:59"];
        Assert.All(chart["panels"]!, panel =>
            Assert.Equal(hours, panel["x"]!["ticks"]!.Select(tick => (string)tick["label"]!)));
    }

    [Fact]
    public void Each_chart_over_time_is_a_picture_below_its_machine_and_the_same_again()
    {
        Sweep("a", "2026-11-01T00:00:00Z", "2.4.7", 8_000);
        Sweep("b", "2026-11-02T00:00:00Z", "2.4.8", 9_000);
        Pictures.SkipWithout(Tool.Run("index", Results).WithCode(0));
        var picture = Assert.Single(Charts);
        Assert.Equal("history-unreliable.png", picture);
        Pictures.AssertPicture(Path.Combine(Results, picture));
        Assert.Matches(@"(?m)^### AMD EPYC, 2 CPUs, hypervisor kvm$", Index);
        Assert.Matches(@"(?m)^!\[Throughput .* over 2 sweeps, unreliable, .*\]\(history-unreliable\.png\)$", Index);

        var was = File.ReadAllBytes(Path.Combine(Results, picture));
        var index = Index;
        Tool.Run("index", Results).WithCode(0);
        Assert.Equal(was, File.ReadAllBytes(Path.Combine(Results, picture)));
        Assert.Equal(index, Index);
    }

    [Fact]
    public void A_picture_of_streams_over_time_has_no_blank_in_its_name()
    {
        Sweep("a", "2026-11-01T00:00:00Z", "1", 8_000, MadeUp.Streamed());
        Sweep("b", "2026-11-02T00:00:00Z", "1", 9_000, MadeUp.Streamed());
        Run();
        Assert.Equal("history-unreliable-stream", (string?)Assert.Single(ShownCharts.ChartsOf(Results))["file"]);
    }

    [Fact]
    public void A_sweep_alone_of_its_machine_or_of_its_load_has_no_history()
    {
        Sweep("a", "2026-11-01T00:00:00Z", "1", 8_000);
        Sweep("b", "2026-11-02T00:00:00Z", "1", 9_000, ("cpu_model", "Another"));
        Sweep("c", "2026-11-03T00:00:00Z", "1", 9_000, ("settings.payload_bytes", 64));
        foreach (var file in new[] { "history-unreliable.png", "history-unreliable.svg" })
        {
            File.WriteAllText(Path.Combine(Results, file), "of sweeps that were there before");
        }
        Run();
        Assert.Empty(ShownCharts.ChartsOf(Results));
        Assert.Empty(Charts);
        Assert.DoesNotContain("Over time", Index);
    }

    [Fact]
    public void Each_machine_has_a_history_of_its_own()
    {
        foreach (var machine in new[] { "One", "Two" })
        {
            foreach (var day in new[] { 1, 2 })
                Sweep($"{machine}-{day}", $"2026-11-0{day}T00:00:00Z", "1", 8_000, ("cpu_model", machine));
        }
        string[] files = ["history-unreliable", "history-unreliable-2"];
        Assert.Equal(files, ShownCharts.ChartsOf(Results).Select(chart => (string)chart["file"]!));
        Pictures.SkipWithout(Tool.Run("index", Results).WithCode(0));
        Assert.Equal(["history-unreliable-2.png", "history-unreliable.png"], Charts);
        var headings = Regex.Matches(Index, "(?m)^### ([^,]*),");
        Assert.Equal(["One", "Two"], headings.Select(heading => heading.Groups[1].Value));
    }

    [Fact]
    public void What_is_not_valid_is_not_drawn_and_hostile_strings_stay_inert()
    {
        foreach (var day in new[] { 1, 2 })
        {
            var machine = MadeUp.Machine(("date_utc", $"<b>{day}{MadeUp.Hostile}"), ("cpu_model", MadeUp.Hostile));
            var version = $"{day}{MadeUp.Hostile}";
            MadeUp.Write(Path.Combine(Results, $"{day}"),
            [
                machine,
                .. MadeUp.Cell(MadeUp.Hostile, "unreliable", 1, [8_000], ("ready.library_version", version)),
                .. MadeUp.Cell("enet", "unreliable", 1, [9_000], ("server.window.received", 1)),
            ]);
        }
        var chart = Assert.Single(ShownCharts.ChartsOf(Results));
        var words = chart.Descendants().OfType<JValue>().Select(value => (string?)value ?? "").ToArray();
        Assert.DoesNotContain("enet", words);
        Assert.DoesNotContain(words, word => word.Any(letter => char.IsControl(letter) || letter == '\u202e'));
        Tool.Run("index", Results).WithCode(0);
        Assert.DoesNotContain("<b", Index.Replace(@"\<", ""));
    }

    void Sweep(string name, string date, string version, double rate, params (string, object?)[] fields)
    {
        JObject[] records =
        [
            MadeUp.Machine(("date_utc", date)),
            .. MadeUp.Cell("udp", "unreliable", 1, [10_000, 10_100]),
            .. MadeUp.Cell("enet", "unreliable", 1, [rate, 1.01 * rate], ("ready.library_version", version)),
        ];
        MadeUp.Write(Path.Combine(Results, name), MadeUp.With(records, fields));
    }

    void Run() => Tool.Run("index", Results, "--charts", "none").WithCode(0);
}
