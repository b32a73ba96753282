using System.Text.RegularExpressions;
using System.Xml.Linq;
using Newtonsoft.Json.Linq;

/// <summary>The charts of a sweep, as the SVG writer draws them; what stands where, and in which colours.</summary>
public sealed class ChartTests : IDisposable
{
    const string Ground = "#ffffff", DarkGround = "#0d1117", Floor = "#444444";
    const double CharWidth = 6.8; // of 12-pixel letters on average

    static readonly string[] libraries = ["enet", "kcp2k", "litenetlib", "netcoreserver"];
    static readonly string[] elements = ["svg", "title", "style", "rect", "g", "path", "circle", "text"];

    readonly Scratch scratch = new();

    public ChartTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void Each_kind_of_chart_is_drawn_where_there_is_something_to_show()
    {
        Render([.. Loads("udp"), .. Loads("enet"), .. Loads("kcp2k", isClientBound: true)]);
        string[] kinds = ["cpu", "heat-map", "memory", "parallel", "percentiles", "rate-latency", "round-trips-at-rate",
            "round-trips", "throughput"];
        Assert.Equal(kinds.Select(kind => $"{kind}-unreliable.svg"), Files("*.svg"));
        var page = File.ReadAllText(scratch.PathOf("report.md"));
        foreach (var kind in kinds)
        {
            var svg = Svg(kind);
            var says = svg.Elements().First(element => element.Name.LocalName == "title").Value;
            Assert.Contains($"![{says}]({kind}-unreliable.svg)", page);
            Assert.EndsWith(", unreliable, payload_bytes 32", says);
            Assert.Equal("img", (string?)svg.Attribute("role"));
        }
        // Charts come before the tables, in each of which all cells are.
        Assert.InRange(page.IndexOf("\n## Charts\n"), page.IndexOf("\n## Verdict\n"), page.IndexOf("\n## Cells\n"));
    }

    [Fact]
    public void Of_a_single_load_nothing_is_drawn_that_needs_two()
    {
        Render(Cell("enet", 1, 1, 10_000));
        Assert.Equal(["cpu", "percentiles", "round-trips", "throughput"],
            Files("*.svg").Select(file => file.Replace("-unreliable.svg", "")));
    }

    [Fact]
    public void Floors_are_dashed_lower_bounds_hollow_and_the_highest_rate_with_the_SLO_ringed()
    {
        var color = ColorsOf("kcp2k")["kcp2k"];
        Render([.. Loads("udp"), .. Loads("kcp2k", isClientBound: true)]);
        foreach (var kind in new[] { "throughput", "memory", "percentiles", "rate-latency" })
        {
            var lines = All(Svg(kind), "path").Where(path => (string?)path.Attribute("fill") == "none"
                && (string?)path.Attribute("stroke-width") is "2" or "2.5").ToLookup(line => (string?)line.Attribute("stroke") == Floor);
            Assert.All(lines[true], line => Assert.NotNull(line.Attribute("stroke-dasharray")));
            Assert.All(lines[false], line => Assert.Null(line.Attribute("stroke-dasharray")));
            Assert.True(lines[true].Any() && lines[false].Any(), kind);
        }
        foreach (var kind in new[] { "parallel", "cpu" })
        {
            var boxes = All(Svg(kind), "path").Where(path => path.Attribute("stroke") != null && path.Attribute("stroke-width") == null)
                .ToLookup(box => box.Attribute("stroke-dasharray") != null);
            Assert.All(boxes[true], box => Assert.Equal(Floor, (string?)box.Attribute("stroke")));
            Assert.True(boxes[true].Count() >= 4 && boxes[false].Any(), kind);
        }
        var bars = All(Svg("parallel"), "path").Where(path => (string?)path.Attribute("stroke") == color).ToArray();
        Assert.Equal(4, bars.Length); // 2 numbers of clients x 2 in flight
        Assert.All(bars, bar => Assert.Equal(Ground, (string?)bar.Attribute("fill")));
        Assert.Equal(4, All(Svg("throughput"), "path").Concat(All(Svg("throughput"), "circle"))
            .Count(dot => (string?)dot.Attribute("fill") == Ground && (string?)dot.Attribute("stroke") == color));
        Assert.Equal(4, Words(Svg("heat-map")).Count(words => words.StartsWith('≥')));
        // p99 is 10 ms at 100 messages/s, and 0.2 ms at 5,000.
        var rings = All(Svg("rate-latency"), "circle").Where(circle => (string?)circle.Attribute("r") == "8").ToArray();
        Assert.Equal([color, Floor], rings.Select(ring => (string?)ring.Attribute("stroke")).Order(StringComparer.Ordinal).Reverse());
        Assert.Contains("SLO: p99 5 ms", Words(Svg("rate-latency")));
    }

