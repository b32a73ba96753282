using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The libraries of a sweep, and where one is built of a folder its project: NAME, NAME@VERSION or
/// NAME@FOLDER, as people name them.</summary>
/// <param name="Names">What records call them.</param>
/// <param name="Projects">The projects of those that are built of a folder.</param>
sealed partial record NamedLibraries(string[] Names, Dictionary<string, string> Projects)
{
    const string Example = "as in litenetlib@2.1.3";
    const string NeitherVersionNorFolder = "is no version of NuGet's such as 2.1.3 and, without a slash, no folder.";

    /// <summary>The same as one text.</summary>
    public string List => string.Join(',', Names);

    /// <summary>Reads a list of them, the paths in it from a folder.</summary>
    public static NamedLibraries Of(string list, string from)
    {
        string[] items = list.Split(',');
        Named[] all = [.. items.SelectMany(LibraryName.SidesOf).Distinct().Select(item => Named.Of(item, from))];
        var same = all
            .Where(one => one.Project != null)
            .GroupBy(one => (one.Library, one.Project))
            .FirstOrDefault(named => named.Count() > 1);
        if (same != null)
        {
            string both = string.Join(" and ", same.Select(one => $"'{one.Item}'"));
            throw WrongUsage($"{both} are of the same project.");
        }
        // As short as tells them apart, and none like a version.
        while (Unclear(all) is { Length: > 0 } unclear)
        {
            Array.ForEach(unclear, one => one.Lengthen());
        }
        var projects = all.Where(one => one.Project != null).ToDictionary(one => one.Name, one => one.Project!);
        var names = all.ToDictionary(one => one.Item, one => one.Name);
        string NameOf(string item) => LibraryName.IsPair(item)
            ? LibraryName.Pair(names[LibraryName.ClientsOf(item)], names[LibraryName.ServerOf(item)])
            : names[item];
        return new NamedLibraries([.. items.Select(NameOf)], projects);
    }

    /// <summary>Those of a sweep that goes on, whose folders are known from their builds.</summary>
    public static Dictionary<string, string> Remembered(IEnumerable<string> names)
    {
        var projects = new Dictionary<string, string>();
        foreach (string name in names.SelectMany(LibraryName.SidesOf).Distinct().Where(IsOfFolder))
        {
            projects[name] = ProjectOf(name) ?? throw new Failure(
                $"{name} was built of a folder that is not known here: name it, as in --libraries "
                    + $"{LibraryName.LibraryOf(name)}@../FOLDER.",
                Exit.WrongUsage);
        }
        return projects;
    }

    /// <summary>The name of one that is built already.</summary>
    public static string Built(string item)
    {
        if (Fault(item) is { } fault)
        {
            throw WrongUsage(fault);
        }
        if (!LibraryName.SidesOf(item).Select(LibraryName.BuildOf).OfType<string>().Any(IsFolder))
        {
            return item;
        }
        NamedLibraries named = Of(item, ".");
        // Folders of one name are built into the same place.
        foreach (var (name, project) in named.Projects)
        {
            if (ProjectOf(name) is { } built && built != project)
            {
                string words = string.Join(' ', BenchFiles.BuildWords(name, project));
                throw WrongUsage($"{name} is built of {built}: dotnet build -c Release {words}");
            }
        }
        return named.List;
    }

    /// <summary>What is wrong with the form of one, as a sentence; null: nothing.</summary>
    public static string? Fault(string item) =>
        LibraryName.SidesOf(item).Select(FaultOfSide).OfType<string>().FirstOrDefault();

    static string? FaultOfSide(string item)
    {
        if (LibraryName.BuildOf(item) is not { } build)
        {
            return null;
        }
        string library = LibraryName.LibraryOf(item);
        if (library == "")
        {
            return $"'{item}' names no library before the @, {Example}.";
        }
        if (build == "")
        {
            return $"'{item}' names neither a version nor a folder behind the @, {Example}.";
        }
        if (!Regex.IsMatch(library, Patterns.Library))
        {
            return $"'{library}' is no name of a library.";
        }
        if (PackagesOf(library) is { Length: 0 })
        {
            return $"'{item}': bench-{library} has no package that it could have in other versions.";
        }
        return IsFolder(build) || NugetVersion.IsOne(build) || LibraryName.IsShort(build)
            ? null
            : $"'{build}' of '{item}' {NeitherVersionNorFolder}";
    }

    /// <summary>Why the sources in a folder do not make a library, where they are those of another one; else
    /// null.</summary>
    public static string? OtherLibrary(string name)
    {
        if (!IsOfFolder(name) || ProjectOf(name) is not { } project)
        {
            return null;
        }
        Ended asked = Child.Run(["dotnet", "msbuild", project, "-nologo", "-getProperty:AssemblyName"]);
        string assembly = asked.Output.Trim();
        string library = LibraryName.LibraryOf(name);
        string[] packages = PackagesOf(library) ?? [];
        if (asked.ExitCode != 0 || packages.Append(library).Any(own => AreAlike(own, assembly)))
        {
            return null;
        }
        string own = packages.Length == 0 ? library : string.Join(" and ", packages);
        return $"{Path.GetFileName(project)} makes the assembly {assembly}, and bench-{library} is one of {own}";
    }

