/// <summary>The two runners of scripts/, which are to do the same.</summary>
static class Runner
{
    public const string Bash = "run-all.sh";
    public const string PowerShell = "run-all.ps1";

    /// <summary>Both; PowerShell's is skipped where there is no PowerShell.</summary>
    public static TheoryData<string> Both => new(
        new TheoryDataRow<string>(Bash),
        new TheoryDataRow<string>(PowerShell) { Skip = Missing("pwsh") });

    /// <summary>A sentence where a program is not on the PATH, else null.</summary>
    public static string? Missing(string program) => Find(program) == null ? $"There is no {program} here." : null;

    /// <summary>The path of a program, null where neither the PATH nor the folders beside it have it.</summary>
    public static string? Find(string program, params string[] beside)
    {
        var folders = Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator).Concat(beside);
        return folders.Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);
    }

    /// <summary>The words that start a runner.</summary>
    public static string[] Words(string path) =>
        path.EndsWith(".ps1") ? ["pwsh", "-NoProfile", "-File", path] : ["bash", path];
}
