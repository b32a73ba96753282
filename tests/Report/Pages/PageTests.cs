using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>report.html as a file: its size, that it is always the same, and that it loads nothing.</summary>
public sealed class PageTests : OfReport
{
    const int MostBytes = 2_000_000;
    const double BuildSeconds = 300;
    const string TooLong = "Too long for this page";

    [Fact]
    public void The_page_is_the_same_bytes_in_another_culture_and_time_zone()
    {
        MadeUp.Write(scratch.Folder, Sweeps.OfAllViews);
        var page = Rendered();
        Assert.Equal(page, Rendered(Tool.Turkish));
        Assert.DoesNotContain('\r', page);
    }

    [Fact]
    public void The_page_has_all_text_of_the_report_and_loads_nothing()
    {
        MadeUp.Write(scratch.Folder, Sweeps.OfAllViews);
        var page = Rendered();
        var markup = Regex.Replace(page, "(?s)<(script|style)[^>]*>.*?</\\1>", "");
        var addresses = Regex.Matches(markup, "(?:src|href|action|data)=\"([^\"]*)\"");
        const string Own = "^(#[a-z0-9-]+|data:image/png;base64,[A-Za-z0-9+/=]+)$";
        Assert.All(addresses, address => Assert.Matches(Own, address.Groups[1].Value));
        Assert.DoesNotContain(" style=", markup);
        Assert.Contains("default-src 'none'", markup);
        foreach (var heading in Pages.In(scratch.Folder).Split('\n').Where(line => line.StartsWith("## ")))
            Assert.Contains($">{heading[3..]}<", markup);
        var text = System.Net.WebUtility.HtmlDecode(Regex.Replace(markup, "<[^>]*>", " "));
        Assert.Contains("7,843–8,157 (95 %)", text);
        // It is all here, so that it does not send readers to the other files.
        Assert.DoesNotContain("appendix.md)", text);
    }

