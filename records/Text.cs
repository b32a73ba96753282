using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>Figures and strings as readers see them. Strings out of records may hold anything, so
/// each is made plain, and escaped for the place that it goes to. Main sets the culture.</summary>
static partial class Text
{
    /// <summary>Stands for a fact that is missing.</summary>
    public const string Missing = "n/a";

    const int LongestString = 300;
    const int LongestText = 1000;

    /// <summary>One line without control, format or unpaired characters, at most so long.</summary>
    public static string Plain(string text, int longest = LongestString)
    {
        var plain = new StringBuilder();
        foreach (var rune in text.EnumerateRunes())
        {
            if (plain.Length >= longest)
                return plain.Append('…').ToString();
            plain.Append(
                Rune.GetUnicodeCategory(rune)
                    is UnicodeCategory.Control
                        or UnicodeCategory.Format
                        or UnicodeCategory.LineSeparator
                        or UnicodeCategory.ParagraphSeparator
                        or UnicodeCategory.OtherNotAssigned
                    ? " "
                    : rune.ToString()
            );
        }
        return plain.ToString().Trim();
    }

    /// <summary>Plain text for a markdown table, list or paragraph; names nobody and links to nothing on a code host.
    /// </summary>
    public static string Markdown(string text) => Escaped(Plain(text));

    /// <summary>The same of a text of several sentences.</summary>
    public static string LongMarkdown(string text) => Escaped(Plain(text, LongestText));

    /// <summary>Three significant digits, or all before the point; n/a where it is missing.</summary>
    public static string Number(double? number) =>
        number switch
        {
            null => Missing,
            { } n when !double.IsFinite(n) => Missing,
            0 => "0",
            < 0.001 and > 0 => "<0.001",
            { } n when Math.Abs(n) >= 99.95 => n.ToString("N0"),
            { } n => n.ToString($"F{2 - (int)Math.Floor(Math.Log10(Math.Abs(n)))}"),
        };

    /// <summary>A rate for a sentence: 9,900, 233 k, 3.6 M, 10 M; n/a where it is missing.</summary>
    public static string Rough(double? number) =>
        number switch
        {
            >= 9.95e6 => $"{number / 1e6:N0} M",
            >= 999.5e3 => $"{number / 1e6:F1} M",
            >= 9_999.5 => $"{number / 1e3:F0} k",
            _ => Number(number),
        };

    /// <summary>A time in the unit that suits it, such as 3.10 ms.</summary>
    public static string Duration(double? ns) =>
        ns switch
        {
            null => Missing,
            < 1e3 => Number(ns) + " ns",
            < 1e6 => Number(ns / 1e3) + " µs",
            < 1e9 => Number(ns / 1e6) + " ms",
            _ => Number(ns / 1e9) + " s",
        };

    /// <summary>A value of a record, or of its JSON, as text: 3.0 and 3 are the same, null is n/a.</summary>
    public static string Value(object? value) =>
        value switch
        {
            null => Missing,
            JObject fields when !fields.HasValues => "none",
            JObject fields => string.Join(", ", fields.Properties().Select(f => $"{f.Name} {Value(f.Value)}")),
            JValue json => Value(json.Value),
            bool isSo => isSo ? "yes" : "no",
            _ => value.ToString()!,
        };

    /// <summary>"1 cell", "2 cells", "2 launches".</summary>
    public static string Count(long count, string noun, string plural = "s") =>
        $"{count:N0} {noun}{(count == 1 ? "" : plural)}";

    /// <summary>"a", "a and b", "a, b and c".</summary>
    public static string And(IEnumerable<string> words) => Listed([.. words], "and");

    /// <summary>"a", "a or b", "a, b or c".</summary>
    public static string Or(IEnumerable<string> words) => Listed([.. words], "or");

    /// <summary>Sorts 32 before 1024.</summary>
    public static string NumbersPadded(string text) =>
        Regex.Replace(text, @"\d+", digits => digits.Value.PadLeft(12, '0'));

    static string Listed(string[] all, string last) =>
        all.Length == 1 ? all[0] : $"{string.Join(", ", all[..^1])} {last} {all[^1]}";

    static string Escaped(string plain) => Mention().Replace(Special().Replace(plain, @"\$0"), "@\u2060");

    // An underscore within a word is none of markdown's. What begins a list or underlines a heading does so in front
    // alone, and a code host makes links of addresses.
    [GeneratedRegex(
        @"[\\`*\[\]<>|~&$#]|(?<!\w)_|_(?!\w)|^[-+=](?=[-+=\s]|$)|(?<=^\d{1,9})[.)](?=\s|$)|:(?=//)|(?<=\bwww)\.",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex Special();

    [GeneratedRegex(@"@(?=\w)")]
    private static partial Regex Mention();
}