    [Fact]
    public void Whiskers_are_the_interval_and_not_the_extremes()
    {
        // 5 launches: the t-interval of the mean, 10,000 ± 2.776 x 707.1 / √5, as the table has it.
        double[] rates = [9_000, 9_999, 10_000, 10_001, 11_000];
        Render([.. rates.SelectMany(rate => Cell("enet", 1, 1, rate)), .. Cell("udp", 1, 1, 1_000)]);
        Assert.Contains("9,122–10,878 (95 %)", File.ReadAllText(scratch.PathOf("report.md")));
        var (plotTop, plotBottom) = (30.0, 294.0);
        var ticks = All(Svg("throughput"), "text").Where(text => (string?)text.Attribute("text-anchor") == "end")
            .ToDictionary(text => text.Value, text => Number(text, "y") - 4);
        // A logarithmic axis: places between two ticks tell the figure.
        double At(double rate) => ticks["1,000"] + (ticks["10,000"] - ticks["1,000"]) * (Math.Log10(rate) - 3);
        var whisker = Assert.Single(All(Svg("throughput"), "path"), path => (string?)path.Attribute("stroke-width") == "1"
            && (string?)path.Attribute("stroke") is not ("#222222" or "#dddddd" or "#f3f3f3") && !IsFlat(path));
        var ends = Regex.Matches((string)whisker.Attribute("d")!, @"[\d.]+ ([\d.]+)").Select(end => double.Parse(end.Groups[1].Value)).ToArray();
        Assert.InRange(ends[0], plotTop, plotBottom);
        Assert.Equal(At(9_122), ends[0], 0.3);
        Assert.Equal(At(10_878), ends[1], 0.3);
    }

    [Fact]
    public void A_library_has_the_same_colour_whatever_else_a_sweep_holds()
    {
        var all = ColorsOf([.. libraries, "udp"]);
        Assert.Equal(libraries.Length, libraries.Select(library => all[library]).Distinct().Count());
        foreach (var some in new string[][] { ["enet"], ["kcp2k", "netcoreserver"], ["enet", "litenetlib", "zzz"], [.. libraries[1..], "a", "b"] })
        {
            var colors = ColorsOf(some);
            Assert.All(some.Intersect(libraries), library => Assert.Equal((library, all[library]), (library, colors[library])));
            Assert.Equal(colors.Count, colors.Values.Distinct().Count());
        }
        Assert.Equal(Floor, all["udp (floor)"]);
    }

    [Fact]
    public void Colours_have_contrast_on_either_ground_and_are_told_apart_by_colour_blind_readers()
    {
        var colors = ColorsOf([.. libraries, .. "abcdefgh".Select(letter => $"{letter}")]);
        var palette = colors.Values.Distinct().ToArray();
        Assert.Equal(8, palette.Length);
        foreach (var color in palette)
            foreach (var ground in new[] { Ground, DarkGround })
                Assert.True(Sight.Contrast(color, ground) >= 3, $"{color} on {ground}: {Sight.Contrast(color, ground):F2}");
        void Apart(string[] some, double least) => Assert.All(
            some.SelectMany((a, i) => some[..i].Select(b => (a, b, Distance: Sight.Distance(a, b)))),
            pair => Assert.True(pair.Distance >= least, $"{pair}"));
        Apart(palette, 7);
        Apart([.. libraries.Select(library => colors[library])], 13);
        // And a chart has words in one dark colour or one light one, whichever is seen on its field.
        var fields = All(Svg("heat-map"), "path").Select(path => (string?)path.Attribute("fill"))
            .Where(fill => fill is not (null or "none")).ToArray();
        var words = All(Svg("heat-map"), "text").Select(text => (string?)text.Attribute("fill")).OfType<string>().ToArray();
        Assert.Equal(fields.Length, words.Length);
        Assert.All(fields.Zip(words), pair => Assert.True(Sight.Contrast(pair.First!, pair.Second) >= 4, $"{pair}"));
    }

