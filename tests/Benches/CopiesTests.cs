/// <summary>The files that every bench has alike.</summary>
public sealed class CopiesTests
{
    const int MostCopiedFiles = 5;

    static readonly string[] own = ["Library.cs", "Client.cs", "Server.cs"];
    static readonly string[] ofWork = ["Load.cs", "Calls.cs"];

    [Fact]
    public void Every_bench_has_the_same_copied_files_byte_for_byte()
    {
        var repairs = new List<string>();
        foreach (var bench in Repo.AllBenches)
            foreach (var file in ofWork.Union(CopiedFiles(Repo.AllBenches[0])).Union(CopiedFiles(bench)).Order())
            {
                var model = file == "Calls.cs" ? Repo.CallBenches[0] : file == "Load.cs" ? Repo.Benches[0] : Repo.AllBenches[0];
                var (from, to) = (Repo.PathOf(model, file), Repo.PathOf(bench, file));
                if (!File.Exists(from)) repairs.Add($"rm {bench}/{file}    # or add it to {model}");
                else if (!File.Exists(to) ? !ofWork.Contains(file) : !File.ReadAllBytes(from).SequenceEqual(File.ReadAllBytes(to)))
                    repairs.Add($"cp {model}/{file} {bench}/{file}    # or the other way round");
            }
        Assert.True(repairs.Count == 0, $"Copies differ. To repair them:\n{string.Join('\n', repairs)}");
    }

    [Theory, MemberData(nameof(Benches))]
    public void A_bench_has_a_project_files_of_its_own_few_copies_and_nothing_else(string bench)
    {
        Assert.All([.. own, $"{bench}.csproj"], file => Assert.True(File.Exists(Repo.PathOf(bench, file)), $"{bench} lacks {file}"));
        Assert.All(CopiedFiles(bench), file => Assert.EndsWith(".cs", file));
        Assert.Single(CopiedFiles(bench), ofWork.Contains);
        Assert.InRange(CopiedFiles(bench).Length, 1, MostCopiedFiles);
    }

    public static TheoryData<string> Benches => [.. Repo.AllBenches];

    static string[] CopiedFiles(string bench) =>
        [.. Directory.GetFiles(Repo.PathOf(bench), "*", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Repo.PathOf(bench), path))
            .Where(file => !file.StartsWith("bin" + Path.DirectorySeparatorChar)
                && !file.StartsWith("obj" + Path.DirectorySeparatorChar)
                && !own.Contains(Path.ChangeExtension(file, "cs")) && file != $"{bench}.csproj")];
}
