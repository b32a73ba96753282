using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>The executable of a library, beside this runner's folder.</summary>
static class BenchFiles
{
    static readonly Dictionary<string, string> hashes = [];

    /// <summary>The bench's own file: in the suite as it was built, on a host as it was deployed.</summary>
    public static string PathOf(string library)
    {
        if (!Regex.IsMatch(library, Patterns.Library))
        {
            throw new Failure($"'{library}' is no name of a library.", Exit.WrongUsage);
        }
        return Find(library)
            ?? throw new Failure(
                $"There is no built bench-{library}: dotnet build -c Release bench-{library}", Exit.WrongUsage);
    }

    public static bool IsBuilt(string library) => Find(library) != null;

    /// <summary>The words that start it.</summary>
    public static string[] Words(string library)
    {
        var file = PathOf(library);
        var own = Path.ChangeExtension(file, OperatingSystem.IsWindows() ? ".exe" : null);
        return File.Exists(own) ? [own] : ["dotnet", file];
    }

    static string? Find(string library)
    {
        var (bench, here) = ($"bench-{library}", AppContext.BaseDirectory);
        return new[] { Path.Combine(here, "..", "..", "..", bench, "bin", "Release"), Path.Combine(here, "..", bench) }
            .Select(folder => Path.GetFullPath(Path.Combine(folder, $"{bench}.dll"))).FirstOrDefault(File.Exists);
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
