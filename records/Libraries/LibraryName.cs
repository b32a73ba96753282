using System.Text.RegularExpressions;

/// <summary>What a sweep calls a library: as in litenetlib, which is the version that its bench pins; as in
/// litenetlib@2.1.3, another version; or as in litenetlib@my-branch, which is built of the sources in a folder.
/// </summary>
static partial class LibraryName
{
    /// <summary>Older versions of a library first, then the one that its bench pins, then what was built of folders.
    /// </summary>
    public static readonly Comparer<string> InOrder = Comparer<string>.Create(Compare);

    const char At = '@';

    /// <summary>The library, which is the name of its bench without bench-.</summary>
    public static string LibraryOf(string name) => name.Split(At)[0];

    /// <summary>What stands behind the @; null where there is none.</summary>
    public static string? BuildOf(string name) => name.IndexOf(At) is >= 0 and var at ? name[(at + 1)..] : null;

    /// <summary>The same with its @, as the names of folders have it; empty where there is none.</summary>
    public static string SuffixOf(string name) => name[LibraryOf(name).Length..];

    /// <summary>That of a library built otherwise than its bench pins it.</summary>
    public static string Of(string library, string build) => $"{library}{At}{build}";

    /// <summary>True where a build may be the end of a folder's name.</summary>
    public static bool IsShort(string build) => ShortPattern().IsMatch(build);

    /// <summary>The same text with a dash for each letter that such a name must not have.</summary>
    public static string Shortened(string text) => OtherLetters().Replace(text, "-");

    static int Compare(string one, string other)
    {
        int ofPlaces = PlaceOf(one).CompareTo(PlaceOf(other));
        if (ofPlaces != 0)
        {
            return ofPlaces;
        }
        return NugetVersion.Of(BuildOf(one) ?? "") is { } version && NugetVersion.Of(BuildOf(other)!) is { } second
            ? NugetVersion.InOrder.Compare(version, second)
            : string.CompareOrdinal(one, other);
    }

    static int PlaceOf(string name) => BuildOf(name) switch
    {
        null => 1,
        var build => NugetVersion.IsOne(build) ? 0 : 2,
    };

    [GeneratedRegex(@"^[A-Za-z0-9._-]+\z")]
    private static partial Regex ShortPattern();

    [GeneratedRegex("[^A-Za-z0-9._-]")]
    private static partial Regex OtherLetters();
}
