/// <summary>How a sweep's libraries are named: as they are pinned, in another version, or of a folder.</summary>
public sealed class NamedLibrariesTests : InSuiteFolder
{
    public NamedLibrariesTests()
    {
        suite.AddBench("made");
        AddProject("a", "Made.csproj");
        AddProject("b/Made", "Made.csproj");
        AddProject("c/Made", "Made.csproj");
        AddProject("2.1.3", "Made.csproj");
        AddProject("two", "Made.csproj", "Other.csproj");
        Directory.CreateDirectory(suite.PathOf("none"));
        File.WriteAllText(suite.PathOf("bench-tcp", "bench-tcp.csproj"), "<Project />");
    }

    [Theory]
    [InlineData("made,made@2.1.3,made@3.0.0-rc.1", "made,made@2.1.3,made@3.0.0-rc.1")]
    [InlineData("made@./a", "made@a")]
    [InlineData("made@a/", "made@a")]
    [InlineData("made@b/Made", "made@Made")]
    [InlineData("made@b/Made,made@c/Made", "made@b-Made,made@c-Made")]
    [InlineData("made@two/Made.csproj", "made@two")]
    public void A_folder_has_a_short_name_in_records(string given, string names)
    {
        var settings = suite.Run("sweep", "--libraries", given).WithCode(0).Out;
        Assert.Contains($"libraries={names}", settings);
        var benches = suite.RunWith(settings, "benches").WithCode(0).Out;
        Assert.Equal(names.Split(','), benches.Select(line => line.Split('\t')[0]));
        Assert.All(benches, line => Assert.Equal("bench-made", line.Split('\t')[1]));
    }

    [Fact]
    public void A_folder_called_like_a_version_has_its_parent_before_it()
    {
        var settings = suite.Run("sweep", "--libraries", "made@./2.1.3").WithCode(0).Out;
        var name = settings.Single(line => line.StartsWith("libraries="))["libraries=".Length..];
        Assert.Equal($"made@{Path.GetFileName(suite.Folder)}-2.1.3", name);
    }

    [Fact]
    public void What_was_built_of_another_folder_of_that_name_is_not_run()
    {
        const string Notes =
            """{"project":{"restore":{"frameworks":{"n":{"projectReferences":{"a":{"projectPath":"PATH"}}}}}}}""";
        var notes = Directory.CreateDirectory(suite.PathOf("bench-made", "obj", "@Made")).FullName;
        var other = suite.PathOf("b", "Made", "Made.csproj");
        File.WriteAllText(
            Path.Combine(notes, "project.assets.json"),
            Notes.Replace("PATH", other));
        var mine = suite.PathOf("c", "Made", "Made.csproj");
        Assert.Contains(
            $"made@Made is built of {other}: dotnet build -c Release bench-made -p:LibraryProject={mine} ",
            suite.Run("run", "made@c/Made/unreliable", "--clients", "1").WrongUsage());
    }

    [Fact]
    public void Builds_have_the_property_of_a_version_or_those_of_a_project()
    {
        var settings = suite.Run("sweep", "--libraries", "made,made@2.1.3,made@a/").WithCode(0).Out;
        string[] expected =
        [
            "made\tbench-made",
            "made@2.1.3\tbench-made\t-p:LibraryVersion=2.1.3",
            $"made@a\tbench-made\t-p:LibraryProject={suite.PathOf("a", "Made.csproj")}\t-p:LibraryBuild=a",
        ];
        Assert.Equal(expected, suite.RunWith(settings, "benches").WithCode(0).Out);
    }

    [Fact]
    public void Paths_begin_in_the_folder_of_the_caller_and_those_of_a_preset_too()
    {
        File.WriteAllText(suite.PathOf("b", "my.preset"),
            "libraries=made@Made/,made\ndelivery=unreliable\nclients=1\nparallel=1\nwarmup_seconds=1\nseconds=1\n"
            + "repeats=1\n");
        string[] words = ["sweep", "--folder", suite.PathOf("b"), "--preset", "my.preset"];
        Assert.Contains("libraries=made@Made,made", suite.Run(words).WithCode(0).Out);
    }

