/// <summary>A library that a sweep has in several versions.</summary>
/// <param name="Name">Of the library.</param>
/// <param name="Versions">What the sweep calls them, the oldest first; what is built of a folder is newer than all that
/// has a number.</param>
/// <param name="Cells">What was measured of all of them.</param>
sealed record VersionsOfLibrary(string Name, string[] Versions, Cell[] Cells)
{
    /// <summary>Those cells in an order in which versions of folders stand as the sweep named them.</summary>
    public static VersionsOfLibrary Of(string name, Cell[] cells, string[] named)
    {
        string[] versions =
        [
            .. cells.GroupBy(cell => cell.Library)
                .OrderBy(version => NumberOf([.. version]) == null)
                .ThenBy(version => NumberOf([.. version]) ?? NugetVersion.None, NugetVersion.InOrder)
                .ThenBy(version => Array.IndexOf(named, version.Key))
                .ThenBy(version => version.Key, StringComparer.Ordinal)
                .Select(version => version.Key),
        ];
        return new(name, versions, cells);
    }

    /// <summary>Those of one version.</summary>
    public Cell[] Of(string version) => [.. Cells.Where(cell => cell.Library == version)];

    /// <summary>What people call a version: its number; of what is built of a folder its whole name.</summary>
    public string LabelOf(string version) => LabelOf(Cells, version);

    static NugetVersion? NumberOf(Cell[] cells) => NugetVersion.Of(LabelOf(cells, cells[0].Library));

    static string LabelOf(Cell[] cells, string name)
    {
        if (LibraryName.BuildOf(name) is { } build)
        {
            return NugetVersion.IsOne(build) ? build : name;
        }
        var loaded = cells
            .Where(cell => cell.Library == name)
            .SelectMany(cell => cell.Launches)
            .Select(launch => launch.Clients[0].Ready.LibraryVersion);
        return loaded.FirstOrDefault() ?? name;
    }
}
