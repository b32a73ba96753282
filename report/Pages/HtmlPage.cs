using System.Security.Cryptography;
using System.Text;
using Markdig.Extensions.Tables;
using Markdig.Syntax;

/// <summary>report.html: report.md as one page that loads nothing. Where this build has the explorer its
/// charts are interactive, else they are the pictures that lie in the folder, if it has such. Never larger than
/// MostBytes: what is too much is left out and said to be.</summary>
sealed class HtmlPage(string folder, string markdown, Sweep sweep, bool hasPictures)
{
    /// <summary>Size of the page at the most.</summary>
    public const int MostBytes = 2_000_000;

    const int OpenRows = 60;
    const string OfCharts = "Charts";
    const string OfCells = "Cells"; // headings of report.md

    static readonly string? explorer = Resource("explorer.js");

    // What stands under one heading of the second level, or before the first.
    sealed record Part(string Title, string Id, string Heading)
    {
        public string Body { get; set; } = "";
    }

    readonly PageData figures = new(sweep);
    readonly HtmlBlocks blocks = new(folder, sweep.Libraries);
    string data = "";

    /// <summary>Writes the page into the folder.</summary>
    public static void Write(string folder, string markdown, Sweep sweep, bool hasPictures)
    {
        var page = new HtmlPage(folder, markdown, sweep, hasPictures).ToString();
        WholeFile.Write(Path.Combine(folder, "report.html"), path => File.WriteAllText(path, page));
    }

    public override string ToString()
    {
        var (title, parts) = Parts(HtmlBlocks.Parse(markdown));
        var charts = parts.Find(part => part.Title == OfCharts);
        if (explorer != null && charts != null)
        {
            data = figures.ToJson(curves: true);
            var withoutScripts = hasPictures
                ? "Without scripts see report.md, which has the charts as pictures."
                : "Without scripts this page has no charts.";
            charts.Body += $"""<div id="explorer"><noscript><p>{withoutScripts}</p></noscript></div>""" + "\n";
        }
        return Fitting(title, parts);
    }

    // What is left out first: the cells, then the curves, then what is longest.
    string Fitting(string title, List<Part> parts)
    {
        var leftOut = new HashSet<Part>();
        var page = Whole(title, parts);
        if (IsTooLarge(page) && parts.Find(part => part.Title == OfCells) is { } cells)
        {
            LeaveOut(cells);
            page = Whole(title, parts);
        }
        if (IsTooLarge(page) && data != "")
        {
            data = figures.ToJson(curves: false);
            page = Whole(title, parts);
        }
        while (IsTooLarge(page) && leftOut.Count < parts.Count)
        {
            LeaveOut(parts.Except(leftOut).MaxBy(Length)!);
            page = Whole(title, parts);
        }
        return page;

        void LeaveOut(Part part)
        {
            leftOut.Add(part);
            part.Body = "<p>Too long for this page: it is in report.md, and its figures in raw.jsonl.</p>\n";
            if (part.Title == OfCharts)
                data = "";
        }

        int Length(Part part) => part.Body.Length + (part.Title == OfCharts ? data.Length : 0);
    }

    static bool IsTooLarge(string page) => Encoding.UTF8.GetByteCount(page) > MostBytes;

    string Whole(string title, List<Part> parts)
    {
        var ofLibraries = sweep.Libraries.Select(
            (name, i) => $"tbody th.c{i}::before {{ background: {sweep.Looks.ColorOf(name)}; }}\n"
        );
        var style = Resource("page.css")! + string.Concat(ofLibraries);
        var script = data == "" ? Resource("page.js")! : explorer!;
        var policy =
            $"default-src 'none'; script-src {Hash(script)}; style-src {Hash(style)}; img-src data:; "
            + "base-uri 'none'; form-action 'none'";
        var page = new StringBuilder();
        page.Append(
            $"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="{policy}">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{HtmlBlocks.Encoded(title)}</title>
            <style>{style}</style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <nav aria-label="Contents"><div><ul>

            """.ReplaceLineEndings("\n")
        );
        foreach (var part in parts.Where(part => part.Id != ""))
            page.Append($"""<li><a href="#{part.Id}">{HtmlBlocks.Encoded(part.Title)}</a></li>""").Append('\n');
        page.Append("</ul></div></nav>\n<main id=\"content\" tabindex=\"-1\">\n");
        foreach (var part in parts)
            page.Append(part.Heading).Append(part.Body);
        page.Append(
            "</main>\n<footer><p>Made from raw.jsonl by <code>report render</code>; the same text is in report.md. "
                + "This page loads nothing.</p></footer>\n"
        );
        if (data != "")
            page.Append($"""<script type="application/json" id="data">{data}</script>""").Append('\n');
        page.Append($"<script type=\"module\">{script}</script>\n</body>\n</html>\n");
        return page.ToString();
    }

    (string Title, List<Part> Parts) Parts(MarkdownDocument document)
    {
        var title = "Network benchmark";
        List<Part> parts = [new("", "", "")];
        var body = new StringBuilder();
        List<Block> group = []; // of the cells, what stands under one heading of the third level
        foreach (var block in document)
        {
            if (block is HeadingBlock { Level: 2 } heading)
            {
                Close();
                var words = HtmlBlocks.WordsOf(heading);
                var id = blocks.IdOf(heading);
                parts.Add(new(words, id, HtmlBlocks.Headed(heading, id)));
            }
            else if (block is HeadingBlock { Level: 1 } first)
            {
                title = HtmlBlocks.WordsOf(first);
                body.Append(HtmlBlocks.Headed(first, null));
            }
            else if (parts[^1].Title == OfCells)
            {
                if (block is HeadingBlock { Level: 3 })
                    CloseGroup();
                group.Add(block);
            }
            else if (explorer == null || !hasPictures || parts[^1].Title != OfCharts)
            {
                body.Append(blocks.Html(block));
            }
        }
        Close();
        return (title, parts);

        void Close()
        {
            CloseGroup();
            parts[^1].Body = body.ToString();
            body.Clear();
        }

        void CloseGroup()
        {
            if (group is [HeadingBlock heading, .. var rest])
            {
                var rows = rest.OfType<Table>().Sum(table => table.Count - 1);
                body.Append(blocks.Html(heading))
                    .Append($"<details{(rows > OpenRows ? "" : " open")}><summary>")
                    .Append(
                        $"{Text.Count(rest.OfType<Table>().Count(), "table")}, {Text.Count(rows, "row")}</summary>\n"
                    );
                foreach (var block in rest)
                    body.Append(blocks.Html(block));
                body.Append("</details>\n");
            }
            else
            {
                foreach (var block in group)
                    body.Append(blocks.Html(block));
            }
            group.Clear();
        }
    }

    static string Hash(string text) =>
        $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}'";

    /// <summary>A text that lies in this assembly; null where this build was made without it.</summary>
    public static string? Resource(string name)
    {
        using var stream = typeof(HtmlPage).Assembly.GetManifestResourceStream(name);
        return stream == null ? null : new StreamReader(stream).ReadToEnd().ReplaceLineEndings("\n");
    }
}