    [Theory]
    [InlineData("made@", "--libraries: 'made@' names neither a version nor a folder behind the @, as in "
        + "litenetlib@2.1.3.")]
    [InlineData("@2.1.3", "--libraries: '@2.1.3' names no library before the @, as in litenetlib@2.1.3.")]
    [InlineData("made@branch", "'branch' of 'made@branch' is no version of NuGet's such as 2.1.3 and, without a slash, "
        + "no folder.")]
    [InlineData("made@[2.1.3]", "--libraries: '[2.1.3]' of 'made@[2.1.3]' is no version of NuGet's such as 2.1.3 and, "
        + "without a slash, no folder.")]
    [InlineData("made@./nosuch", "There is no folder './nosuch', of which 'made@./nosuch' is to be built.")]
    [InlineData("made@./none", "'./none' of 'made@./none' is a folder without a project: no *.csproj is in it.")]
    [InlineData("made@./two", "'./two' of 'made@./two' is a folder with 2 projects, Made.csproj and Other.csproj: name "
        + "the file of one.")]
    [InlineData("nosuch@2.1.3", "'nosuch@2.1.3' is no value for --libraries. Folders bench-NAME; NAME@2.1.3: with that "
        + "version of the library; NAME@../FOLDER: with what is built of the project there.")]
    [InlineData("made@2.1.3,made@2.1.3", "--libraries names 'made@2.1.3' twice.")]
    [InlineData("made@./a,made@a/", "'made@./a' and 'made@a/' are of the same project.")]
    [InlineData("tcp@1.0", "--libraries: 'tcp@1.0': bench-tcp has no package that it could have in other versions.")]
    public void What_names_no_library_is_told_in_a_sentence(string libraries, string sentence)
    {
        Assert.EndsWith(sentence, suite.Run("sweep", "--libraries", libraries).WrongUsage());
    }

    [Fact]
    public void Against_means_two_versions_five_launches_and_until_3_percent()
    {
        var settings = suite.Run("sweep", "--against", "made@2.1.3").WithCode(0).Out;
        foreach (var line in new[] { "libraries=made@2.1.3,made", "until=3%", "at_most=20min", "repeats=5" })
        {
            Assert.Contains(line, settings);
        }
        settings = suite.Run("sweep", "--against", "made@2.1.3", "--libraries", "made@a/", "--until", "1%").Out;
        Assert.Contains("libraries=made@2.1.3,made@a", settings);
        Assert.Contains("until=1%", settings);
    }

    [Theory]
    [InlineData("made@", "", "--against: 'made@' names neither a version nor a folder")]
    [InlineData("made", "", "--against takes another version of made, as in --against made@2.1.3.")]
    [InlineData("made@2.1.3", "udp", "'udp' against 'made@2.1.3' is none such.")]
    [InlineData("made@2.1.3", "made,udp", "'made,udp' against 'made@2.1.3' is none such.")]
    [InlineData("made@2.1.3,made@2", "", "'made' against 'made@2.1.3,made@2' is none such.")]
    [InlineData("nosuch@2.1.3", "", "'nosuch@2.1.3' is no value for --against.")]
    public void Against_takes_one_other_version(string against, string libraries, string sentence)
    {
        string[] named = libraries == "" ? [] : ["--libraries", libraries];
        Assert.Contains(sentence, suite.Run(["sweep", "--against", against, .. named]).WrongUsage());
    }

    void AddProject(string folder, params string[] projects)
    {
        Directory.CreateDirectory(suite.PathOf(folder));
        foreach (var project in projects)
        {
            File.WriteAllText(suite.PathOf(folder, project), "<Project />");
        }
    }
}