    [Fact]
    public void What_would_make_the_page_too_large_is_left_out_and_said_to_be()
    {
        // Each reason is in the cells' tables and among the failures, at five bytes a letter.
        var errors = Enumerable.Range(1, 1500).Select(i => MadeUp.Example(
            "error",
            ("run_id", $"r{i}"),
            ("settings.run_id", $"r{i}"),
            ("settings.clients", 2000 + i),
            ("reason", $"{i} {new string('&', 280)}")));
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. Sweeps.OfAllViews.Skip(1), .. errors]);
        var page = Rendered();
        Assert.InRange(new FileInfo(scratch.PathOf("report.html")).Length, 100_000, MostBytes);
        var cells = page.IndexOf("<h2 id=\"cells\"", StringComparison.Ordinal);
        var machine = page.IndexOf("<h2 id=\"machine\"", StringComparison.Ordinal);
        Assert.Contains(TooLong, page[cells..machine]);
        Assert.DoesNotContain(TooLong, page[..cells]);
        Assert.Contains(">8,000<", page);
    }

    // With an npm that fails and then one that is not wanted, which does not keep the build from going on.
    [Fact]
    public void Without_npm_the_page_has_the_pictures_themselves_and_without_ScottPlot_the_report_has_none()
    {
        const string NoNpm = "-p:Npm=none";
        const string NoScottPlot = "-p:ScottPlotVersion=none";
        CopySource();
        // A shell script stands in for the npm that fails.
        if (!OperatingSystem.IsWindows())
        {
            Assert.Contains(
                "warning NONPM: report.html will have static charts: npm ",
                Assert.Single(Warnings(NoScottPlot)));
            AssertHasNoPictures();
        }
        var hasScottPlot = File.Exists(Repo.PathOf("report", "bin", "Release", "ScottPlot.dll"));
        Assert.Empty(hasScottPlot ? Warnings(NoNpm) : Warnings(NoNpm, NoScottPlot));
        Assert.SkipUnless(hasScottPlot, "report was built without ScottPlot.");
        AssertHasPicturesInThePage();
    }

    void AssertHasNoPictures()
    {
        const string NoPictures = "There are no pictures, because ScottPlot was not available.";
        Assert.Equal(NoPictures, RenderedByCopy().Sentence());
        Assert.Empty(Directory.GetFiles(scratch.PathOf("sweep"), "*.png"));
        var page = File.ReadAllText(scratch.PathOf("sweep", "report.html"));
        Assert.DoesNotContain("echarts", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<img", page);
        Assert.Contains($"<p>{NoPictures}</p>", page);
        var markdown = Pages.In(scratch.PathOf("sweep"));
        Assert.Contains($"\n## Charts\n\n{NoPictures}\n", markdown);
        Assert.DoesNotContain(".png", markdown);
    }

    void AssertHasPicturesInThePage()
    {
        Pictures.SkipWithout(RenderedByCopy());
        var page = File.ReadAllText(scratch.PathOf("sweep", "report.html"));
        Assert.DoesNotContain("echarts", page, StringComparison.OrdinalIgnoreCase);
        var markdown = Pages.In(scratch.PathOf("sweep"));
        var all = markdown.Split("\n## All charts\n")[1];
        var charts = Regex.Matches(all, @"(?m)^!?\[[^]]+\]\(([a-z0-9-]+\.png)\)$");
        var embedded = Regex.Matches(page, "<img alt=\"[^\"]+\" src=\"data:image/png;base64,([^\"]+)\">");
        var pictures = charts.Select(chart => File.ReadAllBytes(scratch.PathOf("sweep", chart.Groups[1].Value)));
        Assert.NotEmpty(charts);
        Assert.Equal(pictures, embedded.Select(picture => Convert.FromBase64String(picture.Groups[1].Value)));
        Assert.Contains("<details><summary>Throughput in messages/s, reliable-ordered", page);
    }

    // With an npm that fails.
    void CopySource()
    {
        Repo.Copy("records", scratch.PathOf("records"));
        Repo.Copy("report", scratch.PathOf("report"));
        var npm = scratch.PathOf("npm");
        File.WriteAllText(npm, "#!/bin/sh\nexit 1\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(npm, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }
    }

    // What a build of the copy warns of, but for versions that its registry has no older ones of.
    string[] Warnings(params string[] flags)
    {
        var path = $"{scratch.Folder}{Path.PathSeparator}{Environment.GetEnvironmentVariable("PATH")}";
        // What analyzers say of its source scripts/test.sh has asked.
        string[] words = ["build", "report", "-c", "Release", "--nologo", "-v", "q", "-p:RunAnalyzers=false"];
        using var build = Command.StartIn(scratch.Folder, [("PATH", path)], "dotnet", [.. words, .. flags]);
        var said = build.Wait(BuildSeconds).WithCode(0).Out;
        return [.. said.Where(line => line.Contains("warning ") && !line.Contains("NU1603")).Distinct()];
    }

    Ended RenderedByCopy()
    {
        double[][] rounds = [[.. Enumerable.Repeat(10_000.0, 12)]];
        MadeUp.Write(scratch.PathOf("sweep"),
        [
            .. Sweeps.OfAllViews,
            .. MadeUp.Interleaved("tcp", "reliable-ordered", 1, rounds),
            .. MadeUp.Interleaved("enet", "reliable-ordered", 1, rounds),
        ]);
        var report = scratch.PathOf("report", "bin", "Release", "report.dll");
        using var render = Command.Start("dotnet", report, "render", scratch.PathOf("sweep"));
        return render.Wait().WithCode(0);
    }

    [Fact]
    public void The_lock_file_names_versions_and_hashes_and_no_host()
    {
        var lockFile = Repo.PathOf("report", "Pages", "page", "package-lock.json");
        var packages = (JObject)JObject.Parse(File.ReadAllText(lockFile))["packages"]!;
        Assert.All(packages.Properties().Where(package => package.Name != ""), package =>
        {
            Assert.Null(package.Value["resolved"]);
            Assert.StartsWith("sha512-", (string?)package.Value["integrity"]);
        });
        var page = packages[""]!;
        Assert.All(page["dependencies"]!.Concat(page["devDependencies"]!).Cast<JProperty>(), wanted =>
        {
            var locked = packages[$"node_modules/{wanted.Name}"]!;
            Assert.Equal((string?)wanted.Value, (string?)locked["version"]);
        });
    }

    string Rendered(string? culture = null)
    {
        Tool.RunIn(culture, "render", scratch.Folder, "--charts", "none").WithCode(0);
        return File.ReadAllText(scratch.PathOf("report.html"));
    }
}
