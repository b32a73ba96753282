/// <summary>The files that benches have alike: a copy each, so that every bench is whole by itself.</summary>
public sealed class CopiesTests
{
    // Every bench has these, and in each they are its own.
    static readonly string[] own = ["Library.cs", "Client.cs", "Server.cs"];

    static readonly string[] ofAll =
        ["Program.cs", "Settings.cs", "Load.cs", "Tally.cs", "Window.cs", "Records.cs"];

    static readonly string[] ofEchoes = ["Game.cs"];

    // Of echoes, and of calls where there are broadcasts beside them.
    static readonly string[] ofMessages = ["Message.cs", "Exchange.cs", "Service.cs", "Broadcast.cs"];

    static readonly string[] ofCalls = ["Calls.cs"];

    public static TheoryData<string> Benches => [.. Repo.AllBenches];

    [Fact]
    public void A_file_that_stands_in_several_benches_is_the_same_byte_for_byte()
    {
        var repairs = new List<string>();
        var names = Repo.AllBenches.SelectMany(FilesOf).Except(own).Distinct().Order();
        foreach (var name in names)
        {
            var having = Repo.AllBenches.Where(bench => File.Exists(Repo.PathOf(bench, name))).ToArray();
            var model = File.ReadAllBytes(Repo.PathOf(having[0], name));
            var differing = having.Where(bench => !model.SequenceEqual(File.ReadAllBytes(Repo.PathOf(bench, name))));
            repairs.AddRange(differing.Select(bench => $"cp {having[0]}/{name} {bench}/    # or the other way round"));
        }
        Assert.True(repairs.Count == 0, $"Copies differ. To repair them:\n{string.Join('\n', repairs)}");
    }

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_has_the_files_of_all_and_of_its_work_and_nothing_but_code_besides(string bench)
    {
        var files = FilesOf(bench);
        var makesCalls = Repo.CallBenches.Contains(bench);
        Assert.Empty(own.Concat(ofAll).Except(files));
        Assert.Empty((makesCalls ? ofCalls : ofEchoes).Except(files));
        Assert.Empty((makesCalls ? ofEchoes : ofCalls).Intersect(files));
        var hasRooms = files.Contains("Broadcast.cs");
        Assert.True(hasRooms || makesCalls);
        Assert.Equal(hasRooms ? ofMessages.Order() : [], ofMessages.Intersect(files).Order());
        // Who has TLS checks certificates as all do.
        var library = File.ReadAllText(Repo.PathOf(bench, "Library.cs"));
        Assert.Equal(library.Contains("\"tls\""), files.Contains("Certificates.cs"));
        Assert.Equal(library.Contains("\"stream\""), files.Contains("Stream.cs"));
        var code = files.Where(file => Path.GetExtension(file) is ".cs" or ".proto");
        Assert.Equal([$"{bench}.csproj"], files.Except(code));
    }

    // Of what was built there is nothing.
    static string[] FilesOf(string bench)
    {
        string[] built = ["bin", "obj"];
        return
        [
            .. Directory.GetFiles(Repo.PathOf(bench), "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(Repo.PathOf(bench), path))
                .Where(file => !built.Contains(file.Split(Path.DirectorySeparatorChar)[0])),
        ];
    }
}