    [Fact]
    public void One_file_reads_well_on_a_dark_page_too()
    {
        Render(Loads("udp"));
        foreach (var file in Files("*.svg"))
        {
            var svg = File.ReadAllText(scratch.PathOf(file));
            Assert.Contains("@media (prefers-color-scheme:dark){", svg);
            Assert.Contains($"[fill=\"{Ground}\"]{{fill:{DarkGround}}}", svg);
            // What is not a library's or a field's colour changes.
            var kept = Regex.Matches(Regex.Replace(svg, "<style>.*?</style>", ""), "(?:fill|stroke)=\"(#[0-9a-f]{6})\"")
                .Select(use => use.Groups[1].Value).Distinct().Where(color => !svg.Contains($"[fill=\"{color}\"]"));
            if (!file.StartsWith("heat-map")) Assert.Empty(kept); // of floors alone
        }
    }

    [Fact]
    public void Hostile_strings_stay_inert_and_no_word_leaves_the_picture()
    {
        string[] names = [MadeUp.Hostile, new string('W', 300), "</text><script>alert(1)</script>", "]]>&amp;\u0000", .. libraries];
        Render([.. MadeUp.With([.. names.SelectMany(name => Loads(name))],
            ("settings.address", MadeUp.Hostile + new string('y', 1 << 16))), .. Cell("udp", 100_000, 1, 1_234_567)]);
        Assert.Equal(9 + 4, Files("*.svg").Length);
        foreach (var file in Files("*.svg"))
        {
            var svg = XDocument.Load(scratch.PathOf(file)).Root!;
            Assert.All(svg.DescendantsAndSelf(), element => Assert.Contains(element.Name.LocalName, elements));
            Assert.DoesNotContain(svg.DescendantsAndSelf().Attributes(), attribute => attribute.Name.LocalName.StartsWith("on"));
            Assert.DoesNotContain(svg.Value, letter => char.IsControl(letter) && letter != '\n' || letter == '\u202e');
            AssertWithin(file, svg);
        }
    }

    [Fact]
    public void Culture_and_time_zone_change_no_chart()
    {
        Render([.. libraries.SelectMany(library => Loads(library)), .. Loads("udp")]);
        var was = Files("*.svg").Select(file => File.ReadAllText(scratch.PathOf(file))).ToArray();
        Tool.RunWith([("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8"), ("TZ", "Asia/Kolkata"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")], "render", scratch.Folder, "--charts", "svg").WithCode(0);
        Assert.Equal(was, Files("*.svg").Select(file => File.ReadAllText(scratch.PathOf(file))));
    }

    [Fact]
    public void More_loads_than_fit_are_chosen_evenly()
    {
        Render([.. new[] { 1, 2, 5, 10, 20, 50, 100 }.SelectMany(clients =>
            new[] { 1, 2 }.SelectMany(parallel => Cell("enet", clients, parallel, 10_000)))]);
        foreach (var (kind, shown) in new[] { ("percentiles", "1 client x 1"), ("parallel", "100 clients"), ("cpu", "100 clients x 2") })
        {
            var titles = All(Svg(kind), "text").Where(text => text.Attribute("font-weight") != null).ToArray();
            Assert.Equal(4, titles.Length);
            Assert.Contains(titles, title => title.Value.Contains(shown));
        }
    }

    [Fact]
    public void With_ScottPlot_a_small_PNG_lies_beside_each_chart()
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. libraries.SelectMany(library => Loads(library))]);
        var ended = Tool.Run("render", scratch.Folder, "--charts", "scottplot");
        Assert.SkipWhen(ended.Error.Any(line => line.Contains("ScottPlot cannot draw")), "ScottPlot does not draw here.");
        ended.WithCode(0);
        Assert.Equal(Files("*.svg").Select(file => Path.ChangeExtension(file, ".png")), Files("*.png"));
        Assert.All(Files("*.png"), file => Assert.InRange(new FileInfo(scratch.PathOf(file)).Length, 5_000, 120_000));
        // Both are gone where the next rendering draws neither.
        Render(Cell("enet", 1, 1, 10_000));
        Assert.Empty(Files("*.png"));
        Assert.Equal(4, Files("*.svg").Length);
    }

