using System.Text.RegularExpressions;

/// <summary>The colours of the charts: each library's own, told apart, on a light page and on a dark one.</summary>
public sealed class ChartColourTests : DrawnCharts
{
    const string DarkGround = "#0d1117";

    [Fact]
    public void A_library_has_the_same_colour_whatever_else_a_sweep_holds()
    {
        var all = ColorsOf([.. libraries, "udp"]);
        Assert.Equal(libraries.Length, libraries.Select(library => all[library]).Distinct().Count());
        string[][] sweeps =
        [
            ["enet"],
            ["kcp2k", "netcoreserver"],
            ["enet", "litenetlib", "zzz"],
            [.. libraries[1..], "a", "b"],
        ];
        foreach (var sweep in sweeps)
        {
            var colors = ColorsOf(sweep);
            foreach (var library in sweep.Intersect(libraries))
                Assert.Equal((library, all[library]), (library, colors[library]));
            Assert.Equal(colors.Count, colors.Values.Distinct().Count());
        }
        Assert.Equal(Floor, all["udp (plain socket)"]);
    }

    [Fact]
    public void Colours_have_contrast_on_either_ground_and_are_told_apart_by_colour_blind_readers()
    {
        var colors = ColorsOf([.. libraries, .. "abcdefgh".Select(letter => $"{letter}")]);
        var palette = colors.Values.Distinct().ToArray();
        Assert.Equal(8, palette.Length);
        foreach (var color in palette)
        {
            foreach (var ground in new[] { Ground, DarkGround })
            {
                var contrast = Sight.Contrast(color, ground);
                Assert.True(contrast >= 3, $"{color} on {ground}: {contrast:F2}");
            }
        }
        static void AssertApart(string[] some, double least)
        {
            var pairs = some.SelectMany((a, i) => some[..i].Select(b => (a, b, Distance: Sight.Distance(a, b))));
            Assert.All(pairs, pair => Assert.True(pair.Distance >= least, $"{pair}"));
        }
        AssertApart(palette, 7);
        AssertApart([.. libraries.Select(library => colors[library])], 13);
        // And a chart has words in one dark colour or one light one, whichever is seen on its field.
        var map = Svg("heat-map");
        var fills = All(map, "path").Select(path => (string?)path.Attribute("fill"));
        var fields = fills.Where(fill => fill is not (null or "none")).ToArray();
        var words = All(map, "text").Select(text => (string?)text.Attribute("fill")).OfType<string>().ToArray();
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
            // A heat map's fields keep their colours.
            if (file.StartsWith("heat-map"))
                continue;
            // Of plain sockets alone no library's colour is there, so that each colour changes.
            var drawn = Regex.Replace(svg, "<style>.*?</style>", "");
            var uses = Regex.Matches(drawn, "(?:fill|stroke)=\"(#[0-9a-f]{6})\"").Select(use => use.Groups[1].Value);
            Assert.All(uses.Distinct(), color => Assert.Contains($"[fill=\"{color}\"]", svg));
        }
    }
}
