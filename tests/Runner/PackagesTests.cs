using System.IO.Compression;
using System.Xml.Linq;

/// <summary>Packages that a registry lacks: a library's own make its bench unavailable, and of those below it the
/// records say what NuGet took for them.</summary>
public sealed class PackagesTests : IDisposable
{
    const string Own = "Bench.Tests.Own";
    const string Below = "Bench.Tests.Below";

    readonly Scratch scratch = new();
    readonly SuiteFolder suite = new();

    public void Dispose()
    {
        suite.Dispose();
        scratch.Dispose();
    }

    public static TheoryData<string> Benches => [.. Repo.AllBenches];

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_pins_its_librarys_package_and_heeds_no_other(string bench)
    {
        var project = File.ReadAllText(Repo.PathOf(bench, $"{bench}.csproj"));
        Assert.Contains("<WarningsNotAsErrors>NU1603</WarningsNotAsErrors>", project);
        // Of plain sockets and of ASP.NET itself the package is .NET.
        Assert.Equal(
            bench is "bench-tcp" or "bench-udp" or "bench-websocket" or "bench-http" or "bench-kestrel" or "bench-quic",
            !project.Contains("Version=\"["));
    }

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_takes_its_librarys_packages_in_another_version_or_a_project_for_them(string bench)
    {
        var project = XDocument.Load(Repo.PathOf(bench, $"{bench}.csproj"));
        var pinned = project.Descendants("PackageReference")
            .Where(package => package.Attribute("Version")!.Value.StartsWith('['))
            .ToArray();
        if (pinned.Length == 0)
        {
            Assert.Empty(project.Descendants("LibraryVersion"));
            return;
        }
        // All that libraries need to be built apart is the same in all benches, as in the one that tests build.
        var model = XDocument.Load(Repo.PathOf("bench-litenetlib", "bench-litenetlib.csproj"));
        Assert.Equal($"{FirstOf(model, "PropertyGroup")}", $"{FirstOf(project, "PropertyGroup")}");
        Assert.Equal($"{FirstOf(model, "OutputPath")}", $"{FirstOf(project, "OutputPath")}");
        Assert.Equal($"{FirstOf(model, "ProjectReference").Parent}", $"{FirstOf(project, "ProjectReference").Parent}");
        Assert.Equal("'$(LibraryVersion)' == ''", FirstOf(project, "LibraryVersion").Attribute("Condition")!.Value);
        Assert.All(pinned, package => Assert.Matches(
            @"^\[\$\((LibraryVersion|ProtocolVersion)\)\]$", package.Attribute("Version")!.Value));
        Assert.Equal(
            "'$(LibraryProject)' == ''",
            Assert.Single(pinned.Select(package => package.Parent!.Attribute("Condition")!.Value).Distinct()));
    }

    static XElement FirstOf(XDocument project, string element) => project.Descendants(element).First();

    [Fact]
    public void What_NuGet_takes_for_a_package_below_is_recorded_and_a_package_that_is_pinned_must_be_had()
    {
        Assert.SkipUnless(Bench.IsBuilt(Bench.Model), $"{Bench.Model} is not built.");
        Pack(Own, "1.0.0", $"<dependency id=\"{Below}\" version=\"1.0.1\" />");
        Pack(Below, "1.0.2", "");
        File.WriteAllText(scratch.PathOf("nuget.config"), """
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <packageSources><add key="here" value="feed" /></packageSources>
            </configuration>
            """);
        Repo.Copy(Bench.Model, scratch.PathOf("bench"));

        // Said again where nothing is left to restore.
        for (var time = 0; time < 2; time++)
        {
            var info = Assert.Single(Built(Build("1.0.0").WithCode(0)).WithCode(0).Records);
            Assert.Empty(Contract.Faults(info, "info"));
            Assert.Equal([$"{Below} 1.0.1 → 1.0.2"], info["packages_replaced"]!.Select(one => (string)one!));
        }

        Pack(Own, "1.0.2", "");
        var lacking = Build("1.0.1").WithCode(1);
        var error = Assert.Single(Built(lacking, "--failed").WithCode(0).Records);
        Assert.Equal("unavailable", (string?)error["kind"]);
        Assert.StartsWith($"NU1102: Unable to find package {Own} with version (= 1.0.1)", (string?)error["reason"]);
    }

    Ended Built(Ended build, params string[] flags) =>
        suite.RunWith(build.Out, ["built", "--library", "udp", .. flags]);

    Ended Build(string version)
    {
        var project = File.ReadAllText(Repo.PathOf(Bench.Model, $"{Bench.Model}.csproj"));
        var package = $"<PackageReference Include=\"{Own}\" Version=\"[{version}]\" />";
        File.WriteAllText(
            scratch.PathOf("bench", $"{Bench.Model}.csproj"),
            // The registry itself is not asked.
            System.Text.RegularExpressions.Regex.Replace(project, "<PackageReference .*/>", package));
        string[] words = ["msbuild", "-restore", "-t:Restore", "-nologo", "-v:quiet"];
        using var build = Command.StartIn(scratch.PathOf("bench"), [], "dotnet", words);
        return build.Wait(120);
    }

    // A package without anything in it.
    void Pack(string id, string version, string dependencies)
    {
        Directory.CreateDirectory(scratch.PathOf("feed"));
        using var zip = ZipFile.Open(scratch.PathOf("feed", $"{id}.{version}.nupkg"), ZipArchiveMode.Create);
        using var nuspec = new StreamWriter(zip.CreateEntry($"{id}.nuspec").Open());
        nuspec.Write($"""
            <package>
              <metadata>
                <id>{id}</id><version>{version}</version><authors>x</authors><description>x</description>
                <dependencies><group targetFramework="net10.0">{dependencies}</group></dependencies>
              </metadata>
            </package>
            """);
    }
}
