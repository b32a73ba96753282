using System.Xml.Linq;

/// <summary>No bench reaches outside its own folder.</summary>
public sealed class IsolationTests
{
    static readonly string[] shared =
        ["Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "Directory.Packages.props"];

    public static TheoryData<string> Benches => [.. Repo.AllBenches];

    [Theory, MemberData(nameof(Benches))]
    public void A_project_names_nothing_outside_its_folder(string bench)
    {
        var project = XDocument.Load(Repo.PathOf(bench, $"{bench}.csproj"));
        Assert.Empty(project.Descendants("ProjectReference"));
        Assert.Empty(project.Descendants("Import"));
        Assert.Empty(project.Descendants("HintPath"));
        Assert.Empty(project.Descendants("Compile"));
        Assert.DoesNotContain(project.Descendants().SelectMany(element => element.Attributes()
            .Select(attribute => attribute.Value).Append(element.HasElements ? "" : element.Value)), PointsOut);
    }

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_is_one_folder_without_folders(string bench) =>
        Assert.Empty(Directory.GetDirectories(Repo.PathOf(bench)).Select(Path.GetFileName)
            .Except(["bin", "obj"]));

    [Fact]
    public void No_file_above_or_in_a_bench_changes_its_build() =>
        Assert.DoesNotContain(Repo.AllBenches.Select(bench => Repo.PathOf(bench)).Append(Repo.Root)
            .SelectMany(folder => shared.Select(name => Path.Combine(folder, name))), File.Exists);

    [Fact]
    public void At_least_one_bench_is_built() => Assert.Contains(Repo.Benches, Bench.IsBuilt);

    [Fact]
    public void A_bench_copied_to_an_empty_folder_builds_alone_and_measures_in_two_terminals()
    {
        using var scratch = new Scratch();
        Repo.Copy(Bench.Model, scratch.PathOf("copy"));
        using var build = Command.StartIn(scratch.PathOf("copy"), [], "dotnet", "build", "-c", "Release", "--nologo");
        build.Wait(120).WithCode(0);
        string[] built = [scratch.PathOf("copy", "bin", "Release", $"{Bench.Model}.dll")];
        var port = Bench.FreePort();
        using var server = Command.StartIn(scratch.Folder, [], "dotnet", [.. built, "server", "--port", port]);
        server.LineWith("\"ready\"");
        using var client = Command.StartIn(scratch.Folder, [], "dotnet", [.. built, "client", "--port", port, "--seconds", "1"]);
        var measured = Record.Single(client.Wait().WithCode(0).Records, "slice");
        Record.AssertAddsUp(measured);
        Assert.True(Record.Sum(measured, "received") > 0);
        server.Stop();
        server.Wait().WithCode(0);
    }

    static bool PointsOut(string value) => value.Contains("..") || value.StartsWith('/')
        || value.Contains(":\\") || value.Contains("MSBuildThisFileDirectory");
}
