using System.Text.RegularExpressions;

/// <summary>Writes a marked part of the README.md beside the folder of all results: a link, and a small table with a
/// row for each library. Several parts, such as what was played over loopback and over a link, share one
/// table.</summary>
static partial class FrontPage
{
    const int MostColumns = 120; // of a line of words
    const string None = "–"; // of a library that lacks the delivery mode
    const string Comma = ", ";

    /// <summary>In markdown.</summary>
    public static string Of(FrontPart[] parts)
    {
        Page page = new();
        bool isJoined = parts.Any(part => part.IsOverLink) && !parts.All(part => part.IsOverLink);
        IEnumerable<string> measured = parts
            .GroupBy(part => part.Where)
            .Select(at => $"{Text.And(at.Select(part => LinkTo(part, parts[0])))}, measured {at.Key}");
        Paragraph(
            page,
            [
                $"{string.Join(", and ", measured)}.",
                .. parts.Select(part => part.Warning).OfType<string>().Distinct(),
            ]);
        page.Line("");
        Table(page, parts, isJoined);
        string[] below = [.. parts.SelectMany(part => part.Explained).Distinct(), .. Missing(parts)];
        if (below.Length > 0)
        {
            page.Line("");
            Paragraph(page, below);
        }
        return page.ToString();
    }

    // What the first link of the sentence says is not said again.
    static string LinkTo(FrontPart part, FrontPart first)
    {
        string[] words = part.Words.Split(Comma);
        string[] said = part == first ? [] : first.Words.Split(Comma);
        int same = words[..^1].Zip(said).TakeWhile(both => both.First == both.Second).Count();
        return $"[{Text.Markdown(string.Join(Comma, words[same..]))}]({part.Path})";
    }

    static void Table(Page page, FrontPart[] parts, bool isJoined)
    {
        (int Part, FrontEntry Entry)[] entries =
            [.. parts.SelectMany((part, place) => part.Entries.Select(entry => (place, entry)))];
        (int Part, string Label)[] columns =
            [.. parts.SelectMany((part, place) => part.Labels.Select(label => (place, label)))];
        page.Table(
            [
                "library",
                .. columns.SelectMany(column => parts[column.Part].Titles.Select(title =>
                    Above(parts[column.Part], column.Label, isJoined, title))),
            ],
            entries.GroupBy(entry => entry.Entry.Row).Select(row => (string[])
            [
                TitleOf([.. row.Select(entry => entry.Entry)]),
                .. columns.SelectMany(column =>
                    row.FirstOrDefault(entry => (entry.Part, entry.Entry.Label) == column).Entry?.Shown
                        ?? parts[column.Part].Titles.Select(_ => None)),
            ]),
            isFigure: i => i > 0
        );
    }

    static string Above(FrontPart part, string label, bool isJoined, string title)
    {
        string mode = Mode(part, label, isJoined);
        return mode == "" ? title : $"{mode}: {title}";
    }

    // What tells the columns of a title apart.
    static string Mode(FrontPart part, string label, bool isJoined) => string.Join(
        Comma,
        [
            .. isJoined ? [part.IsOverLink ? "link" : "loopback"] : Array.Empty<string>(),
            .. part.Labels.Length > 1 || part.IsOfSearch ? [label] : Array.Empty<string>(),
        ]);

    static string TitleOf(FrontEntry[] row) =>
        Text.Markdown(
            row[0].Cell.IsBaseline
                ? Text.And(row.Select(entry => entry.Cell.Library).Distinct()) + Baseline.InBrackets
                : row[0].Name);

    // Why a figure may be missing, each reason once.
    static string[] Missing(FrontPart[] parts)
    {
        string[] reasons =
        [
            .. parts
                .SelectMany(part => part.Entries)
                .Where(entry => entry.Lacks)
                .SelectMany(entry => entry.Reasons)
                .Select(reason => Text.Markdown(reason.Replace($"{Bottleneck.Machine}: ", "")))
                .Distinct(),
        ];
        return reasons.Length == 0 ? [] : [$"A dash: there is no such figure, or {string.Join(", or ", reasons)}."];
    }

    // In lines as wide as people read.
    static void Paragraph(Page page, IEnumerable<string> sentences)
    {
        string line = "";
        foreach (string word in string.Join(' ', sentences).Split(' '))
        {
            bool isFull = line.Length + 1 + word.Length > MostColumns;
            if (isFull && !BeginsAnother().IsMatch(word))
            {
                page.Line(line);
                line = word;
            }
            else
            {
                line += line == "" ? word : $" {word}";
            }
        }
        page.Line(line);
    }

    // What would be a list, a table, a heading or a mark of this page at the beginning of a line.
    [GeneratedRegex(@"^([-+*#>=|<]|\d+[.)]$)")]
    private static partial Regex BeginsAnother();
}
