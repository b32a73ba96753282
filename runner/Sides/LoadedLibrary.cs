using Newtonsoft.Json.Linq;

/// <summary>Holds what a bench loaded of its library against what was asked for, by what the build wrote beside it of
/// the packages and projects that its files are of.</summary>
static class LoadedLibrary
{
    const int HashDigits = 12;

    /// <summary>Refuses a library that was built otherwise than its name says: of another version, or of a package
    /// rather than of a folder. File: that it loaded.</summary>
    public static void AssertAsked(string library, string file)
    {
        if (LibraryName.BuildOf(library) is not { } asked)
        {
            return;
        }
        string list = Path.ChangeExtension(BenchFiles.PathOf(library), ".deps.json");
        if (SourceOf(list, Path.GetFileName(file)) is not var (name, version, type))
        {
            throw new Failure($"{library} loaded {Path.GetFileName(file)}, and nothing says of which version that is.");
        }
        bool isPackage = type == "package";
        if (isPackage != NugetVersion.IsOne(asked))
        {
            throw new Failure($"{library} loaded the {type} {name} {version}, not {(isPackage
                ? "what was built of the folder" : "the package that was asked for")}.");
        }
        if (isPackage && !NugetVersion.AreSame(version, asked))
        {
            throw new Failure($"{library}: NuGet took {name} {version} for the {asked} that was asked for.");
        }
    }

    /// <summary>Refuses libraries of which one is not what was asked for, or two are the same file under two names.
    /// </summary>
    public static void AssertDiffer(IEnumerable<string> libraries)
    {
        // Asking takes a process, and most libraries are there once, as their bench pins them.
        AssertDiffer(libraries
            .SelectMany(LibraryName.SidesOf)
            .Distinct()
            .GroupBy(LibraryName.LibraryOf)
            .Where(versions => versions.Count() > 1 || LibraryName.BuildOf(versions.First()) != null)
            .SelectMany(versions => versions.Select(BenchInfo.Of)));
    }

    /// <summary>The same by what benches said of themselves.</summary>
    public static void AssertDiffer(IEnumerable<InfoRecord> infos)
    {
        var same = infos
            .GroupBy(info => (LibraryName.LibraryOf(info.Library), info.LibrarySha256))
            .FirstOrDefault(versions => versions.Count() > 1);
        if (same == null)
        {
            return;
        }
        InfoRecord first = same.First();
        throw new Failure($"{Text.And(same.Select(info => info.Library))} loaded the same file of version "
            + $"{first.LibraryVersion} (SHA-256 {first.LibrarySha256[..HashDigits]}…): there is nothing to compare.",
            Exit.WrongUsage);
    }

    // Of which package or project a file is; null where nothing says it.
    static (string Name, string Version, string Type)? SourceOf(string list, string file)
    {
        if (!File.Exists(list))
        {
            return null;
        }
        JObject packages = JObject.Parse(File.ReadAllText(list));
        var all =
            from target in packages["targets"]!.Children<JProperty>()
            from package in target.Value.Children<JProperty>()
            from files in package.Value.Children<JProperty>()
            where files.Name is "runtime" or "runtimeTargets"
            from one in files.Value.Children<JProperty>()
            where one.Name.Split('/')[^1] == file
            select package.Name;
        if (all.FirstOrDefault() is not { } name || name.Split('/') is not [var id, var version])
        {
            return null;
        }
        return (id, version, (string?)packages["libraries"]?[name]?["type"] ?? "project");
    }
}
