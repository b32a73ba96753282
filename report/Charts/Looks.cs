using System.Text;

/// <summary>The colour and the shape by which every chart shows a library: its name decides, so that both are the same
/// in every sweep, unless two of one sweep would share a colour. Libraries: all names, without baselines.</summary>
sealed class Looks
{
    const string TunedEnding = " (tuned)";
    const uint FnvOffset = 2166136261;
    const uint FnvPrime = 16777619;

    /// <summary>The libraries' colours, which keep 3:1 to white and to a dark page, and are told apart by
    /// colour-blind readers.</summary>
    public static readonly string[] Palette =
    [
        "#9b35a5",
        "#058dfa",
        "#be222d",
        "#c98510",
        "#81697b",
        "#2e6f4a",
        "#a871c9",
        "#6a9b69",
    ];

    readonly Dictionary<string, int> places = [];

    public Looks(string[] libraries)
    {
        // A tuned one takes no colour that another's name asks for.
        var all = libraries
            .Distinct()
            .OrderBy(name => name.EndsWith(TunedEnding))
            .ThenBy(name => name, StringComparer.Ordinal)
            .ToArray();
        var taken = new HashSet<int>();
        foreach (var name in all)
        {
            if (taken.Add(Asked(name)))
                places[name] = Asked(name);
        }
        foreach (var name in all.Where(name => !places.ContainsKey(name)))
        {
            // The next colour that is free; with more names than colours the shape is another.
            var tried = 0;
            while (!taken.Add(PlaceAfter(Asked(name), tried)))
            {
                tried++;
            }
            places[name] = PlaceAfter(Asked(name), tried);
        }
    }

    /// <summary>#RRGGBB.</summary>
    public string ColorOf(string name) =>
        Baseline.Is(name) ? Neutrals.Plain : Palette[PlaceOf(name) % Palette.Length];

    /// <summary>One of the four that dots of libraries have.</summary>
    public Shape ShapeOf(string name) =>
        Baseline.Is(name) ? Shape.Circle : ShapeAt(PlaceOf(name));

    // Another for each of the four times that places go through all colours.
    static Shape ShapeAt(int place) => (Shape)((place + place / 4 + place / 16) % 4);

    static int PlaceAfter(int asked, int tried) =>
        (asked + tried) % Palette.Length + tried / Palette.Length * Palette.Length;

    int PlaceOf(string name) => places.TryGetValue(name, out var place) ? place : Asked(name);

    // FNV-1a; of its upper half the suite's own libraries ask for colours of their own.
    static int Asked(string name)
    {
        var hash = FnvOffset;
        foreach (var letter in Encoding.UTF8.GetBytes(name))
            hash = unchecked((hash ^ letter) * FnvPrime);
        return (int)((hash >> 16) % Palette.Length);
    }
}
