/// <summary>The colours of the charts: each library's own, and told apart.</summary>
public sealed class ChartColourTests : ShownCharts
{
    static readonly string[] onDisk = [.. Repo.AllBenches.Select(bench => bench["bench-".Length..])];

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
        }
        Assert.Equal(BaselineColor, all["udp (baseline)"]);
    }

    [Fact]
    public void All_charts_of_a_sweep_show_a_library_in_one_colour()
    {
        var color = ColorsOf("udp", "enet")["enet"];
        foreach (var (kind, list) in ofLibraries)
        {
            var ofEnet = All(Panels(kind), list).Where(shown => (string?)shown["name"] == "enet").ToArray();
            Assert.NotEmpty(ofEnet);
            Assert.All(ofEnet, shown => Assert.Equal((kind, color), (kind, ColorOf(shown))));
        }
        var rows = All(All(Panels("round-trips"), "groups"), "rows").Where(row => (string?)row["name"] == "enet");
        Assert.All(rows, row => Assert.Equal(color, ColorOf(row)));
    }

    [Fact]
    public void At_most_two_libraries_on_disk_share_a_colour_and_baselines_have_one_grey()
    {
        var colors = ColorsOf([.. onDisk]);
        var baselines = colors.Where(color => color.Key.EndsWith(" (baseline)")).ToArray();
        Assert.NotEmpty(baselines);
        Assert.All(baselines, baseline => Assert.Equal(BaselineColor, baseline.Value));
        Assert.Equal(onDisk.Length, colors.Count);
        var shared = colors.ExceptBy(baselines.Select(one => one.Key), one => one.Key)
            .Append(baselines[0])
            .GroupBy(color => color.Value)
            .Where(color => color.Count() > 2 || color.Key == BaselineColor && color.Count() > 1)
            .Select(color => string.Join(" and ", color.Select(library => library.Key)));
        // More are not told apart by colour; two that share one differ in shape or pattern.
        Assert.Empty(shared);
    }

    [Fact]
    public void Colours_have_contrast_on_either_ground_and_are_told_apart_by_colour_blind_readers()
    {
        var colors = ColorsOf([.. onDisk]);
        var ofLibraries = colors.Where(color => color.Value != BaselineColor).ToArray();
        foreach (var color in ofLibraries.Select(library => library.Value))
        {
            foreach (var ground in new[] { Ground, DarkGround })
            {
                var contrast = Sight.Contrast(color, ground);
                Assert.True(contrast >= 3, $"{color} on {ground}: {contrast:F2}");
            }
        }
        void AssertToldApart(string[] benches, double least)
        {
            var named = ofLibraries.Where(library => benches.Contains($"bench-{library.Key}"));
            string[] some = [.. named.Select(library => library.Value)];
            Assert.True(some.Length > 1);
            var pairs = some.SelectMany((a, i) => some[..i].Select(b => (a, b, Distance: Sight.Distance(a, b))));
            var differing = pairs.Where(pair => pair.a != pair.b);
            Assert.All(differing, pair => Assert.True(pair.Distance >= least, $"{pair}"));
        }
        AssertToldApart(Repo.AllBenches, 3.5);
        // Those that stand in one chart: the more there are, the closer they must be.
        AssertToldApart(Repo.Benches, 4.5);
        AssertToldApart(Repo.CallBenches, 8.5);
    }

    [Fact]
    public void Versions_of_a_library_have_shades_of_its_colour_from_pale_to_deep()
    {
        string[] versions = ["litenetlib@2.1.3", "litenetlib@2.1.15", "litenetlib@3.0.0-rc.1", "litenetlib@my-branch"];
        var colors = ColorsOf([.. versions, "enet"]);
        Assert.Equal(ColorsOf("enet")["enet"], colors["enet"]);
        double[] contrasts = [.. versions.Select(version => Sight.Contrast(colors[version], Ground))];
        Assert.Equal(contrasts.Order(), contrasts);
        Assert.Equal(versions.Length, versions.Select(version => colors[version]).Distinct().Count());
        foreach (var color in versions.Select(version => colors[version]))
        {
            Assert.True(Sight.Contrast(color, Ground) >= 3, color);
            Assert.True(Sight.Contrast(color, DarkGround) >= 3, color);
        }
        // One alone has the colour itself.
        Assert.Equal(ColorsOf("litenetlib")["litenetlib"], ColorsOf("litenetlib@2.1.3")["litenetlib@2.1.3"]);
    }

    [Fact]
    public void What_shares_a_colour_differs_in_shape_or_pattern()
    {
        // More than there are colours.
        string[] names = [.. onDisk, .. "abcdefghijklmnopqrst".Select(letter => $"{letter}")];
        var all = names.Where(name => name != "udp").SelectMany(name => Loads(name));
        (string Variant, string Profile)[] others = [("rudp", "default"), ("rudp", "tuned"), ("default", "tuned")];
        var variants = others.SelectMany(other =>
        {
            var records = MadeUp.With(
                Loads("enet"), ("settings.variant", other.Variant), ("settings.profile", other.Profile));
            foreach (var record in records)
                record["run_id"] += $"-{other.Variant}-{other.Profile}";
            return records;
        });
        Show([.. all, .. variants]);
        var lines = All(Panels("throughput")[..1], "lines").Where(line => ColorOf(line) != BaselineColor).ToArray();
        var looks = lines.Select(line => (ColorOf(line), PatternOf(line), (string?)line["look"]!["shape"])).ToArray();
        Assert.Equal(looks.Length, looks.Distinct().Count());
        Assert.DoesNotContain(looks, look => look.Item2 == "dashed");
        string[] ofEnet = ["enet", "enet (tuned)", "enet rudp", "enet rudp (tuned)"];
        Assert.Single(ofEnet.Select(name => ColorOf(lines.Single(line => (string?)line["name"] == name))).Distinct());
    }
}