    static bool AreAlike(string one, string other) => string.Equals(
        OtherSigns().Replace(one, ""), OtherSigns().Replace(other, ""), StringComparison.OrdinalIgnoreCase);

    static bool IsOfFolder(string name) =>
        LibraryName.BuildOf(name) is { } build && !NugetVersion.IsOne(build);

    static bool IsFolder(string build) => build.Contains('/') || build.Contains(Path.DirectorySeparatorChar);

    // Of its csproj those that are taken in another version; null where there is no such file to say it.
    static string[]? PackagesOf(string library)
    {
        string project = Path.Combine($"bench-{library}", $"bench-{library}.csproj");
        return File.Exists(project)
            ? [.. Package().Matches(File.ReadAllText(project)).Select(package => package.Groups["id"].Value)]
            : null;
    }

    // That it was built of last, as NuGet has noted it.
    static string? ProjectOf(string name)
    {
        string bench = $"bench-{LibraryName.LibraryOf(name)}";
        string notes = Path.Combine(bench, "obj", LibraryName.SuffixOf(name), "project.assets.json");
        if (!File.Exists(notes))
        {
            return null;
        }
        JToken? project = JObject.Parse(File.ReadAllText(notes))
            .SelectTokens("$.project.restore.frameworks.*.projectReferences.*.projectPath")
            .FirstOrDefault();
        return (string?)project is { } path && File.Exists(path) ? path : null;
    }

    static Named[] Unclear(Named[] all)
    {
        var same = all
            .Where(one => one.CanLengthen)
            .GroupBy(one => one.Name)
            .Where(named => all.Count(one => one.Name == named.Key) > 1)
            .SelectMany(named => named);
        var likeVersions = all.Where(one =>
            one.CanLengthen && NugetVersion.IsOne(LibraryName.BuildOf(one.Name)!));
        return [.. same.Union(likeVersions)];
    }

    static Failure WrongUsage(string sentence) => new(sentence, Exit.WrongUsage);

    // One of a list.
    sealed class Named(string item, string? project)
    {
        const StringSplitOptions Parted = StringSplitOptions.RemoveEmptyEntries;

        readonly string[] folders = project == null
            ? []
            : Path.GetDirectoryName(project)!.Split([Path.DirectorySeparatorChar, ':'], Parted);

        // Folders of its path that its name tells, from the last on.
        int shown = 1;

        public string Item => item;

        public string Library => LibraryName.LibraryOf(item);

        public string? Project => project;

        public bool CanLengthen => shown < folders.Length;

        public string Name => project == null
            ? item
            : LibraryName.Of(Library, LibraryName.Shortened(string.Join('-', folders[^shown..])));

        public void Lengthen() => shown++;

        public static Named Of(string item, string from)
        {
            if (Fault(item) is { } fault)
            {
                throw WrongUsage(fault);
            }
            if (LibraryName.BuildOf(item) is not { } build || NugetVersion.IsOne(build))
            {
                return new Named(item, null);
            }
            if (!IsFolder(build))
            {
                throw WrongUsage($"'{build}' of '{item}' {NeitherVersionNorFolder}");
            }
            return new Named(item, ProjectIn(item, build, Path.GetFullPath(build, Path.GetFullPath(from))));
        }

        static string ProjectIn(string item, string told, string folder)
        {
            if (File.Exists(folder) && folder.EndsWith("proj", StringComparison.Ordinal))
            {
                return folder;
            }
            if (!Directory.Exists(folder))
            {
                throw WrongUsage($"There is no folder '{told}', of which '{item}' is to be built.");
            }
            string[] projects = [.. Directory.GetFiles(folder, "*.??proj").Order(StringComparer.Ordinal)];
            if (projects.Length == 0)
            {
                throw WrongUsage($"'{told}' of '{item}' is a folder without a project: no *.csproj is in it.");
            }
            if (projects.Length > 1)
            {
                throw WrongUsage($"'{told}' of '{item}' is a folder with {projects.Length} projects, "
                    + $"{string.Join(" and ", projects.Select(Path.GetFileName))}: name the file of one.");
            }
            return projects[0];
        }
    }

    [GeneratedRegex("""<PackageReference Include="(?<id>[^"]+)" Version="\[\$\(LibraryVersion\)\]""")]
    private static partial Regex Package();

    [GeneratedRegex("[^A-Za-z0-9]")]
    private static partial Regex OtherSigns();
}
