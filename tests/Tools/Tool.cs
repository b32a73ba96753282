/// <summary>Runs the tools report and runner as a user would, from what scripts/test.sh has built.</summary>
static class Tool
{
    /// <summary>The tool report.</summary>
    public static readonly string Path = PathOf("report");

    /// <summary>The tool runner, which leads sweeps.</summary>
    public static readonly string LeadPath = PathOf("runner");

    /// <summary>A culture whose numbers have a comma where others have a point.</summary>
    public const string German = "de_DE.UTF-8";

    /// <summary>A culture whose small and capital letters are others.</summary>
    public const string Turkish = "tr_TR.UTF-8";

    public static bool IsBuilt => File.Exists(Path);

    public static bool CanLead => File.Exists(LeadPath);

    /// <summary>Runs report to its end.</summary>
    public static Ended Run(params IEnumerable<string> args) => Worker.Run(Path, Temporary, "", args);

    /// <summary>The same in a culture, and in a time zone that goes with it here; null: in that of the tests.</summary>
    public static Ended RunIn(string? culture, params IEnumerable<string> args)
    {
        if (culture == null)
        {
            return Run(args);
        }
        (string, string)[] variables =
        [
            ("LANG", culture),
            ("LC_ALL", culture),
            ("TZ", culture == German ? "Asia/Kolkata" : "America/New_York"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0"),
        ];
        return Worker.RunIn(variables, Path, Temporary, args);
    }

    /// <summary>Runs report to its end in a process of its own, with variables added to its environment.</summary>
    public static Ended RunWith((string, string)[] variables, params IEnumerable<string> args)
    {
        using var command = Command.StartIn(Temporary, variables, "dotnet", [Path, .. args]);
        return command.Wait();
    }

    /// <summary>Runs runner to its end.</summary>
    public static Ended Lead(params IEnumerable<string> args) => Worker.Run(LeadPath, Temporary, "", args);

    /// <summary>The same with another limit, in seconds.</summary>
    public static Ended LeadWithin(double seconds, params IEnumerable<string> args) =>
        Worker.RunWithin(seconds, LeadPath, Temporary, "", args);

    static string Temporary => System.IO.Path.GetTempPath();

    static string PathOf(string tool) => Repo.PathOf(tool, "bin", "Release", $"{tool}.dll");
}
