using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>The executable of a library, beside this runner's folder; of a pair that of its clients.</summary>
static class BenchFiles
{
    static readonly Dictionary<string, string> hashes = [];

    /// <summary>The bench's own file: in the suite as it was built, on a host as it was deployed.</summary>
    public static string PathOf(string library)
    {
        if (!Regex.IsMatch(library, Patterns.Member))
        {
            throw new Failure($"'{library}' is no name of a library.", Exit.WrongUsage);
        }
        return Find(LibraryName.ClientsOf(library))
            ?? throw new Failure(
                $"There is no built bench-{library}: dotnet build -c Release {string.Join(' ', BuildWords(library))}",
                Exit.WrongUsage);
    }

    /// <summary>True where all that it takes is built.</summary>
    public static bool IsBuilt(string library) => LibraryName.SidesOf(library).All(side => Find(side) != null);

    /// <summary>The words that start it.</summary>
    public static string[] Words(string library)
    {
        var file = PathOf(library);
        var own = Path.ChangeExtension(file, OperatingSystem.IsWindows() ? ".exe" : null);
        return File.Exists(own) ? [own] : ["dotnet", file];
    }

    /// <summary>The folder of a bench that was built here, from the suite's.</summary>
    public static string BuiltFolder(string library)
    {
        string build = $"Release{LibraryName.SuffixOf(library)}";
        return Path.Combine($"bench-{LibraryName.LibraryOf(library)}", "bin", build);
    }

    /// <summary>True where it was built in that folder.</summary>
    public static bool IsBuiltHere(string library) =>
        File.Exists(Path.Combine(BuiltFolder(library), $"bench-{LibraryName.LibraryOf(library)}.dll"));

    /// <summary>The folder of its sources, then the flags with which `dotnet build -c Release` builds it into that
    /// folder; project: that the library itself is built of, where it is of those that are built of a folder.</summary>
    public static string[] BuildWords(string library, string project = "PROJECT")
    {
        string bench = $"bench-{LibraryName.LibraryOf(library)}";
        return LibraryName.BuildOf(library) switch
        {
            null => [bench],
            var version when NugetVersion.IsOne(version) => [bench, $"-p:LibraryVersion={version}"],
            var build => [bench, $"-p:LibraryProject={Escaped(project)}", $"-p:LibraryBuild={build}"],
        };
    }

    // What parts properties in a word of MSBuild's.
    static string Escaped(string path) => path.Replace("%", "%25").Replace(";", "%3B").Replace(",", "%2C");

    static string? Find(string library)
    {
        string here = AppContext.BaseDirectory;
        string[] folders =
        [
            Path.Combine(here, "..", "..", "..", BuiltFolder(library)),
            Path.Combine(here, "..", $"bench-{library}"),
        ];
        string file = $"bench-{LibraryName.LibraryOf(library)}.dll";
        return folders.Select(folder => Path.GetFullPath(Path.Combine(folder, file))).FirstOrDefault(File.Exists);
    }

    /// <summary>SHA-256 of a file, in lower-case hex.</summary>
    public static string Hash(string file)
    {
        if (!hashes.TryGetValue(file, out var hash))
        {
            hashes[file] = hash = Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)));
        }
        return hash;
    }

    /// <summary>SHA-256 over the names and contents of all files of a bench.</summary>
    public static string HashOfAll(string library)
    {
        var folder = Path.GetDirectoryName(PathOf(library))!;
        if (hashes.TryGetValue(folder, out var known))
        {
            return known;
        }
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var file in Directory.GetFiles(folder, "*", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(folder, path).Replace('\\', '/')).Order(StringComparer.Ordinal))
        {
            hash.AppendData(Encoding.UTF8.GetBytes(file));
            hash.AppendData(File.ReadAllBytes(Path.Combine(folder, file)));
        }
        return hashes[folder] = Convert.ToHexStringLower(hash.GetHashAndReset());
    }
}
