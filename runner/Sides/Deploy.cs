/// <summary>Copies the built executables to the hosts of a sweep.</summary>
static class Deploy
{
    // What `runner machine` needs there; other packages stay here.
    static readonly string[] ownFiles = ["runner.dll", "runner.runtimeconfig.json", "runner.deps.json",
        "records.dll", "Newtonsoft.Json.dll", "System.CommandLine.dll"];

    const int NoDotnet = 101, ForeignFolder = 102;

    /// <summary>Copies them to each host at once, in place of those of an older sweep; says each that is
    /// done. Only a folder that this verb made is written to.</summary>
    /// <param name="hosts">The hosts.</param>
    /// <param name="libraries">Of which benches; empty: of all that are built.</param>
    public static void Run(Hosts hosts, string[] libraries)
    {
        if (hosts.All.Length == 0)
        {
            throw new Failure("deploy needs --server-host or --client-hosts.", Exit.WrongUsage);
        }
        var benches = Benches(libraries);
        var staged = Directory.CreateTempSubdirectory("bench-deploy-").FullName;
        try
        {
            foreach (var bench in benches)
            {
                Copy(BenchFiles.BuiltFolder(LibraryOf(bench)), Path.Combine(staged, bench));
            }
            var runner = Directory.CreateDirectory(Path.Combine(staged, "runner")).FullName;
            foreach (var file in ownFiles)
            {
                File.Copy(Path.Combine(AppContext.BaseDirectory, file), Path.Combine(runner, file));
            }
            Hosts.AtOnce(hosts.All, host =>
            {
                CopyTo(host, hosts.Folder, staged, [.. benches, "runner"]);
                Console.WriteLine($"copied {Text.Count(benches.Length, "executable")} to {host}");
                return host;
            });
        }
        finally
        {
            Directory.Delete(staged, recursive: true);
        }
    }

    static string[] Benches(string[] libraries)
    {
        bool IsBuilt(string bench) => BenchFiles.IsBuiltHere(LibraryOf(bench));
        string[] benches = libraries.Length > 0
            ? [.. libraries.Select(library => $"bench-{library}").Distinct()]
            : [.. Directory.GetDirectories(".", "bench-*").Select(path => Path.GetFileName(path)!)
                .Where(IsBuilt).Order()];
        if (benches.Length == 0)
        {
            throw new Failure("There is no built bench-* in this folder.");
        }
        return benches.FirstOrDefault(bench => !IsBuilt(bench)) is { } missing
            ? throw new Failure($"{missing} is not built.") : benches;
    }

    static string LibraryOf(string bench) => bench["bench-".Length..];

    static void CopyTo(string host, string folder, string staged, string[] folders)
    {
        var version = Environment.Version.Major;
        // The mark keeps a mistyped folder, such as that of the sources, from being emptied. In one sh,
        // because the login shell there may be another.
        var (exitCode, _, error) = Hosts.Ssh(host, $"""
            sh -c 'dotnet --list-runtimes 2>&1 | grep -q "^Microsoft.NETCore.App {version}[.]"
            || exit {NoDotnet};
            if [ -n "$(ls -A {folder} 2>/dev/null)" ] && [ ! -e {folder}/.deployed ];
            then exit {ForeignFolder}; fi;
            mkdir -p {folder} && touch {folder}/.deployed && cd {folder}
            && rm -rf {string.Join(' ', folders)}'
            """.ReplaceLineEndings(" "));
        if (exitCode == 0)
        {
            (exitCode, _, error) = Hosts.Scp(staged, folders, host, folder + "/");
        }
        if (exitCode != 0)
        {
            throw new Failure($"Cannot copy to {host}: " + exitCode switch
            {
                NoDotnet => $"it has no .NET {version} runtime that 'dotnet' finds in an ssh session.",
                ForeignFolder => $"its folder '{folder}' holds what runner deploy did not put there.",
                _ => Hosts.Reason(error, exitCode),
            });
        }
    }

    static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.GetFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
        foreach (var folder in Directory.GetDirectories(from))
        {
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
        }
    }
}
