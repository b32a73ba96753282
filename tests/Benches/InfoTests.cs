/// <summary>An info record tells one build of a bench from another.</summary>
public sealed class InfoTests
{
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Every_file_of_an_executable_changes_its_hash(string bench)
    {
        using var scratch = new Scratch();
        var built = Path.GetDirectoryName(Bench.PathOf(bench))!;
        var files = Directory.GetFiles(built, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(built, file)).Order().ToArray();
        foreach (var file in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(scratch.PathOf(file))!);
            File.Copy(Path.Combine(built, file), scratch.PathOf(file));
        }
        var (library, original) = Hashes(scratch, bench);
        Assert.Matches("^[0-9a-f]{64}$", library);
        Assert.Matches("^[0-9a-f]{64}$", original);
        var info = Bench.Run(bench, "info").Records[0];
        Assert.Equal((library, original), ((string)info["library_sha256"]!, (string)info["bench_sha256"]!));

        // One that info does not need whole: symbols, and what is native to this system or another.
        foreach (var file in files.Where(file => file.EndsWith(".pdb") || file.Contains("runtimes")))
        {
            File.AppendAllText(scratch.PathOf(file), " ");
            var (same, changed) = Hashes(scratch, bench);
            Assert.Equal(library, same);
            Assert.True(original != changed, $"{file} does not count.");
            original = changed;
        }
    }

    static (string Library, string Bench) Hashes(Scratch scratch, string bench)
    {
        using var command = Command.Start("dotnet", scratch.PathOf($"{bench}.dll"), "info");
        var info = command.Wait().WithCode(0).Records[0];
        return ((string)info["library_sha256"]!, (string)info["bench_sha256"]!);
    }
}
