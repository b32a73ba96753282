/// <summary>What no analyzer of .NET looks at in the files that are written by hand.</summary>
public sealed class StyleTests
{
    const int MostCharacters = 120;

    static readonly string[] written = ["*.cs", "*.c", "*.sh", "*.ps1", "*.bash", "*.js", "*.mjs"];

    [Fact]
    public void No_line_of_code_is_longer_than_a_window_is_wide()
    {
        var tooLong =
            from file in Tracked(written)
            from line in File.ReadLines(Repo.PathOf(file)).Index()
            where line.Item.Length > MostCharacters
            select $"{file}:{line.Index + 1} has {line.Item.Length} characters.";
        Assert.Empty(tooLong);
    }

    // The files that the repository has, wherever its checkout lies; what was built or unpacked is not among them.
    static string[] Tracked(string[] patterns)
    {
        Assert.SkipWhen(Runner.Missing("git") != null, "There is no git here.");
        using var git = Command.Start("git", ["-C", Repo.Root, "ls-files", "--", .. patterns]);
        var ended = git.Wait();
        Assert.SkipWhen(ended.ExitCode != 0, "This is no checkout of a repository.");
        return [.. ended.Out.Where(file => File.Exists(Repo.PathOf(file)))];
    }
}
