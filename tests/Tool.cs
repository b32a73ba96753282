/// <summary>Runs the report tool as a user would, from what scripts/test.sh has built.</summary>
static class Tool
{
    public static readonly string Path = Repo.PathOf("report", "bin", "Release", "report.dll");

    public static bool IsBuilt => File.Exists(Path);

    /// <summary>Runs it to its end.</summary>
    public static Ended Run(params IEnumerable<string> args) => RunWith([], args);

    /// <summary>Runs it to its end with variables added to its environment.</summary>
    public static Ended RunWith((string, string)[] variables, params IEnumerable<string> args)
    {
        using var command = Command.StartIn(System.IO.Path.GetTempPath(), variables, "dotnet", [Path, .. args]);
        return command.Wait();
    }
}