    [Fact]
    public void A_folder_that_takes_no_chart_is_told_in_one_sentence()
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. Cell("enet", 1, 1, 10_000)]);
        // Root may write into any other.
        Directory.CreateDirectory(scratch.PathOf("throughput-unreliable.svg.tmp"));
        var ended = Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Contains("throughput-unreliable.svg.tmp' is denied", Assert.Single(ended.Error));
        Assert.False(File.Exists(scratch.PathOf("report.md")));
    }

    // Two numbers of clients x two in flight in a closed loop, and two rates of which the higher keeps to the SLO.
    static JObject[] Loads(string library, bool isClientBound = false) =>
    [
        .. new[] { 1, 100 }.SelectMany(clients => new[] { 1, 10 }.SelectMany(parallel =>
            new[] { 9_900, 10_000, 10_100 }.SelectMany(rate => Cell(library, clients, parallel, clients * parallel * rate, isClientBound)))),
        .. new[] { 100, 5_000 }.SelectMany(rate => MadeUp.With(Cell(library, 1, 1, rate), ("settings.rate", rate),
            ("client.window.outcomes.send_lag_ns", new JArray { new JArray(100, 10_000) }))),
    ];

    // One launch; a run id of its own.
    static JObject[] Cell(string library, int clients, int parallel, double rate, bool isClientBound = false)
    {
        var runId = $"r{rate}-{library}-{clients}x{parallel}";
        var records = MadeUp.Cell(library, "unreliable", clients * parallel, [rate], ("run_id", runId),
            ("settings.run_id", runId), ("settings.clients", clients), ("settings.parallel", parallel), ("window.idle_passes", 0));
        if (isClientBound)
            foreach (var (side, busy) in new[] { ("client", 0.95), ("server", 0.1) })
                MadeUp.With(records, [.. MadeUp.Busy(side, busy * 10_000 / rate)]);
        return records;
    }

    void Render(JObject[] records)
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(("sweep.slo", "p99=5ms")), .. records]);
        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0).Error);
    }

    // As the key of the grouped bars has it.
    Dictionary<string, string> ColorsOf(params string[] names)
    {
        Render([.. names.SelectMany(name => Loads(name))]);
        var panel = Svg("parallel").Elements().First(element => element.Name.LocalName == "g");
        var boxes = All(panel, "path").Where(path => ((string)path.Attribute("d")!).EndsWith('z')).Take(names.Length);
        return boxes.Zip(Words(panel).Reverse().Take(names.Length).Reverse())
            .ToDictionary(entry => entry.Second, entry => (string)entry.First.Attribute("fill")!);
    }

    void AssertWithin(string file, XElement svg)
    {
        var (width, height) = (Number(svg, "width"), Number(svg, "height"));
        foreach (var text in All(svg, "text"))
        {
            var shifts = text.Ancestors().Select(group => (string?)group.Attribute("transform")).OfType<string>().ToArray();
            var isTurned = shifts.Any(shift => shift.Contains("rotate"));
            var places = shifts.Select(shift => Regex.Match(shift, @"translate\(([\d.]+) ([\d.]+)\)").Groups).ToArray();
            double Sum(int i) => places.Sum(place => double.Parse(place[i].Value));
            var (x, y, wide) = (Sum(1) + Number(text, "x"), Sum(2) + Number(text, "y"), CharWidth * text.Value.Length);
            var before = (string?)text.Attribute("text-anchor") switch { "start" => 0, "middle" => 0.5, _ => 1 };
            var (from, most) = isTurned ? (y - wide / 2, height) : (x - before * wide, width);
            Assert.True(from >= 0 && from + wide <= most && y >= 0 && y <= height && x <= width,
                $"{file}: '{text.Value}' from {from} to {from + wide} of {most}");
        }
    }

    string[] Files(string pattern) => [.. Directory.GetFiles(scratch.Folder, pattern)
        .Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal)];

    XElement Svg(string kind) => XDocument.Load(scratch.PathOf($"{kind}-unreliable.svg")).Root!;

    static IEnumerable<XElement> All(XElement svg, string name) =>
        svg.Descendants().Where(element => element.Name.LocalName == name);

    static IEnumerable<string> Words(XElement svg) => All(svg, "text").Select(text => text.Value);

    static double Number(XElement element, string attribute) => double.Parse((string)element.Attribute(attribute)!);

    static bool IsFlat(XElement path) =>
        Regex.Match((string)path.Attribute("d")!, @"^M[\d.]+ ([\d.]+)L[\d.]+ \1$").Success;
}
