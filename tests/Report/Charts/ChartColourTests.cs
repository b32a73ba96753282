/// <summary>The colours of the charts: each library's own, and told apart.</summary>
public sealed class ChartColourTests : ShownCharts
{
    const string DarkGround = "#0d1117"; // of the page's explorer, which has the same colours

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
            {
                Assert.Equal((library, all[library]), (library, colors[library]));
            }
            Assert.Equal(colors.Count, colors.Values.Distinct().Count());
        }
        Assert.Equal(Floor, all["udp (baseline)"]);
    }

    [Fact]
    public void All_charts_of_a_sweep_show_a_library_in_one_colour()
    {
        var color = ColorsOf("udp", "enet")["enet"];
        (string Kind, string List)[] lists =
        [
            ("throughput", "lines"),
            ("memory", "lines"),
            ("percentiles", "lines"),
            ("rate-latency", "lines"),
            ("parallel", "series"),
            ("cpu", "bars"),
        ];
        foreach (var (kind, list) in lists)
        {
            var ofEnet = All(Panels(kind), list).Where(shown => (string?)shown["name"] == "enet").ToArray();
            Assert.NotEmpty(ofEnet);
            Assert.All(ofEnet, shown => Assert.Equal((kind, color), (kind, (string?)shown["color"])));
        }
        var rows = All(All(Panels("round-trips"), "groups"), "rows").Where(row => (string?)row["name"] == "enet");
        Assert.All(rows, row => Assert.Equal(color, (string?)row["color"]));
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
        // With more libraries than colours the shapes differ.
        var looks = All(Panels("throughput")[..1], "lines").Select(line => ((string?)line["color"], line["shape"]!));
        Assert.Equal(colors.Count, looks.Distinct().Count());
        // And a field of a heat map has words in one dark colour or one light one, whichever is seen on it.
        var fields = All(Panels("heat-map"), "fields");
        Assert.Equal(4 * colors.Count, fields.Length);
        Assert.All(fields, field =>
            Assert.True(Sight.Contrast((string)field["color"]!, (string)field["words_color"]!) >= 4, $"{field}"));
    }
}
