using System.Text;

/// <summary>How lines and borders are drawn; dashes are the baselines' alone.</summary>
enum Pattern
{
    Solid,
    Dashed,
    Dotted,
    DashDotted,
}

/// <summary>How charts show a row. Color: #RRGGBB.</summary>
sealed record Look(string Color, Shape Shape, Pattern Pattern);

/// <summary>The look by which every chart shows a row. The name of its library alone decides the colour, so that it
/// is the same in every sweep; rows of one sweep that share a colour, as variants and profiles of a library do, differ
/// in pattern and shape, and versions of one library in shade, the newest darkest.</summary>
sealed class Looks
{
    const string TunedEnding = " (tuned)";
    const int Shapes = 4;
    const uint FnvOffset = 2166136261;
    const uint FnvPrime = 16777619;
    const int HashShift = 14; // with which the suite's own libraries have colours of their own

    static readonly Pattern[] patterns = [Pattern.Solid, Pattern.Dotted, Pattern.DashDotted];

    static readonly Look baseline = new(Neutrals.Plain, Shape.Circle, Pattern.Dashed);

    // They keep 3:1 to white and to a dark page. Those of libraries that do the same work are told apart by
    // colour-blind readers.
    static readonly string[] palette =
    [
        "#0056db",
        "#07a900",
        "#059789",
        "#057102",
        "#a74679",
        "#b20099",
        "#9132b8",
        "#bb5fc2",
        "#d08300",
        "#4d7b5e",
        "#e00059",
        "#846344",
        "#ff5494",
        "#78977b",
        "#a988be",
        "#0076ff",
        "#2793eb",
        "#a36e13",
        "#a17eff",
        "#756c87",
    ];

    readonly Dictionary<string, Look> looks = [];

    /// <summary>Those of all rows of a sweep, by their names.</summary>
    public Looks(IEnumerable<string> names)
    {
        // A tuned one takes no look that another has without it.
        var ofColors = names
            .Distinct()
            .OrderBy(name => name.EndsWith(TunedEnding))
            .ThenBy(name => name, StringComparer.Ordinal)
            .GroupBy(ColorIn);
        foreach (var ofColor in ofColors)
        {
            var shades = Shades(ofColor);
            foreach (var (place, name) in ofColor.Index())
            {
                var look = Made(name, place);
                looks[name] = look with { Color = shades.GetValueOrDefault(MemberIn(name), look.Color) };
            }
        }
    }

    // Of libraries that are there in several versions, by what those are called.
    static Dictionary<string, string> Shades(IEnumerable<string> names)
    {
        var shades = new Dictionary<string, string>();
        var libraries = names
            .Select(MemberIn)
            .Distinct()
            .GroupBy(LibraryName.LibraryOf)
            .Where(versions => versions.Count() > 1);
        foreach (var library in libraries)
        {
            string[] versions = [.. library.OrderBy(version => version, LibraryName.InOrder)];
            foreach (var (place, version) in versions.Index())
            {
                shades[version] = Shade.Of(palette[Slot(version)], place, versions.Length);
            }
        }
        return shades;
    }

    /// <summary>That of a row.</summary>
    public Look Of(string name) => looks.TryGetValue(name, out var look) ? look : Made(name, 0);

    /// <summary>#RRGGBB.</summary>
    public string ColorOf(string name) => Of(name).Color;

    /// <summary>The same where a page has the grey of its scheme for baselines and their variants; null: that.
    /// </summary>
    public string? ColorOnPage(string name) => ColorOf(name) == Neutrals.Plain ? null : ColorOf(name);

    // Shapes and patterns are not as many, so that the first twelve of a colour differ.
    static Look Made(string name, int place)
    {
        if (Baseline.Is(name))
        {
            return baseline;
        }
        var shape = (Shape)((Slot(name) + place) % Shapes);
        return new(ColorIn(name), shape, patterns[place % patterns.Length]);
    }

    static string ColorIn(string name) => Baseline.Is(LibraryIn(name)) ? Neutrals.Plain : palette[Slot(name)];

    // What stands behind it says the variant, the serializer and the profile.
    static string MemberIn(string name) => name.Split(' ')[0];

    static string LibraryIn(string name) => LibraryName.LibraryOf(MemberIn(name));

    // By FNV-1a.
    static int Slot(string name)
    {
        var hash = FnvOffset;
        foreach (var letter in Encoding.UTF8.GetBytes(LibraryIn(name)))
            hash = unchecked((hash ^ letter) * FnvPrime);
        return (int)((hash >> HashShift) % palette.Length);
    }
}
