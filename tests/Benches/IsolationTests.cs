using System.Xml.Linq;

/// <summary>No bench reaches outside its own folder.</summary>
public sealed class IsolationTests
{
    static readonly string[] shared =
        ["Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "Directory.Packages.props"];

    // Within the suite a bench is held to the suite's style; copied elsewhere it does without.

    public static TheoryData<string> Benches => [.. Repo.AllBenches];

    [Theory, MemberData(nameof(Benches))]
    public void A_project_names_nothing_outside_its_folder(string bench)
    {
        var project = XDocument.Load(Repo.PathOf(bench, $"{bench}.csproj"));
        foreach (var element in new[] { "HintPath", "Compile" })
        {
            Assert.Empty(project.Descendants(element));
        }
        // The SDK, and what whoever builds it names in place of the library's package.
        Assert.All(
            project.Descendants("Import"),
            import => Assert.Equal("Microsoft.NET.Sdk", import.Attribute("Sdk")?.Value));
        Assert.All(
            project.Descendants("ProjectReference"),
            reference => Assert.Equal("$(LibraryProject)", reference.Attribute("Include")?.Value));
        var values = project.Descendants().SelectMany(ValuesOf);
        Assert.DoesNotContain(values, PointsOut);
    }

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_is_one_folder_without_folders(string bench)
    {
        var folders = Directory.GetDirectories(Repo.PathOf(bench)).Select(Path.GetFileName);
        Assert.Empty(folders.Except(["bin", "obj"]));
    }

    [Fact]
    public void No_file_above_or_in_a_bench_changes_its_build()
    {
        var folders = Repo.AllBenches.Select(bench => Repo.PathOf(bench)).Append(Repo.Root);
        Assert.DoesNotContain(
            folders.SelectMany(folder => shared.Select(name => Path.Combine(folder, name))),
            File.Exists);
    }

    [Fact]
    public void At_least_one_bench_is_built() => Assert.Contains(Repo.Benches, Bench.IsBuilt);

    [Fact]
    public void A_bench_copied_to_an_empty_folder_builds_alone_and_measures_in_two_terminals()
    {
        // What is changed in it is of a server that is led.
        var built = MiniTree.PathOfBroken;
        var port = Bench.FreePort();
        using var scratch = new Scratch();
        using var server = Command.StartIn(scratch.Folder, [], "dotnet", built, "server", "--port", port);
        server.LineWith("\"ready\"");
        string[] words = [built, "client", "--port", port, "--seconds", "1"];
        using var client = Command.StartIn(scratch.Folder, [], "dotnet", words);
        var measured = Counted.ByHand(client.Wait().WithCode(0).Records);
        Record.AssertAddsUp(measured);
        Assert.True(Record.Sum(measured, "received") > 0);
        server.Stop();
        server.Wait().WithCode(0);
    }

    static IEnumerable<string> ValuesOf(XElement element)
    {
        var attributes = element.Attributes().Select(attribute => attribute.Value);
        return element.HasElements ? attributes : attributes.Append(element.Value);
    }

    static bool PointsOut(string value) => value.StartsWith('/')
        || value.Contains("..")
        || value.Contains(":\\")
        || value.Contains("MSBuildThisFileDirectory");
}
