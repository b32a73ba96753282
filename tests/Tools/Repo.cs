/// <summary>The repository that these tests stand in.</summary>
static class Repo
{
    /// <summary>Its root, in which docs/records.md lies.</summary>
    public static readonly string Root = FindRoot();

    /// <summary>The bench-* folders, by name; this is the only list of libraries.</summary>
    public static string[] AllBenches { get; } =
        [.. Directory.GetDirectories(Root, "bench-*").Select(path => Path.GetFileName(path)!).Order()];

    /// <summary>Those whose work is echoes.</summary>
    public static string[] Benches { get; } = With("Game.cs");

    /// <summary>Those whose work is calls.</summary>
    public static string[] CallBenches { get; } = With("Calls.cs");

    /// <summary>A path under the root.</summary>
    public static string PathOf(params string[] parts) => Path.Combine([Root, .. parts]);

    /// <summary>Copies a folder of the repository without what was built in it.</summary>
    public static void Copy(string folder, string target)
    {
        Directory.CreateDirectory(target);
        foreach (var file in Directory.GetFiles(PathOf(folder)))
            File.Copy(file, Path.Combine(target, Path.GetFileName(file)));
        foreach (var inner in Directory.GetDirectories(PathOf(folder)).Select(Path.GetFileName))
        {
            if (inner is "bin" or "obj")
                continue;
            Copy(Path.Combine(folder, inner!), Path.Combine(target, inner!));
        }
    }

    static string[] With(string file) => [.. AllBenches.Where(bench => File.Exists(PathOf(bench, file)))];

    static string FindRoot()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "docs", "records.md")))
        {
            folder = Path.GetDirectoryName(folder)
                ?? throw new InvalidOperationException("No folder above these tests has docs/records.md.");
        }
        return folder;
    }
}
