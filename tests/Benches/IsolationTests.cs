using System.Xml.Linq;

/// <summary>No bench reaches outside its own folder.</summary>
public sealed class IsolationTests
{
    static readonly string[] shared =
        ["Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "Directory.Packages.props"];

    public static TheoryData<string> Benches => [.. Repo.Benches];

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
        Assert.DoesNotContain(Repo.Benches.Select(bench => Repo.PathOf(bench)).Append(Repo.Root)
            .SelectMany(folder => shared.Select(name => Path.Combine(folder, name))), File.Exists);

    [Fact]
    public void At_least_one_bench_is_built() => Assert.Contains(Repo.Benches, Bench.IsBuilt);

    [Fact]
    public void A_bench_copied_to_an_empty_folder_builds_alone()
    {
        using var scratch = new Scratch();
        Repo.Copy("bench-udp", scratch.PathOf("bench-udp"));
        using var build = Command.StartIn(scratch.PathOf("bench-udp"), [],
            "dotnet", "build", "-c", "Release", "--nologo");
        build.Wait(120).WithCode(0);
        using var info = Command.Start("dotnet",
            scratch.PathOf("bench-udp", "bin", "Release", "bench-udp.dll"), "info");
        Assert.Equal("info", Record.KindOf(Assert.Single(info.Wait().WithCode(0).Records)));
    }

    static bool PointsOut(string value) => value.Contains("..") || value.StartsWith('/')
        || value.Contains(":\\") || value.Contains("MSBuildThisFileDirectory");
}
