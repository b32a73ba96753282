using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

/// <summary>The files of the charts: sound whatever the records say and wherever they are drawn.</summary>
public sealed class ChartFileTests : DrawnCharts
{
    // Of letters of 12 pixels, on average.
    const double CharWidth = 6.8;

    static readonly string[] elements = ["svg", "title", "style", "rect", "g", "path", "circle", "text"];

    [Fact]
    public void Hostile_strings_stay_inert_and_no_word_leaves_the_picture()
    {
        string[] names =
        [
            MadeUp.Hostile,
            new string('W', 300),
            "</text><script>alert(1)</script>",
            "]]>&amp;\u0000",
            .. libraries,
        ];
        var hostile = MadeUp.With(
            [.. names.SelectMany(name => Loads(name))],
            ("settings.address", MadeUp.Hostile + new string('y', 1 << 16)));
        Render([.. hostile, .. Cell("udp", 100_000, 1, 1_234_567)]);
        Assert.Equal(9 + 4, Files("*.svg").Length);
        foreach (var file in Files("*.svg"))
        {
            var svg = XDocument.Load(scratch.PathOf(file)).Root!;
            var all = svg.DescendantsAndSelf().ToArray();
            Assert.All(all, element => Assert.Contains(element.Name.LocalName, elements));
            Assert.DoesNotContain(all.Attributes(), attribute => attribute.Name.LocalName.StartsWith("on"));
            Assert.DoesNotContain(svg.Value, letter => char.IsControl(letter) && letter != '\n' || letter == '\u202e');
            AssertWithin(file, svg);
        }
    }

    [Fact]
    public void Culture_and_time_zone_change_no_chart()
    {
        Render([.. libraries.SelectMany(library => Loads(library)), .. Loads("udp")]);
        var was = Files("*.svg").Select(file => File.ReadAllText(scratch.PathOf(file))).ToArray();
        (string, string)[] german =
        [
            ("LANG", "de_DE.UTF-8"),
            ("LC_ALL", "de_DE.UTF-8"),
            ("TZ", "Asia/Kolkata"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0"),
        ];
        Tool.RunWith(german, "render", scratch.Folder, "--charts", "svg").WithCode(0);
        Assert.Equal(was, Files("*.svg").Select(file => File.ReadAllText(scratch.PathOf(file))));
    }

    [Fact]
    public void With_ScottPlot_a_small_PNG_lies_beside_each_chart()
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. libraries.SelectMany(library => Loads(library))]);
        var ended = Tool.Run("render", scratch.Folder, "--charts", "scottplot");
        var drawsNothing = ended.Error.Any(line => line.Contains("ScottPlot cannot draw"));
        Assert.SkipWhen(drawsNothing, "ScottPlot does not draw here.");
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

    static void AssertWithin(string file, XElement svg)
    {
        var width = Number(svg, "width");
        var height = Number(svg, "height");
        foreach (var text in All(svg, "text"))
        {
            var shifts = text.Ancestors()
                .Select(group => (string?)group.Attribute("transform"))
                .OfType<string>()
                .ToArray();
            var isTurned = shifts.Any(shift => shift.Contains("rotate"));
            var places = shifts.Select(shift => Regex.Match(shift, @"translate\(([\d.]+) ([\d.]+)\)").Groups).ToArray();
            double Sum(int i) => places.Sum(place => double.Parse(place[i].Value, CultureInfo.InvariantCulture));
            var x = Sum(1) + Number(text, "x");
            var y = Sum(2) + Number(text, "y");
            var length = CharWidth * text.Value.Length;
            // The part of the word that lies before its place.
            var before = (string?)text.Attribute("text-anchor") switch
            {
                "start" => 0,
                "middle" => 0.5,
                _ => 1,
            };
            // A word that is turned runs from the bottom to the top.
            var from = isTurned ? y - length / 2 : x - before * length;
            var to = from + length;
            var most = isTurned ? height : width;
            var isWithin = from >= 0 && to <= most && y >= 0 && y <= height && x <= width;
            Assert.True(isWithin, $"{file}: '{text.Value}' from {from} to {to} of {most}");
        }
    }
}
