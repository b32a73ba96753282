using System.Text.RegularExpressions;

/// <summary>What a sweep calls a library: as in litenetlib, which is the version that its bench pins; as in
/// litenetlib@2.1.3, another version; or as in litenetlib@my-branch, which is built of the sources in a folder. A pair
/// whose server is of another one is called by both, as in litenetlib@2.1.5@@2.1.3 or, where the clients are of the
/// version that the bench pins, litenetlib@@2.1.3.</summary>
static partial class LibraryName
{
    /// <summary>Older versions of a library first, then the one that its bench pins, then what was built of folders.
    /// </summary>
    public static readonly Comparer<string> InOrder = Comparer<string>.Create(Compare);

    const char At = '@';
    const string BetweenSides = "@@";

    /// <summary>The library, which is the name of its bench without bench-.</summary>
    public static string LibraryOf(string name) => name.Split(At)[0];

    /// <summary>What stands behind the @; null where there is none. Of a pair that of its clients.</summary>
    public static string? BuildOf(string name)
    {
        string clients = ClientsOf(name);
        return clients.IndexOf(At) is >= 0 and var at ? clients[(at + 1)..] : null;
    }

    /// <summary>Whether it is a pair whose server is of another version than its clients.</summary>
    public static bool IsPair(string name) => name.Contains(BetweenSides);

    /// <summary>The name of a pair: that of the clients, and of another version of the same library for the server.
    /// </summary>
    public static string Pair(string clients, string server) =>
        clients + BetweenSides + (server.IndexOf(At) is >= 0 and var at ? server[(at + 1)..] : "");

    /// <summary>What the clients are of, as of one that is no pair.</summary>
    public static string ClientsOf(string name) => name.Split(BetweenSides)[0];

    /// <summary>What the server is of, as of one that is no pair.</summary>
    public static string ServerOf(string name)
    {
        if (name.Split(BetweenSides, 2) is not [_, var build])
        {
            return name;
        }
        return build == "" ? LibraryOf(name) : Of(LibraryOf(name), build);
    }

    /// <summary>What is to be built for it: one, or of a pair two.</summary>
    public static string[] SidesOf(string name) => [.. new[] { ClientsOf(name), ServerOf(name) }.Distinct()];

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
        return !IsPair(one)
            && NugetVersion.Of(BuildOf(one) ?? "") is { } version
            && NugetVersion.Of(BuildOf(other)!) is { } second
            ? NugetVersion.InOrder.Compare(version, second)
            : string.CompareOrdinal(one, other);
    }

    static int PlaceOf(string name) => BuildOf(name) switch
    {
        _ when IsPair(name) => 3,
        null => 1,
        var build => NugetVersion.IsOne(build) ? 0 : 2,
    };

    [GeneratedRegex(@"^[A-Za-z0-9._-]+\z")]
    private static partial Regex ShortPattern();

    [GeneratedRegex("[^A-Za-z0-9._-]")]
    private static partial Regex OtherLetters();
}
