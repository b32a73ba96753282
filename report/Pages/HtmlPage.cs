using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Markdig;
using Markdig.Extensions.Tables;
using Markdig.Renderers;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

/// <summary>report.html: report.md as one page that loads nothing. Where this build has the explorer its
/// charts are interactive, else they are the pictures that lie in the folder. Never larger than
/// MostBytes: what is too much is left out and said to be.</summary>
sealed partial class HtmlPage(string folder, string markdown, Sweep sweep)
{
    /// <summary>Size of the page at the most.</summary>
    public const int MostBytes = 2_000_000;

    const int OpenRows = 60, LongestId = 60;
    const string OfCharts = "Charts", OfCells = "Cells"; // headings of report.md

    static readonly MarkdownPipeline pipeline = new MarkdownPipelineBuilder()
        .UsePipeTables().UseEmphasisExtras(Markdig.Extensions.EmphasisExtras.EmphasisExtraOptions.Strikethrough)
        .DisableHtml().Build();

    static readonly string? explorer = Resource("explorer.js");

    // What stands under one heading of the second level, or before the first.
    sealed record Part(string Title, string Id, string Heading)
    {
        public string Body { get; set; } = "";
    }

    readonly PageData figures = new(sweep);
    readonly HashSet<string> ids = ["content", "explorer", "data"];
    readonly Dictionary<string, string> looks = []; // classes by the names of libraries
    string data = "", lastId = "content";

    /// <summary>Writes the page into the folder.</summary>
    public static void Write(string folder, string markdown, Sweep sweep)
    {
        var page = new HtmlPage(folder, markdown, sweep).ToString();
        WholeFile.Write(Path.Combine(folder, "report.html"), path => File.WriteAllText(path, page));
    }

    public override string ToString()
    {
        for (var i = 0; i < sweep.Libraries.Length; i++) looks[Text.Plain(sweep.Libraries[i])] = $"c{i}";
        var document = Markdown.Parse(markdown, pipeline);
        var (title, parts) = Parts(document);
        var charts = parts.Find(part => part.Title == OfCharts);
        if (explorer != null && charts != null)
        {
            data = figures.ToJson(curves: true);
            charts.Body = """<div id="explorer"><noscript><p>Without scripts see report.md, which has the charts as """
                + "pictures.</p></noscript></div>\n";
        }
        return Fitting(title, parts);
    }

    // What is left out first: the cells, then the curves, then what is longest.
    string Fitting(string title, List<Part> parts)
    {
        var page = "";
        var leftOut = new HashSet<Part>();
        void LeaveOut(Part part)
        {
            leftOut.Add(part);
            part.Body = "<p>Too long for this page: it is in report.md, and its figures in raw.jsonl.</p>\n";
            if (part.Title == OfCharts) data = "";
        }
        if (TooLarge() && parts.Find(part => part.Title == OfCells) is { } cells) LeaveOut(cells);
        if (TooLarge() && data != "") data = figures.ToJson(curves: false);
        while (TooLarge() && leftOut.Count < parts.Count)
            LeaveOut(parts.Except(leftOut).MaxBy(part => part.Body.Length + (part.Title == OfCharts ? data.Length : 0))!);
        return page;

        bool TooLarge() => Encoding.UTF8.GetByteCount(page = Whole(title, parts)) > MostBytes;
    }

