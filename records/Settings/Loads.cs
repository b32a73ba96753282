/// <summary>Loads of a sweep that are no product of its lists: settings of each that stand in place of those, as in
/// "clients=60 rate=20/client; clients=10 rate=128/client".</summary>
static class Loads
{
    /// <summary>The name of the setting.</summary>
    public const string Name = "loads";

    const char BetweenLoads = ';';

    /// <summary>The words of each load, as in clients=60.</summary>
    public static string[][] WordsOf(string text) =>
    [
        .. text
            .Split(BetweenLoads, StringSplitOptions.RemoveEmptyEntries)
            .Select(load => load.Split(' ', StringSplitOptions.RemoveEmptyEntries)),
    ];

    /// <summary>The texts of each load's settings by their names.</summary>
    public static Dictionary<string, string>[] Of(string text) =>
    [
        .. WordsOf(text).Select(words => words
            .Select(word => word.Split('=', 2))
            .ToDictionary(setting => setting[0], setting => setting[1])),
    ];

    /// <summary>Loads as one text.</summary>
    public static string Joined(IEnumerable<string> loads) => string.Join($"{BetweenLoads} ", loads);

    /// <summary>The same without settings of these names, which then are the same in all.</summary>
    public static string Without(string text, IReadOnlyCollection<string> names)
    {
        bool Stays(string word) => !names.Contains(word.Split('=')[0]);
        var loads = WordsOf(text).Select(words => string.Join(' ', words.Where(Stays)));
        return Joined(loads.Where(load => load != "").Distinct());
    }
}
