/// <summary>A copy of the suite with one bench, bench-made, whose library is made here: a package in several versions,
/// and sources in folders. What it does before each answer is all that they differ in. Several classes use one copy at
/// once, so that no version is built twice.</summary>
sealed class VersionedTree
{
    /// <summary>A launch of a few seconds, in which the delay of 1.1.0 is far over what one launch must differ by.
    /// </summary>
    public static readonly string[] Quick =
    [
        "--delivery", "unreliable",
        "--clients", "2",
        "--parallel", "1",
        "--payload-bytes", "32",
        "--warmup-seconds", "0.5",
        "--seconds", "0.2",
        "--rounds", "12",
    ];

    /// <summary>One in which nothing is compared.</summary>
    public static readonly string[] Brief = [.. Quick[..^2], "--rounds", "2"];

    /// <summary>How long 1.1.0 spins before each answer.</summary>
    const int SlowMicroseconds = 60;

    const string Model = Bench.Model;
    const string Package = "Made.Lib";
    // Behind it stands that the model calls the system's own library.
    const string Nullable = "<Nullable>enable</Nullable>";
    const double BuildSeconds = 600;

    static readonly Lazy<VersionedTree> shared = new(() => new());

    readonly Scratch scratch = Scratch.OfAllTests();

    VersionedTree()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests let scripts find another dotnet.");
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        foreach (var folder in new[] { "scripts", "records", "report", "runner" })
        {
            Repo.Copy(folder, PathOf(folder));
        }
        foreach (var tool in new[] { "report", "runner" })
        {
            Repo.Copy(Path.Combine(tool, "bin", "Release"), PathOf(tool, "bin", "Release"));
        }
        // What one test had built the next ones need not look through again, which takes seconds each; what another
        // one builds just now they wait for.
        MiniTree.Stub(PathOf("path"), $$"""
            case "$1 $2" in "build runner" | "build report") exit 0 ;; esac
            {{WarmTools.ShellLines}}
            for word; do
                case $word in
                    -p:LibraryVersion=* | -p:LibraryBuild=*) built=@${word#*=} ;;
                esac
            done
            if [ "$1 $2" = "build bench-made" ]; then
                if [ -z "$locked" ]; then
                    locked=yes exec flock --close '{{PathOf("obj")}}/'"lock$built" "$0" "$@"
                fi
                if [ -f "bench-made/bin/Release$built/bench-made.dll" ]; then exit 0; fi
            fi
            exec '{{Runner.Find("dotnet")}}' "$@"
            """);
        // What analyzers say of its source scripts/test.sh has asked.
        File.WriteAllText(
            PathOf("Directory.Build.props"),
            "<Project><PropertyGroup><RunAnalyzers>false</RunAnalyzers></PropertyGroup></Project>");
        AddBench();
        AddRegistry();
        Source(PathOf("branch", "look-at-Made"), 0, "Before");
        Source(PathOf("other"), 0, "Before", "Other");
    }

    /// <summary>The copy.</summary>
    public static VersionedTree Shared => shared.Value;

    /// <summary>The other script where it is here; EqualRunnersTests holds that both lead the same commands.</summary>
    public static string OtherScript => Runner.Missing("pwsh") == null ? Runner.PowerShell : Runner.Bash;

    /// <summary>A path in the copy.</summary>
    public string PathOf(params string[] parts) => scratch.PathOf(parts);

    /// <summary>Runs a script of the copy to its end.</summary>
    public Ended RunAll(string script, params IEnumerable<string> args)
    {
        var path = $"{PathOf("path")}:{Environment.GetEnvironmentVariable("PATH")}";
        var words = Runner.Words(PathOf("scripts", script));
        using var command = Command.StartIn(scratch.Folder, [("PATH", path)], words[0], [.. words[1..], .. args]);
        return command.Wait(BuildSeconds);
    }

    /// <summary>Runs the runner of the copy. Not by a worker, which would know what a bench said before the test
    /// changed it.</summary>
    public Ended Lead(params IEnumerable<string> args)
    {
        string[] words = [PathOf("runner", "bin", "Release", "runner.dll"), .. args];
        using var command = Command.StartIn(scratch.Folder, [], "dotnet", words);
        command.CloseInput();
        return command.Wait(BuildSeconds);
    }

    /// <summary>All files that nothing built, with what is in them.</summary>
    public Dictionary<string, string> Sources()
    {
        string[] written = ["bin", "obj", "packages", "feed"];
        return Directory.GetFiles(scratch.Folder, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(scratch.Folder, file))
            .Where(file => !file.Split('/').Intersect(written).Any() && !file.StartsWith("results"))
            .ToDictionary(file => file, file => File.ReadAllText(PathOf(file)));
    }

    // A bench of plain UDP that calls the library before each answer, built as those of libraries are.
    void AddBench()
    {
        Repo.Copy(Model, PathOf("bench-made"));
        File.Delete(PathOf("bench-made", $"{Model}.csproj"));
        var project = File.ReadAllText(Repo.PathOf("bench-litenetlib", "bench-litenetlib.csproj"));
        Assert.Contains(">2.1.5</LibraryVersion>", project);
        File.WriteAllText(
            PathOf("bench-made", "bench-made.csproj"),
            project.Replace("LiteNetLib", Package)
                .Replace("2.1.5", "1.0.0")
                .Replace(Nullable, $"<AllowUnsafeBlocks>true</AllowUnsafeBlocks>\n    {Nullable}"));
        Change("Library.cs", "\"udp\"", "\"made\"");
        Change("Library.cs", "typeof(Socket)", "typeof(Made.Answers)");
        Change("Library.cs", "Environment.Version.ToString()", "Assembly.GetName().Version!.ToString(3)");
        const string Counted = "            tally[Count.Sent]++;\n";
        Change("Service.cs", Counted, $"{Counted}            Made.Answers.Before();\n");
    }

    void Change(string name, string from, string to)
    {
        var file = PathOf("bench-made", name);
        var text = File.ReadAllText(file);
        Assert.Contains(from, text);
        File.WriteAllText(file, text.Replace(from, to));
    }

    // What the benches need besides lies where the suite's own builds have it; no registry is asked.
    void AddRegistry()
    {
        var users = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        File.WriteAllText(PathOf("nuget.config"), $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <fallbackPackageFolders><clear /><add key="users" value="{users}" /></fallbackPackageFolders>
              <packageSources><clear /><add key="here" value="feed" /></packageSources>
            </configuration>
            """);
        Directory.CreateDirectory(PathOf("feed"));
        Pack(
            ("1.0.0", 0, "Before"),
            ("1.0.1", 0, "Before"),
            ("1.1.0", SlowMicroseconds, "Before"),
            ("2.0.0", 0, "Ahead"));
    }

    // All at once: each start of the SDK takes seconds.
    void Pack(params (string Version, int Microseconds, string Method)[] packages)
    {
        foreach (var (version, microseconds, method) in packages)
        {
            Source(PathOf("obj", version), microseconds, method);
        }
        var projects = string.Concat(packages.Select(package => $"""
                <Made Include="{package.Version}/{Package}.csproj"
                      AdditionalProperties="Version={package.Version};PackageOutputPath={PathOf("feed")}" />
            """));
        File.WriteAllText(PathOf("obj", "all.proj"), $"""
            <Project>
              <ItemGroup>
                {projects}
              </ItemGroup>
              <Target Name="Pack">
                <MSBuild Projects="@(Made)" Targets="Restore" Properties="MSBuildRestoreSessionId=all" />
                <MSBuild Projects="@(Made)" Targets="Pack" Properties="Configuration=Release" BuildInParallel="true" />
              </Target>
            </Project>
            """);
        string[] words = ["msbuild", "all.proj", "-t:Pack", "-m", "-nodeReuse:false", "-nologo", "-v:quiet"];
        using var pack = Command.StartIn(PathOf("obj"), [], "dotnet", words);
        pack.Wait(BuildSeconds).WithCode(0);
    }

    static void Source(string folder, int microseconds, string method, string assembly = Package)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, $"{assembly}.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
            </Project>
            """);
        var name = assembly == Package ? "Made" : assembly;
        File.WriteAllText(Path.Combine(folder, "Answers.cs"), $$"""
            using System.Diagnostics;
            namespace {{name}};
            public static class Answers
            {
                public static void {{method}}()
                {
                    long until = Stopwatch.GetTimestamp() + Stopwatch.Frequency * {{microseconds}} / 1_000_000;
                    while (Stopwatch.GetTimestamp() < until)
                    {
                    }
                }
            }
            """);
    }
}