    string Whole(string title, List<Part> parts)
    {
        var style = Resource("page.css")! + string.Concat(sweep.Libraries.Select((name, i) =>
            $"tbody th.c{i}::before {{ background: {sweep.Looks.ColorOf(name)}; }}\n"));
        var script = data == "" ? Resource("page.js")! : explorer!;
        var page = new StringBuilder();
        page.Append($"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {Hash(script)}; style-src {Hash(style)}; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{Encoded(title)}</title>
            <style>{style}</style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <nav aria-label="Contents"><div><ul>

            """.ReplaceLineEndings("\n"));
        foreach (var part in parts.Where(part => part.Id != ""))
            page.Append($"""<li><a href="#{part.Id}">{Encoded(part.Title)}</a></li>""").Append('\n');
        page.Append("</ul></div></nav>\n<main id=\"content\" tabindex=\"-1\">\n");
        foreach (var part in parts) page.Append(part.Heading).Append(part.Body);
        page.Append("</main>\n<footer><p>Made from raw.jsonl by <code>report render</code>; the same text is in report.md. "
            + "This page loads nothing.</p></footer>\n");
        if (data != "") page.Append($"""<script type="application/json" id="data">{data}</script>""").Append('\n');
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
                var (words, id) = (WordsOf(heading), IdOf(heading));
                parts.Add(new(words, id, Headed(heading, id)));
            }
            else if (block is HeadingBlock { Level: 1 } first)
            {
                title = WordsOf(first);
                body.Append(Headed(first, null));
            }
            else if (parts[^1].Title == OfCells)
            {
                if (block is HeadingBlock { Level: 3 }) CloseGroup();
                group.Add(block);
            }
            else if (explorer == null || parts[^1].Title != OfCharts) body.Append(Html(block));
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
                body.Append(Html(heading)).Append($"<details{(rows > OpenRows ? "" : " open")}><summary>")
                    .Append($"{Text.Count(rest.OfType<Table>().Count(), "table")}, {Text.Count(rows, "row")}</summary>\n");
                foreach (var block in rest) body.Append(Html(block));
                body.Append("</details>\n");
            }
            else foreach (var block in group) body.Append(Html(block));
            group.Clear();
        }
    }

    string Html(Block block) => block switch
    {
        HeadingBlock heading => Headed(heading, IdOf(heading)),
        Table table => TableOf(table),
        ParagraphBlock { Inline: { FirstChild: LinkInline { IsImage: true } image } inline } when inline.LastChild == image =>
            Image(image),
        _ => Rendered(renderer => renderer.Render(block)),
    };

    static string Headed(HeadingBlock heading, string? id)
    {
        var words = Rendered(renderer => renderer.WriteLeafInline(heading));
        return id == null ? $"<h1>{words}</h1>\n" : $"""<h{heading.Level} id="{id}">{words}"""
            + $"""<a class="anchor" href="#{id}" aria-label="Link to this heading">#</a></h{heading.Level}>""" + "\n";
    }

    // With a box of its own to scroll in, and a name by which the address says how it is sorted.
    string TableOf(Table table)
    {
        var ofLibraries = false;
        var rows = Rendered(renderer =>
        {
            renderer.ImplicitParagraph = true;
            foreach (var row in table.OfType<TableRow>())
            {
                renderer.Write(row.IsHeader ? "<thead><tr>" : "<tr>");
                for (var i = 0; i < row.Count; i++)
                {
                    var cell = (TableCell)row[i];
                    var first = i == 0 ? WordsOf(cell.Descendants<LiteralInline>()) : "";
                    ofLibraries |= row.IsHeader && first == "library";
                    renderer.Write(row.IsHeader ? "<th scope=\"col\"" : i == 0 ? "<th scope=\"row\"" : "<td");
                    if (!row.IsHeader && i == 0 && ofLibraries)
                        renderer.Write($" class=\"{looks.GetValueOrDefault(first, "floor")}\"");
                    else if (table.ColumnDefinitions[i].Alignment == TableColumnAlign.Right)
                        renderer.Write(" class=\"n\"");
                    renderer.Write(">");
                    renderer.WriteChildren(cell);
                    renderer.Write(row.IsHeader || i == 0 ? "</th>" : "</td>");
                }
                renderer.Write(row.IsHeader ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
            }
        });
        return $"""<div class="table" role="region" aria-labelledby="{lastId}" tabindex="0"><table id="{Unique("t")}">"""
            + $"\n{rows}</tbody></table></div>\n";
    }

    string Image(LinkInline image)
    {
        var file = Path.Combine(folder, Path.GetFileName(image.Url ?? ""));
        if (!Chart().IsMatch(Path.GetFileName(file)) || !File.Exists(file)) return "";
        var kind = Path.GetExtension(file) == ".svg" ? "svg+xml" : "png";
        return $"""<p><img alt="{Encoded(WordsOf(image.Descendants<LiteralInline>()))}" src="data:image/{kind};base64,"""
            + $"{Convert.ToBase64String(File.ReadAllBytes(file))}\"></p>\n";
    }

    // Without markup.
    static string WordsOf(IEnumerable<LiteralInline> literals) =>
        string.Concat(literals.Select(literal => literal.Content.ToString()));

    static string WordsOf(HeadingBlock heading) => WordsOf(heading.Inline!.Descendants<LiteralInline>());

    string IdOf(HeadingBlock heading)
    {
        var id = NoId().Replace(WordsOf(heading).ToLowerInvariant(), "-").Trim('-');
        return lastId = Unique(id == "" ? "section" : id[..Math.Min(id.Length, LongestId)]);
    }

    string Unique(string id)
    {
        var unique = id;
        for (var n = 2; !ids.Add(unique); n++) unique = $"{id}-{n}";
        return unique;
    }

    static string Rendered(Action<HtmlRenderer> write)
    {
        using var text = new StringWriter { NewLine = "\n" };
        var renderer = new HtmlRenderer(text)
        { LinkRewriter = url => Beside().IsMatch(url) ? url : "" };
        pipeline.Setup(renderer);
        write(renderer);
        return text.ToString();
    }

    static string Encoded(string text) => WebUtility.HtmlEncode(text);

    static string Hash(string text) =>
        $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}'";

    // Null where this build was made without it.
    static string? Resource(string name)
    {
        using var stream = typeof(HtmlPage).Assembly.GetManifestResourceStream(name);
        return stream == null ? null : new StreamReader(stream).ReadToEnd().ReplaceLineEndings("\n");
    }

    [GeneratedRegex(@"^[a-z-]+(-\d+)?\.(svg|png)$")]
    private static partial Regex Chart();

    // The files that lie beside the page.
    [GeneratedRegex(@"^[a-z][a-z0-9-]*\.(md|jsonl|svg|png)$")]
    private static partial Regex Beside();

    [GeneratedRegex("[^a-z0-9]+")]
    private static partial Regex NoId();
}
