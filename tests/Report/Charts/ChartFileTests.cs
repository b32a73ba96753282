using Newtonsoft.Json.Linq;

/// <summary>The pictures of the charts: there, whole and always the same, whatever the records say.</summary>
public sealed class ChartFileTests : ShownCharts
{
    const int WidestPx = 1_560; // a page's 1,040 at one and a half times the size
    const int LeastBytes = 3_000;
    const int MostBytes = 250_000;

    [Fact]
    public void Each_chart_is_a_small_picture_that_the_page_shows_with_what_it_says()
    {
        Show([.. Loads("udp"), .. Loads("enet"), .. Loads("kcp2k", isClientBound: true)]);
        Assert.Empty(Pictures.Render(scratch.Folder).Error);
        Assert.Equal(ShownFiles.Select(file => $"{file}.png").Order(StringComparer.Ordinal), Files("*.png"));
        var page = Pages.In(scratch.Folder);
        foreach (var (file, says) in ShownFiles.Zip(ShownWords))
        {
            Assert.Contains($"![{says}]({file}.png)", page);
            var (widthPx, _) = Pictures.AssertPicture(scratch.PathOf($"{file}.png"));
            Assert.InRange(widthPx, 1, WidestPx);
            Assert.InRange(new FileInfo(scratch.PathOf($"{file}.png")).Length, LeastBytes, MostBytes);
        }
        Assert.DoesNotContain("no pictures", page);
    }

    [Fact]
    public void Pictures_are_the_same_bytes_in_another_culture_and_time_zone()
    {
        Write([.. libraries.SelectMany(library => Loads(library)), .. Loads("udp")]);
        Pictures.Render(scratch.Folder);
        var files = Files("*.png");
        var was = files.Select(file => File.ReadAllBytes(scratch.PathOf(file))).ToArray();
        var page = Pages.In(scratch.Folder);
        Tool.RunIn(Tool.German, "render", scratch.Folder).WithCode(0);
        Assert.Equal(files, Files("*.png"));
        Assert.Equal(was, files.Select(file => File.ReadAllBytes(scratch.PathOf(file))));
        Assert.Equal(page, Pages.In(scratch.Folder));
    }

    [Fact]
    public void Hostile_strings_stay_inert()
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
        Show([.. hostile, .. Cell("udp", 100_000, 1, 1_234_567)]);
        Assert.Equal(9 + 4, ShownFiles.Length);
        Assert.All(ShownFiles, file => Assert.Matches("^[a-z0-9-]+$", file));
        var words = ChartsOf(scratch.Folder)
            .SelectMany(chart => chart.Descendants())
            .OfType<JValue>()
            .Where(value => value.Type == JTokenType.String)
            .Select(value => (string)value!)
            .ToArray();
        Assert.DoesNotContain(words, word => word.Any(letter => char.IsControl(letter) || letter == '\u202e'));
        Assert.InRange(words.Max(word => word.Length), 1, 301);
        // Such words are cut where the picture ends, and nothing else comes of them.
        Pictures.Render(scratch.Folder);
        Assert.Equal(9 + 4, Files("*.png").Length);
        Assert.All(Files("*.png"), file => Pictures.AssertPicture(scratch.PathOf(file)));
    }

    [Fact]
    public void What_is_no_longer_drawn_is_removed_and_without_pictures_the_page_says_so()
    {
        Write([.. libraries.SelectMany(library => Loads(library))]);
        Pictures.Render(scratch.Folder);
        string[] ofOlder = ["cpu-unreliable.svg", "heat-map-unreliable.png"];
        string[] ofRooms = ["delay-reliable-ordered-game.png", "players-unreliable-broadcast-over-tls-2.png"];
        foreach (var stale in ofOlder.Concat(ofRooms))
            File.WriteAllText(scratch.PathOf(stale), "of another version, or of other records");
        Write(Cell("enet", 1, 1, 10_000));
        Pictures.Render(scratch.Folder);
        Assert.Equal(4, Files("*.png").Length);
        Assert.Empty(Files("*.svg"));

        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Error);
        Assert.Empty(Files("*.png"));
        var page = Pages.In(scratch.Folder);
        Assert.Contains("\n## Charts\n\nThere are no pictures, because none were asked for.\n", page);
        Assert.DoesNotContain(".png", page);
        Assert.Contains(
            "There are no pictures, because none were asked for.",
            File.ReadAllText(scratch.PathOf("report.html")));
    }

    [Fact]
    public void Who_draws_is_asked_for_by_auto_or_none()
    {
        Write(Cell("enet", 1, 1, 10_000));
        foreach (var wrong in new[] { "svg", "scottplot", "" })
        {
            Tool.Run("render", scratch.Folder, "--charts", wrong).WrongUsage();
        }
    }

    [Fact]
    public void A_folder_that_takes_no_chart_is_told_in_one_sentence()
    {
        Write(Cell("enet", 1, 1, 10_000));
        Pictures.Render(scratch.Folder);
        File.Delete(scratch.PathOf("report.md"));
        // Root may write into any other.
        Directory.CreateDirectory(scratch.PathOf("throughput-unreliable.png.tmp"));
        var ended = Tool.Run("render", scratch.Folder).WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Contains("throughput-unreliable.png.tmp' is denied", Assert.Single(ended.Error));
        Assert.False(File.Exists(scratch.PathOf("report.md")));
    }
}
